import { notFound } from "next/navigation";
import { missionQueries, reportQuery } from "#web/analytics/report-query.ts";
import { hasResults } from "#web/analytics/reports.ts";
import { todayIn } from "#web/analytics/today.ts";
import { rangeOf, REPORT } from "#web/analytics/view.ts";
import { Prefetch } from "#web/client/server.tsx";
import { DefinitionFrame } from "#web/definitions/overview/frame.tsx";
import {
  definitionFrom,
  type DefinitionProps,
  definitionMetadata,
  readDefinition,
  readObjectiveSentences,
} from "#web/definitions/overview/read-definition.ts";
import { Results } from "#web/definitions/overview/results.tsx";

export const generateMetadata = definitionMetadata((name) => `Results of ${name}`);

/** Shows the figures of one definition; other kinds have none of their own. */
export default async function ResultsPage({ params, searchParams }: DefinitionProps) {
  const { scope, kind, key } = await definitionFrom(params);
  if (!hasResults(kind)) notFound();
  const view = REPORT.from(await searchParams);
  const known = await readDefinition({ scope, kind, key });
  const [today, sentences] = await Promise.all([todayIn(scope), kind === "missions" ? readObjectiveSentences(scope, known) : []]);
  const range = rangeOf(view, today);
  return (
    <DefinitionFrame kind={kind} known={known} scope={scope}>
      <Prefetch
        find={(orpc) => [
          ...(kind === "missions"
            ? missionQueries(orpc, scope, range, view.segment, key)
            : [reportQuery(orpc, kind, scope, range, { ...view, segment: null, of: key })]),
          orpc.definitions.catalogue.queryOptions({ input: scope }),
        ]}
      >
        <Results kind={kind} definitionKey={key} sentences={sentences} today={today} />
      </Prefetch>
    </DefinitionFrame>
  );
}
