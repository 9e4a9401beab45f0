import type { orpc } from "../client/rpc.ts";
import type { Scope } from "../client/address.ts";
import { isOfSegments, type ReportPath } from "./reports.ts";
import { type Range, type ReportView, tableOf } from "./view.ts";

type Analytics = (typeof orpc)["analytics"];

/** The query behind a report; the server prefetches the same one for the first render. */
export function reportQuery({ analytics }: typeof orpc, report: ReportPath, scope: Scope, range: Range, view: ReportView) {
  const input = {
    ...scope,
    ...(report !== "leaderboards" && range),
    ...(isOfSegments(report) && { segment: view.segment }),
    ...(report !== "players" && report !== "streaks" && { table: tableOf(view) }),
    ...((report === "streaks" || report === "leaderboards") && { of: view.of }),
  };
  // The input is the report's own, which TypeScript does not see through the index.
  return analytics[report].queryOptions({ input: input as never }) as ReturnType<Analytics[ReportPath]["queryOptions"]>;
}

/** The segments that a report can be filtered by: the counted ones, by name. */
export const segmentsQuery = ({ definitions }: typeof orpc, scope: Scope) =>
  definitions.list.queryOptions({
    input: {
      ...scope,
      kind: "segments" as const,
      status: "active" as const,
      sort: "name" as const,
      direction: "ascending" as const,
      limit: 200,
    },
  });
