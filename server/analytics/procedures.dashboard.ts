import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../api/access.ts";
import { environmentNow } from "../projects/find-environment.ts";
import { analyticsDashboard } from "./contract.dashboard.ts";
import { openReport, type ReportContext } from "./service/reports/context.ts";
import { reportEvents } from "./service/reports/events.ts";
import { reportLeaderboards } from "./service/reports/leaderboards.ts";
import { reportMission, reportMissions } from "./service/reports/missions.ts";
import { reportOverview } from "./service/reports/overview.ts";
import { reportPlayers } from "./service/reports/players.ts";
import { reportPoints } from "./service/reports/points.ts";
import { reportRounds } from "./service/reports/rounds.ts";
import { reportShop } from "./service/reports/shop.ts";
import { reportStreaks } from "./service/reports/streaks.ts";
import { reportWebhooks } from "./service/reports/webhooks.ts";

const dashboard = implement(analyticsDashboard).$context<DashboardContext>().use(guard);

type Opening = Pick<Parameters<Parameters<typeof dashboard.overview.handler>[0]>[0]["context"], "database" | "environment">;

const open = async ({ database, environment }: Opening): Promise<ReportContext> =>
  openReport(database, environment, await environmentNow(database.sql, environment));

export const analyticsDashboardProcedures = {
  overview: dashboard.overview.handler(async ({ context }) => reportOverview(await open(context))),
  players: dashboard.players.handler(async ({ input, context }) => reportPlayers(await open(context), input)),
  events: dashboard.events.handler(async ({ input, context }) => reportEvents(await open(context), input)),
  missions: dashboard.missions.handler(async ({ input, context }) => reportMissions(await open(context), input)),
  mission: dashboard.mission.handler(async ({ input, context }) => reportMission(await open(context), input)),
  points: dashboard.points.handler(async ({ input, context }) => reportPoints(await open(context), input)),
  shop: dashboard.shop.handler(async ({ input, context }) => reportShop(await open(context), input)),
  rounds: dashboard.rounds.handler(async ({ input, context }) => reportRounds(await open(context), input)),
  streaks: dashboard.streaks.handler(async ({ input, context }) => reportStreaks(await open(context), input)),
  leaderboards: dashboard.leaderboards.handler(async ({ context }) => reportLeaderboards(await open(context))),
  webhooks: dashboard.webhooks.handler(async ({ input, context }) => reportWebhooks(await open(context), input)),
};
