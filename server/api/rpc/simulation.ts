import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { simulationDashboard } from "../../authoring/simulation/contract.dashboard.ts";
import { hasBadText } from "../../model/kernel/json.ts";
import { findAudience } from "../../authoring/simulation/service/audience.ts";
import { tryMembership } from "../../authoring/simulation/service/membership.ts";
import { PREVIEWS } from "../../authoring/simulation/service/previews.ts";
import { standingOf } from "../../authoring/simulation/service/standing.ts";
import { tryDefinition } from "../../authoring/simulation/service/trial.ts";

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
