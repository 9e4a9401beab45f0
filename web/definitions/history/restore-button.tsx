"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import { useOpenAfter } from "../../client/leaving.ts";
import { orpc, rpc, useAttempt, useWhere } from "../../client/service.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/overlay.tsx";
import { useToast } from "../../components/toast.tsx";
import { definitionPath } from "../kinds/index.ts";

interface RestoreProps {
  kind: Kind;
  definitionKey: string;
  version: number;
  /** The loaded definition; null if it was deleted. */
  revision: string | null;
}

/** Restores a version, after confirmation. The dialog says what prevents it. */
export function RestoreVersionButton({ kind, definitionKey, version, revision }: RestoreProps) {
  const { scope, can, href, needsApproval } = useWhere();
  const router = useRouter();
  const { open } = useOpenAfter();
  const toast = useToast();
  const attempt = useAttempt(orpc.definitions.key());
  const [isAsking, setAsking] = useState(false);
  const [refusals, setRefusals] = useState<string[] | null>(null);
  if (!can("Editor")) return null;

  const input = { ...scope, kind, key: definitionKey, version, revision };
  const send = async (dryRun: boolean) => {
    const { problems } = await attempt("The version was not restored", () => rpc.definitions.restoreVersion({ ...input, dryRun }));
    // The wording of problems is loaded on demand.
    const { asLine, problemSent } = await import("../document/form-words.ts");
    return problems.map((problem) => asLine(problemSent(problem)));
  };
  const ask = () => {
    setRefusals(null);
    setAsking(true);
    void send(true).then(setRefusals, () => setAsking(false));
  };
  const restore = async () => {
    const found = await send(false);
    if (found.length > 0) {
      setRefusals(found);
      throw new Error("The version was refused.");
    }
    toast({ title: `Version ${version} restored` });
    open(`${href(definitionPath(kind, definitionKey))}/history`);
    router.refresh();
  };

  const isRefused = Boolean(refusals?.length);
  return (
    <>
      {/* Above the row's link. */}
      <Button size="sm" variant="ghost" className="relative z-10 -my-1" aria-label={`Restore version ${version}`} onClick={ask}>
        Restore
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={isRefused ? `Version ${version} cannot be restored` : `Restore version ${version}?`}
        confirmLabel="Restore"
        isPending={isAsking && refusals === null}
        refusals={refusals ?? []}
        onConfirm={restore}
      >
        <p>
          It becomes the newest version {needsApproval ? "once another person approves it" : "and applies immediately"}. Nothing that
          players already earned changes.
        </p>
      </ConfirmDialog>
    </>
  );
}
