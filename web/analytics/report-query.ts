import type { orpc } from "../client/rpc.ts";
import type { Scope } from "../client/address.ts";
import type { ReportPath } from "./reports.ts";
import type { Range } from "./view.ts";

/** The query behind a report; the server prefetches the same one for the first render. */
export function reportQuery({ analytics }: typeof orpc, report: ReportPath, scope: Scope, range: Range, segment: string | null) {
  const input = { ...scope, ...range };
  const ofSegment = { ...input, segment };
  switch (report) {
    case "players":
      return analytics.players.queryOptions({ input: ofSegment });
    case "missions":
      return analytics.missions.queryOptions({ input: ofSegment });
    case "points":
      return analytics.points.queryOptions({ input: ofSegment });
    case "shop":
      return analytics.shop.queryOptions({ input: ofSegment });
    case "streaks":
      return analytics.streaks.queryOptions({ input });
    case "leaderboards":
      return analytics.leaderboards.queryOptions({ input: scope });
    case "events":
      return analytics.events.queryOptions({ input });
    case "webhooks":
      return analytics.webhooks.queryOptions({ input });
  }
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
