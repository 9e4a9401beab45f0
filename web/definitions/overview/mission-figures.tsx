import { Suspense } from "react";
import { formatted } from "#server/model/kernel/thousands.ts";
import { sinceWords } from "../../analytics/words.ts";
import { todayIn } from "../../analytics/today.ts";
import { rangeOf, REPORT } from "../../analytics/view.ts";
import type { Scope } from "../../client/address.ts";
import { serverRpc } from "../../client/server.tsx";
import { DefinitionItem as Term, Skeleton } from "../../components/surface.tsx";

interface Props {
  scope: Scope;
  missionKey: string;
}

interface Counts {
  entered: number | undefined;
  accepted: number | undefined;
  completed: number | undefined;
  /** Notes where offers are counted for part of the range only. */
  since: string | undefined;
}

/** Progress of a mission's offers from the last 28 days. Streamed: the page does not wait for it. */
export const MissionFigures = (props: Props) => (
  <Suspense fallback={<Terms counts={null} />}>
    <LastWeeks {...props} />
  </Suspense>
);

async function LastWeeks({ scope, missionKey }: Props) {
  // The report shows the error; the page is useful without these figures.
  const counts = await countsOf(scope, missionKey).catch(() => undefined);
  return counts && <Terms counts={counts} />;
}

async function countsOf(scope: Scope, key: string): Promise<Counts> {
  const range = rangeOf(REPORT.none, await todayIn(scope));
  const { totals, countedSince, frame } = await (await serverRpc()).analytics.mission({ ...scope, ...range, key });
  return {
    entered: totals.funnel?.entered.value,
    accepted: totals.funnel?.accepted.value,
    completed: totals.funnel?.completed.value,
    since: sinceWords("Offers", countedSince, frame),
  };
}

const Terms = ({ counts }: { counts: Counts | null }) => {
  const shown = (count: number | undefined) => (count === undefined ? <Skeleton className="h-4 w-10" /> : formatted(count));
  return (
    <div className="mt-4 border-t border-line pt-4">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-[0.8125rem] sm:grid-cols-4">
        <Term term="Range">Offers of the last 28 days</Term>
        <Term term="Offered">{shown(counts?.entered)}</Term>
        <Term term="Accepted">{shown(counts?.accepted)}</Term>
        <Term term="Completed">{shown(counts?.completed)}</Term>
      </dl>
      {counts?.since && <p className="mt-3 text-xs text-quiet">{counts.since}</p>}
    </div>
  );
};
