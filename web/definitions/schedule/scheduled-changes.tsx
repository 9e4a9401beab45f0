"use client";

import { instantInWords } from "#server/model/kernel/dates.ts";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { refusalReason } from "#server/model/definitions/change-failure.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { DefinitionLink } from "../../client/links.tsx";
import { type Answers, orpc, rpc, useAttempt, useRead, useWhere } from "../../client/service.tsx";
import { useFirst } from "../../components/list-card.tsx";
import { Badge, Card } from "../../components/surface.tsx";
import { Differences } from "../history/lazy-differences.tsx";
import { KIND_SCREENS } from "../kinds/index.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmButton, ConfirmDialog } from "../../components/overlay.tsx";
import { useToast } from "../../components/toast.tsx";

type Scheduled = Answers["definitions"]["scheduled"];

interface ScheduledChangesProps {
  /** One definition; the whole environment by default. */
  which?: { kind: Kind; key: string };
  /** Rendered on the server. */
  initial?: Scheduled;
}

const EVERY_MS = 30_000;
const MAX_SHOWN = 10;

/** Pending and failed scheduled changes; hidden when there are none. */
export function ScheduledChanges({ which, initial }: ScheduledChangesProps) {
  const { data } = useRead(orpc.definitions.scheduled, which && { which }, { initialData: initial, refetchInterval: EVERY_MS });
  const [changes, rest] = useFirst(data?.changes ?? [], MAX_SHOWN);
  if (changes.length === 0) return null;
  return (
    <Card title="Scheduled changes" padded={false}>
      <ul aria-label="Scheduled changes" className="divide-y divide-line">
        {changes.map((change) => (
          <li key={change.id} className="px-4 py-3">
            <Change change={change} isNamed={which === undefined} />
          </li>
        ))}
      </ul>
      {rest}
    </Card>
  );
}

function Change({ change, isNamed }: { change: Scheduled["changes"][number]; isNamed: boolean }) {
  const { timeZone, can } = useWhere();
  const { kind, key, name, at, by, failure } = change;
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {isNamed && <DefinitionLink kind={kind} of={key} name={name} />}
          {isNamed && <span className="text-[0.8125rem] text-quiet">{KIND_SCREENS[kind].one}</span>}
          <span className={isNamed ? "text-[0.8125rem] text-quiet" : "font-medium"}>
            {failure === null ? "applies" : "was due"} {instantInWords(at, timeZone)}
          </span>
          {failure !== null && <Badge tone="bad">Not applied</Badge>}
        </p>
        <p className="text-[0.8125rem] text-quiet wrap-anywhere">Scheduled by {by}</p>
        {failure !== null && <p className="mt-1 text-[0.8125rem] text-bad wrap-anywhere">{refusalReason(failure)}</p>}
        {change.fields > 0 && (
          <div className="mt-2">
            <Differences of={change} />
          </div>
        )}
      </div>
      {can("Editor") && <ChangeActions change={change} />}
    </div>
  );
}

/** Applies or cancels a scheduled change, after confirmation. */
function ChangeActions({ change: { id, name, failure } }: { change: Scheduled["changes"][number] }) {
  const { scope } = useWhere();
  const router = useRouter();
  const toast = useToast();
  const attempt = useAttempt();
  const [isApplying, setApplying] = useState(false);
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
      const { asLine, problemSent } = await import("../document/form-words.ts");
      setRefusals(problems.map((problem) => asLine(problemSent(problem))));
      throw new Error("It was refused.");
    }
    toast({ title: `The change of ${name} was applied` });
    router.refresh();
  };
  const discard = async () => {
    await attempt("The change was not discarded", () => rpc.definitions.cancelScheduled({ ...scope, id }), "Scheduled change discarded");
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
          setApplying(true);
        }}
      >
        Apply now
      </Button>
      <ConfirmDialog
        open={isApplying}
        onOpenChange={setApplying}
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
      <ConfirmButton
        trigger={
          <Button size="sm" variant="ghost" aria-label={`Discard: ${name}`}>
            Discard
          </Button>
        }
        title="Discard the scheduled change?"
        confirmLabel="Discard change"
        isDanger
        onConfirm={discard}
      >
        {name} stays as it is. The scheduled change is deleted.
      </ConfirmButton>
    </div>
  );
}
