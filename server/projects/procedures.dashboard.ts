import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../api/access.ts";
import { projectsDashboard } from "./contract.dashboard.ts";
import { selectProjectsOf } from "./store.ts";

const dashboard = implement(projectsDashboard).$context<DashboardContext>().use(guard);

export const projectsDashboardProcedures = {
  me: dashboard.me.handler(async ({ context: { database, person } }) => ({
    email: person.email,
    projects: await selectProjectsOf(database.sql, person.userId),
  })),
};
