import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../api/access.ts";
import { hasBadText } from "../kernel/json.ts";
import { formatInstant } from "../kernel/time.ts";
import { playersDashboard } from "./contract.dashboard.ts";
import { findPlayers } from "./service.ts";

const dashboard = implement(playersDashboard).$context<DashboardContext>().use(guard);

export const playersDashboardProcedures = {
  search: dashboard.search.handler(async ({ input: { query, limit }, context: { database, environment } }) => {
    const beginning = query.trim();
    // What no text in the database has in it is nobody's.
    const found = hasBadText(beginning) ? [] : await findPlayers(database, environment, beginning, limit);
    return {
      players: found.map(({ externalId, displayName, createdAt }) => ({ externalId, displayName, createdAt: formatInstant(createdAt) })),
    };
  }),
};
