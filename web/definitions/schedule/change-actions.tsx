"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { DashboardClient } from "#server/api/dashboard.ts";
import { useAttempt } from "../../client/attempt.ts";
import { rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/overlay.tsx";
import { useToast } from "../../components/toast.tsx";

type Change = Awaited<ReturnType<DashboardClient["definitions"]["scheduled"]>>["changes"][number];

/** Applies or cancels a scheduled change, after confirmation. */
export function ChangeActions({ change: { id, name, failure } }: { change: Change }) {
  const { scope } = useWhere();
  const router = useRouter();
  const toast = useToast();
  const attempt = useAttempt();
  const [asking, setAsking] = useState<"apply" | "discard" | null>(null);
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const [isOverwriting, setOverwriting] = useState(failure?.conflict != null);

  const apply = async () => {
    const { problems, conflict } = await attempt("The change was not applied", () =>
      rpc.definitions.applyScheduled({ ...scope, id, overwrite: isOverwriting }),
    );
    if (conflict !== null) {
      setOverwriting(true);
      throw new Error("It was changed since.");
    }
    if (problems.length > 0) {
      // The wording of problems is loaded on demand.
      const { asLine, problemSent } = await import("../document/problems.ts");
      setRefusals(problems.map((problem) => asLine(problemSent(problem))));
      throw new Error("It was refused.");
    }
    toast({ title: `The change of ${name} was applied` });
    router.refresh();
  };
  const discard = async () => {
    await attempt("The change was not discarded", () => rpc.definitions.cancelScheduled({ ...scope, id }));
    toast({ title: "Scheduled change discarded" });
    router.refresh();
  };
  const isRefused = refusals.length > 0;
  return (
    <div className="flex shrink-0 gap-2">
      <Button
        size="sm"
        aria-label={`Apply now: ${name}`}
        onClick={() => {
          setRefusals([]);
          setAsking("apply");
        }}
      >
        Apply now
      </Button>
      <Button size="sm" variant="ghost" aria-label={`Discard: ${name}`} onClick={() => setAsking("discard")}>
        Discard
      </Button>
      <ConfirmDialog
        open={asking === "apply"}
        onOpenChange={(isOpen) => setAsking(isOpen ? "apply" : null)}
        title={isRefused ? "This change cannot be applied" : `Apply the change of ${name} now?`}
        confirmLabel={isOverwriting ? "Overwrite and apply" : "Apply now"}
        isDanger={isOverwriting}
        refusals={refusals}
        onConfirm={apply}
      >
        {isOverwriting ? (
          <p>{name} was changed after this was scheduled. Applying it overwrites those changes; its history keeps them.</p>
        ) : (
          <p>It applies immediately instead of at the scheduled time. Rewards already earned stay.</p>
        )}
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === "discard"}
        onOpenChange={(isOpen) => setAsking(isOpen ? "discard" : null)}
        title="Discard the scheduled change?"
        confirmLabel="Discard change"
        isDanger
        onConfirm={discard}
      >
        <p>{name} stays as it is. The scheduled change is deleted.</p>
      </ConfirmDialog>
    </div>
  );
}
