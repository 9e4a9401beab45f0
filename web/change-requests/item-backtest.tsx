import { skipToken, useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useState } from "react";
import type { BacktestedKind } from "../../server/model/backtests/result.ts";
import { orpc, useWhere } from "../client/service.tsx";
import { Button } from "../components/button.tsx";
import { lazily } from "../components/lazily.tsx";
import { Sheet } from "../components/overlay.tsx";
import { Skeleton } from "../components/surface.tsx";
import { headlineOf } from "../definitions/try/backtest-words.ts";
import { RunBasis } from "../definitions/try/run-basis.tsx";

const Backtest = lazily(() => import("../definitions/try/backtest.tsx").then((module) => module.Backtest), {
  waiting: <Skeleton className="h-24" />,
});

const POLL_MS = 1_000;

interface ItemBacktestProps {
  requestId: string;
  kind: BacktestedKind;
  itemKey: string;
  name: string;
}

/** The effect that a requested definition would have had on all players: the last result of the same draft, or a button to run one. */
export function ItemBacktest({ requestId, kind, itemKey, name }: ItemBacktestProps) {
  const { scope, can } = useWhere();
  const [isOpen, setOpen] = useState(false);
  const which = { ...scope, kind, key: itemKey };
  const { data: draft } = useQuery(orpc.changeRequests.document.queryOptions({ input: { ...which, id: requestId } }));
  const { data: saved } = useQuery({
    ...orpc.backtests.list.queryOptions({ input: draft === undefined ? skipToken : { ...which, draftFingerprint: draft.fingerprint } }),
    // Polls while a backtest that was started in the panel is running.
    refetchInterval: ({ state }) => (state.data?.backtests.some(({ finishedAt }) => finishedAt === null) ? POLL_MS : false),
  });
  const done = saved?.backtests.find(({ status }) => status === "Done");
  const { data: run } = useQuery(orpc.backtests.get.queryOptions({ input: done === undefined ? skipToken : { ...scope, id: done.id } }));
  if (draft === undefined || saved === undefined || (done !== undefined && run === undefined)) return <Skeleton className="mt-2 h-6" />;
  const result = run?.result ?? null;
  if (result === null && !can("Editor")) return null;
  return (
    <div className="mt-2 flex flex-col gap-1.5 rounded-lg border border-line bg-paper px-3 py-2 text-[0.8125rem]">
      {result === null || run === undefined ? (
        <p className="text-quiet">No backtest yet.</p>
      ) : (
        <>
          <p>{headlineOf(kind, result)}</p>
          <RunBasis run={run} />
        </>
      )}
      <div>
        <Button size="sm" icon={<Users />} onClick={() => setOpen(true)}>
          {result === null ? "Run backtest" : "Show backtest"}
          <span className="sr-only"> of {name}</span>
        </Button>
      </div>
      <Sheet
        open={isOpen}
        onOpenChange={setOpen}
        title={`Backtest of ${name}`}
        description="Replays the history of all players with this request. Nothing changes for them."
        className="max-w-2xl"
      >
        <Backtest kind={kind} document={draft.document} problems={[]} draft={draft} />
      </Sheet>
    </div>
  );
}
