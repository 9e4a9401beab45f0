import { definitionsDashboardProcedures } from "../definitions/procedures.dashboard.ts";
import { marketplaceDashboardProcedures } from "../marketplace/procedures.dashboard.ts";
import { playersDashboardProcedures } from "../players/procedures.dashboard.ts";
import { projectsDashboardProcedures } from "../projects/procedures.dashboard.ts";
import { accountDashboardProcedures } from "../projects/procedures/account.ts";
import { auditLogDashboardProcedures } from "../projects/procedures/audit-log.ts";
import { keysDashboardProcedures } from "../projects/procedures/keys.ts";
import { membersDashboardProcedures } from "../projects/procedures/members.ts";
import { projectSettingsDashboardProcedures } from "../projects/procedures/settings.ts";
import { tokensDashboardProcedures } from "../projects/procedures/tokens.ts";
import { simulationDashboardProcedures } from "../simulation/procedures.dashboard.ts";
import { webhooksDashboardProcedures } from "../webhooks/procedures.dashboard.ts";
import { eventsDashboardProcedures, workDashboardProcedures } from "../work/procedures.dashboard.ts";

/** The dashboard's procedures, by domain. Browsers know it by its type alone. */
export const dashboardRouter = {
  projects: projectsDashboardProcedures,
  members: membersDashboardProcedures,
  account: accountDashboardProcedures,
  definitions: definitionsDashboardProcedures,
  projectSettings: projectSettingsDashboardProcedures,
  keys: keysDashboardProcedures,
  tokens: tokensDashboardProcedures,
  auditLog: auditLogDashboardProcedures,
  webhooks: webhooksDashboardProcedures,
  work: workDashboardProcedures,
  events: eventsDashboardProcedures,
  players: playersDashboardProcedures,
  marketplace: marketplaceDashboardProcedures,
  simulation: simulationDashboardProcedures,
};
