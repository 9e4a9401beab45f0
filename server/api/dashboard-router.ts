import { analyticsDashboardProcedures } from "../analytics/procedures.dashboard.ts";
import { apiKeysDashboardProcedures } from "../api-keys/procedures.dashboard.ts";
import { auditLogDashboardProcedures } from "../audit-log/procedures.dashboard.ts";
import { definitionsDashboardProcedures } from "../definitions/procedures.dashboard.ts";
import { accountDashboardProcedures } from "../identity/procedures/account.ts";
import { membersDashboardProcedures } from "../identity/procedures/members.ts";
import { leaderboardsDashboardProcedures } from "../leaderboards/procedures.dashboard.ts";
import { importsDashboardProcedures } from "../imports/procedures.dashboard.ts";
import { marketplaceDashboardProcedures } from "../marketplace/procedures.dashboard.ts";
import { noticesDashboardProcedures } from "../notices/procedures.dashboard.ts";
import { playersDashboardProcedures } from "../players/procedures.dashboard.ts";
import { privacyDashboardProcedures } from "../privacy/procedures.dashboard.ts";
import {
  projectsDashboardProcedures,
  projectSettingsDashboardProcedures,
  testProjectsDashboardProcedures,
} from "../projects/procedures.dashboard.ts";
import { eventTailDashboardProcedures, requestLogDashboardProcedures } from "../request-log/procedures.dashboard.ts";
import { retentionDashboardProcedures } from "../retention/procedures.dashboard.ts";
import { sandboxDashboardProcedures } from "../sandbox/procedures.dashboard.ts";
import { segmentsDashboardProcedures } from "../segments/procedures.dashboard.ts";
import { simulationDashboardProcedures } from "../simulation/procedures.dashboard.ts";
import { statusDashboardProcedures } from "../status/procedures.dashboard.ts";
import { tokensDashboardProcedures } from "../tokens/procedures.dashboard.ts";
import { webhooksDashboardProcedures } from "../webhooks/procedures.dashboard.ts";
import { eventsDashboardProcedures, quarantineDashboardProcedures, settledDashboardProcedures } from "../worker/procedures.dashboard.ts";

/** The dashboard's procedures, by domain. Browsers know it by its type alone. */
export const dashboardRouter = {
  projects: projectsDashboardProcedures,
  testProjects: testProjectsDashboardProcedures,
  members: membersDashboardProcedures,
  account: accountDashboardProcedures,
  definitions: definitionsDashboardProcedures,
  projectSettings: projectSettingsDashboardProcedures,
  keys: apiKeysDashboardProcedures,
  tokens: tokensDashboardProcedures,
  auditLog: auditLogDashboardProcedures,
  webhooks: webhooksDashboardProcedures,
  notices: noticesDashboardProcedures,
  work: { ...sandboxDashboardProcedures, ...quarantineDashboardProcedures, ...settledDashboardProcedures },
  events: { ...eventsDashboardProcedures, ...eventTailDashboardProcedures },
  requestLog: requestLogDashboardProcedures,
  retention: retentionDashboardProcedures,
  players: playersDashboardProcedures,
  privacy: privacyDashboardProcedures,
  leaderboards: leaderboardsDashboardProcedures,
  imports: importsDashboardProcedures,
  marketplace: marketplaceDashboardProcedures,
  segments: segmentsDashboardProcedures,
  simulation: simulationDashboardProcedures,
  analytics: analyticsDashboardProcedures,
  status: statusDashboardProcedures,
};
