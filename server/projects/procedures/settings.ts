import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../../api/access.ts";
import { projectSettingsDashboard } from "../contract.dashboard.ts";
import { changeProject, readProjectSettings } from "../service/settings.ts";

const dashboard = implement(projectSettingsDashboard).$context<DashboardContext>().use(guard);

export const projectSettingsDashboardProcedures = {
  read: dashboard.read.handler(({ context: { database, environment } }) => readProjectSettings(database, environment.projectId)),
  save: dashboard.save.handler(async ({ input: { project: _, ...settings }, context: { database, environment, actor } }) => ({
    problems: await changeProject(database, environment, settings, actor),
  })),
};
