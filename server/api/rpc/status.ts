import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { statusDashboard } from "../../insight/status/contract.dashboard.ts";
import { readStatus } from "../../insight/status/service/read.ts";

const dashboard = implement(statusDashboard).$context<DashboardContext>().use(guard);

export const statusDashboardProcedures = {
  read: dashboard.read.handler(({ context: { database, person, environment } }) =>
    readStatus(database, person, environment.projectId, Date.now()),
  ),
};
