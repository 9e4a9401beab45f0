import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { reportQuery, segmentsQuery } from "../../../../../../_analytics/report-query.ts";
import { hasResults } from "../../../../../../_analytics/reports.ts";
import { todayIn } from "../../../../../../_analytics/today.ts";
import { rangeOf, viewFrom } from "../../../../../../_analytics/view.ts";
import { Prefetch } from "../../../../../../_client/server.tsx";
import { DefinitionFrame } from "../../../../../../_definition/frame.tsx";
import { type DefinitionProps, nameOfDefinition, readDefinition } from "../../../../../../_definition/read-definition.ts";
import { Results } from "../../../../../../_definition/results.tsx";
import { definitionFrom } from "../definition-from.ts";

export async function generateMetadata({ params }: DefinitionProps): Promise<Metadata> {
  return { title: `Results of ${await nameOfDefinition(await definitionFrom(params))}` };
}

/** Shows the figures of one definition; other kinds have none of their own. */
export default async function ResultsPage({ params, searchParams }: DefinitionProps) {
  const { scope, kind, key } = await definitionFrom(params);
  if (!hasResults(kind)) notFound();
  const known = await readDefinition({ ...scope, kind, key });
  const view = viewFrom(await searchParams);
  const today = await todayIn(scope);
  const range = rangeOf(view, today);
  return (
    <DefinitionFrame kind={kind} known={known} scope={scope}>
      <Prefetch
        find={(orpc) =>
          kind === "missions"
            ? [
                orpc.analytics.mission.queryOptions({ input: { ...scope, ...range, segment: view.segment, key } }),
                segmentsQuery(orpc, scope),
              ]
            : [reportQuery(orpc, kind, scope, range, null)]
        }
      >
        <Results kind={kind} definitionKey={key} initialView={view} today={today} />
      </Prefetch>
    </DefinitionFrame>
  );
}
