import type { orpc } from "../_client/rpc.ts";
import type { Scope } from "../_client/scope.ts";
import type { ReportPath } from "./reports.ts";
import type { Range } from "./view.ts";

/** The call behind a report; the server makes the same, so that its figures are there at first sight. */
export function reportQuery({ analytics }: typeof orpc, report: ReportPath, scope: Scope, range: Range) {
  const input = { ...scope, ...range };
  switch (report) {
    case "players":
      return analytics.players.queryOptions({ input });
    case "missions":
      return analytics.missions.queryOptions({ input });
    case "points":
      return analytics.points.queryOptions({ input });
    case "shop":
      return analytics.shop.queryOptions({ input });
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
