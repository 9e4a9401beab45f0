import type { UseQueryOptions } from "@tanstack/react-query";
import type { AnalyticsReports, orpc } from "../client/service.tsx";
import type { Scope } from "../client/address.ts";
import type { ReportPath } from "./reports.ts";
import { type Range, type ReportView, tableOf } from "./view.ts";

/** The input of any report: each procedure takes what it knows of it. `table` is the page of its table. */
export const reportInput = (scope: Scope, range: Range, view: ReportView, table: object = tableOf(view)) => ({
  ...scope,
  ...range,
  segment: view.segment,
  of: view.of,
  table,
});

/** The query behind a report; the server prefetches the same one for the first render. */
export function reportQuery<Path extends ReportPath>(utils: typeof orpc, report: Path, scope: Scope, range: Range, view: ReportView) {
  const { queryOptions } = utils.analytics[report as ReportPath];
  // Input and answer are the report's own, which TypeScript does not see through the index.
  return queryOptions({ input: reportInput(scope, range, view) as never }) as unknown as UseQueryOptions<AnalyticsReports[Path]>;
}

export const missionQuery = ({ analytics }: typeof orpc, scope: Scope, range: Range, segment: string | null, key: string) =>
  analytics.mission.queryOptions({ input: { ...scope, ...range, segment, key } });

export const missionQueries = (utils: typeof orpc, scope: Scope, range: Range, segment: string | null, key: string) => [
  missionQuery(utils, scope, range, segment, key),
  segmentsQuery(utils, scope),
];

/** The segments that a report can be filtered by: the counted ones, by name. */
export const segmentsQuery = ({ definitions }: typeof orpc, scope: Scope) =>
  definitions.list.queryOptions({
    input: { ...scope, kind: "segments", status: "active", sort: "name", direction: "ascending", limit: 200 },
  });
