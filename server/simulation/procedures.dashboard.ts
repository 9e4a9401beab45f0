import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../api/access.ts";
import { simulationDashboard } from "./contract.dashboard.ts";
import { findAudience } from "./service/audience.ts";
import { PERFORMS } from "./service/performs.ts";
import { tryDefinition } from "./service/trial.ts";

const dashboard = implement(simulationDashboard).$context<DashboardContext>().use(guard);

export const simulationDashboardProcedures = {
  run: dashboard.run.handler(({ input, context: { database, environment, now } }) =>
    tryDefinition(database, environment, now, input, PERFORMS),
  ),
  audience: dashboard.audience.handler(({ input, context: { database, environment, now } }) =>
    findAudience(database, environment, now, input),
  ),
};
