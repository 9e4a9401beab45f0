import { instantInWords } from "#server/model/kernel/dates.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Play, Users } from "lucide-react";
import { useMemo, useState } from "react";
import type { BacktestedKind } from "#server/model/backtests/result.ts";
import type { Kind } from "#server/model/definitions/kinds.ts";
import { parseJson } from "#server/model/kernel/json.ts";
import { fingerprintOfDraft } from "#server/model/kernel/sha256.ts";
import { type Backtest as BacktestAnswer, orpc, useWhere } from "#web/client/service.tsx";
import { useAlong } from "../along.tsx";
import type { Problem } from "../document/pointers.ts";
import { problemSent } from "../document/form-words.ts";
import { Button } from "../../components/button.tsx";
import { ChoiceField, choices, Segmented } from "../../components/choice.tsx";
import { Field } from "../../components/inputs.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Select } from "../../components/select.tsx";
import { EmptyState, Notice, ProgressBar, Skeleton } from "../../components/surface.tsx";
import { BacktestResult } from "./backtest-result.tsx";
import { RunBasis } from "./run-basis.tsx";
import { NotYet } from "./trial-result.tsx";

interface BacktestProps {
  kind: BacktestedKind;
  document: string;
  /** Problems of the definition: with any, no backtest is started. */
  problems: readonly Problem[];
  /** For a draft outside a form: the definitions created with it, and the key of its results. */
  draft?: { along: readonly { kind: Kind; document: string }[]; fingerprint: string };
}

const DAYS = [7, 14, 30, 60, 90].map((days) => ({ value: String(days), label: `${days} days` }));
const POLL_MS = 1_000;

const isOpen = (status: string | undefined): boolean => status === "Waiting" || status === "Running";

/** Replays the history of the environment's players with the definition, in the background, and shows the saved results. */
export function Backtest({ kind, document, problems: own, draft }: BacktestProps) {
  const { scope, timeZone, can } = useWhere();
  const inForm = useAlong();
  const along = draft?.along ?? inForm;
  const [days, setDays] = useState(kind === "leaderboards" ? "90" : "30");
  const [entry, setEntry] = useState<"WindowStart" | "FirstEvent">("WindowStart");
  const [chosen, setChosen] = useState<string | null>(null);
  const key = useMemo(() => keyIn(document), [document]);
  const list = useQuery({
    ...orpc.backtests.list.queryOptions({ input: { ...scope, kind, key } }),
    enabled: key !== "",
  });
  const runs = list.data?.backtests ?? [];
  const id = runs.find((one) => one.id === chosen)?.id ?? runs[0]?.id ?? null;
  const run = useQuery({
    ...orpc.backtests.get.queryOptions({ input: { ...scope, id: id ?? "" } }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (isOpen(state.data?.status) ? POLL_MS : false),
  });
  const touches = [orpc.backtests.key()];
  const start = useMutation(orpc.backtests.start.mutationOptions({ meta: { touches }, onSuccess: (answer) => setChosen(answer.id) }));
  const cancel = useMutation(orpc.backtests.cancel.mutationOptions({ meta: { failure: "The backtest was not cancelled", touches } }));
  const problems = own.length > 0 ? own : (start.data?.problems.map(problemSent) ?? []);
  const isRunning = isOpen(run.data?.status);
  if (!can("Editor") && list.isSuccess && runs.length === 0) {
    return (
      <EmptyState icon={<Users />} title="No backtest yet">
        It shows what this would have done for all players. Starting one needs the Editor role.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      {can("Editor") && (
        <>
          <Field label="Past days">
            <Select value={days} onValueChange={setDays} options={DAYS} />
          </Field>
          {kind === "missions" && (
            <ChoiceField label="Assume everyone opened the mission">
              <Segmented<typeof entry>
                label="Assume everyone opened the mission"
                value={entry}
                onValueChange={setEntry}
                options={choices({ WindowStart: "When the days begin", FirstEvent: "With their first event" })}
              />
            </ChoiceField>
          )}
          <div>
            <Button
              variant="primary"
              icon={<Play />}
              isPending={start.isPending || isRunning}
              onClick={() => start.mutate({ ...scope, kind, document, along: [...along], days: Number(days), entry })}
            >
              Run backtest
            </Button>
          </div>
        </>
      )}
      {problems.length > 0 && start.isSuccess && <NotYet problems={problems} />}
      {start.isError && <Notice tone="bad">{problemOf(start.error)}</Notice>}
      {list.isError && <Notice tone="bad">{problemOf(list.error)}</Notice>}
      {(list.isPending || (id !== null && run.isPending)) && key !== "" && <Skeleton className="h-32" />}
      {run.isError && <Notice tone="bad">{problemOf(run.error)}</Notice>}
      {run.data && (
        <section className="flex flex-col gap-4 border-t border-line pt-4">
          {runs.length > 1 && (
            <Field label="Saved results">
              <Select
                value={id ?? ""}
                onValueChange={setChosen}
                options={runs.map((one) => ({ value: one.id, label: runLabel(one.id === id ? run.data : one, timeZone) }))}
              />
            </Field>
          )}
          <Run
            kind={kind}
            run={run.data}
            isOther={
              draft === undefined
                ? run.data.fingerprint !== fingerprintOfDraft(document, along)
                : run.data.draftFingerprint !== draft.fingerprint
            }
          />
          {isRunning && can("Editor") && (
            <div>
              <Button size="sm" isPending={cancel.isPending} onClick={() => cancel.mutate({ ...scope, id: run.data.id })}>
                Cancel
              </Button>
            </div>
          )}
        </section>
      )}
    </div>
  );
}

function keyIn(document: string): string {
  try {
    const { key } = parseJson(document) as { key?: unknown };
    return typeof key === "string" ? key : "";
  } catch {
    return "";
  }
}

const runLabel = (
  { createdAt, createdBy, days, status }: Pick<BacktestAnswer, "createdAt" | "createdBy" | "days" | "status">,
  timeZone: string,
): string => `${instantInWords(createdAt, timeZone)}, ${days} days, ${createdBy}${status === "Done" ? "" : ` (${status.toLowerCase()})`}`;

function Run({ kind, run, isOther }: { kind: BacktestedKind; run: BacktestAnswer; isOther: boolean }) {
  switch (run.status) {
    case "Waiting":
    case "Running":
      return <Progress progress={run.progress} isWaiting={run.status === "Waiting"} />;
    case "Failed":
      return (
        <Notice tone="bad" title="The backtest failed">
          {run.error}
        </Notice>
      );
    case "Cancelled":
      return <p className="text-quiet">This backtest was cancelled.</p>;
    case "Done":
      return (
        <>
          {isOther && <Notice tone="warn">This result is for an earlier draft. Run it again for the current one.</Notice>}
          {run.result !== null && <BacktestResult kind={kind} result={run.result} />}
          <RunBasis run={run} />
        </>
      );
  }
}

function Progress({ progress, isWaiting }: { progress: number; isWaiting: boolean }) {
  return (
    <div className="flex flex-col gap-2">
      <p role="status">{isWaiting ? "Waiting for the worker…" : "Replaying the players' history…"}</p>
      <ProgressBar label="Players" value={progress} />
      <p className="text-xs text-quiet">You can close this: the result is saved.</p>
    </div>
  );
}
