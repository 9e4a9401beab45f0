import { Suspense } from "react";
import { formatted } from "#server/model/kernel/thousands.ts";
import { sinceWords } from "../../analytics/words.ts";
import { todayIn } from "../../analytics/today.ts";
import { rangeOf, REPORT } from "../../analytics/view.ts";
import type { Scope } from "../../client/address.ts";
import { serverRpc } from "../../client/server.tsx";
import { MoreLink } from "../../components/button.tsx";
import { Card, DefinitionItem as Term, Skeleton } from "../../components/surface.tsx";

interface Props {
  scope: Scope;
  missionKey: string;
  /** Where its report is. */
  results: string;
}

interface Counts {
  entered: number | undefined;
  accepted: number | undefined;
  completed: number | undefined;
  /** A note if offers are counted for only a part of the range. */
  since: string | undefined;
}

/** Progress of a mission's offers from the last 28 days. Streamed: the page does not wait for it. */
export const MissionFigures = (props: Props) => (
  <Suspense fallback={<Terms counts={null} results={props.results} />}>
    <LastWeeks {...props} />
  </Suspense>
);

async function LastWeeks({ scope, missionKey, results }: Props) {
  // The report shows the error; the page is useful without these figures.
  const counts = await countsOf(scope, missionKey).catch(() => undefined);
  return counts && <Terms counts={counts} results={results} />;
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

const Terms = ({ counts, results }: { counts: Counts | null; results: string }) => {
  const shown = (count: number | undefined) => (count === undefined ? <Skeleton className="h-7 w-10" /> : formatted(count));
  const figures = { Offered: counts?.entered, Accepted: counts?.accepted, Completed: counts?.completed };
  return (
    <Card
      title="Offered in the last 28 days"
      description={counts?.since ?? "How far players have got."}
      actions={<MoreLink href={results}>See results</MoreLink>}
    >
      <dl className="grid grid-cols-3 gap-x-6">
        {Object.entries(figures).map(([term, count]) => (
          <Term key={term} term={term}>
            <span className="text-lg font-semibold tabular-nums">{shown(count)}</span>
          </Term>
        ))}
      </dl>
    </Card>
  );
};
