import { alertsDashboardProcedures, budgetsDashboardProcedures } from "./alerts.ts";
import { analyticsDashboardProcedures } from "./analytics.ts";
import { apiKeysDashboardProcedures } from "./api-keys.ts";
import { auditLogDashboardProcedures } from "./audit-log.ts";
import { changeRequestsDashboardProcedures } from "./change-requests.ts";
import { channelsDashboardProcedures } from "./channels.ts";
import { backtestsDashboardProcedures } from "./backtests.ts";
import { definitionsDashboardProcedures } from "./definitions.ts";
import { accountDashboardProcedures, securityDashboardProcedures } from "./account.ts";
import { membersDashboardProcedures } from "./members.ts";
import { leaderboardsDashboardProcedures } from "./leaderboards.ts";
import { importsDashboardProcedures } from "./imports.ts";
import { marketplaceDashboardProcedures } from "./marketplace.ts";
import { noticesDashboardProcedures } from "./notices.ts";
import { playersDashboardProcedures } from "./players.ts";
import { privacyDashboardProcedures } from "./privacy.ts";
import { projectsDashboardProcedures, projectSettingsDashboardProcedures, testProjectsDashboardProcedures } from "./projects.ts";
import { eventTailDashboardProcedures, requestLogDashboardProcedures } from "./request-log.ts";
import { retentionDashboardProcedures } from "./retention.ts";
import { sandboxDashboardProcedures } from "./sandbox.ts";
import { segmentsDashboardProcedures } from "./segments.ts";
import { simulationDashboardProcedures } from "./simulation.ts";
import { statusDashboardProcedures } from "./status.ts";
import { tokensDashboardProcedures } from "./tokens.ts";
import { webhooksDashboardProcedures } from "./webhooks.ts";
import { eventsDashboardProcedures, quarantineDashboardProcedures, settledDashboardProcedures } from "./worker.ts";

/** The dashboard's procedures, by domain. Browser code imports only its type. */
export const dashboardRouter = {
  projects: projectsDashboardProcedures,
  testProjects: testProjectsDashboardProcedures,
  members: membersDashboardProcedures,
  account: accountDashboardProcedures,
  security: securityDashboardProcedures,
  definitions: definitionsDashboardProcedures,
  changeRequests: changeRequestsDashboardProcedures,
  projectSettings: projectSettingsDashboardProcedures,
  keys: apiKeysDashboardProcedures,
  tokens: tokensDashboardProcedures,
  auditLog: auditLogDashboardProcedures,
  webhooks: webhooksDashboardProcedures,
  notices: noticesDashboardProcedures,
  alerts: alertsDashboardProcedures,
  budgets: budgetsDashboardProcedures,
  channels: channelsDashboardProcedures,
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
  backtests: backtestsDashboardProcedures,
  analytics: analyticsDashboardProcedures,
  status: statusDashboardProcedures,
};
