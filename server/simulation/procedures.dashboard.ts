import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../api/access.ts";
import { simulationDashboard } from "./contract.dashboard.ts";
import { hasBadText } from "../kernel/json.ts";
import { findAudience } from "./service/audience.ts";
import { tryMembership } from "./service/membership.ts";
import { PREVIEWS } from "./service/previews.ts";
import { standingOf } from "./service/standing.ts";
import { tryDefinition } from "./service/trial.ts";

const dashboard = implement(simulationDashboard).$context<DashboardContext>().use(guard);

export const simulationDashboardProcedures = {
  run: dashboard.run.handler(({ input, context: { database, environment, now } }) =>
    tryDefinition(database, environment, now, input, PREVIEWS),
  ),
  membership: dashboard.membership.handler(({ input, context: { database, environment, now } }) =>
    tryMembership(database, environment, now, input),
  ),
  standing: dashboard.standing.handler(async ({ input: { externalId }, context: { database, environment, now } }) => {
    const standing = hasBadText(externalId) ? null : await standingOf(database, environment, now, externalId);
    return standing ?? { missions: [], segments: [] };
  }),
  audience: dashboard.audience.handler(({ input, context: { database, environment, now } }) =>
    findAudience(database, environment, now, input),
  ),
};
