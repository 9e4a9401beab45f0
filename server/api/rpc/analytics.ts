import { implement } from "@orpc/server";
import { isTimeout } from "#db/errors.ts";
import { readOnly } from "#db/read-only.ts";
import { type DashboardContext, guard } from "../access.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { analyticsDashboard } from "../../insight/analytics/contract.dashboard.ts";
import { reportCompletions } from "../../insight/analytics/service/reports/completions.ts";
import { openReport, type ReportContext } from "../../insight/analytics/service/reports/context.ts";
import { reportEvents } from "../../insight/analytics/service/reports/events.ts";
import { reportLeaderboards } from "../../insight/analytics/service/reports/leaderboards.ts";
import { reportMission, reportMissions } from "../../insight/analytics/service/reports/missions.ts";
import { reportOverview } from "../../insight/analytics/service/reports/overview.ts";
import { reportPlayers } from "../../insight/analytics/service/reports/players.ts";
import { reportPoints } from "../../insight/analytics/service/reports/points.ts";
import { reportRounds } from "../../insight/analytics/service/reports/rounds.ts";
import { reportShop } from "../../insight/analytics/service/reports/shop.ts";
import { reportStreaks } from "../../insight/analytics/service/reports/streaks.ts";
import { reportWebhooks } from "../../insight/analytics/service/reports/webhooks.ts";
import { environmentNow } from "../../engine/environment.ts";

const dashboard = implement(analyticsDashboard).$context<DashboardContext>().use(guard);

type Opening = Pick<Parameters<Parameters<typeof dashboard.overview.handler>[0]>[0]["context"], "database" | "environment">;

const open = async ({ database, environment }: Opening): Promise<ReportContext> =>
  openReport(database.sql, environment, await environmentNow(database.sql, environment));

/**
 * A report on a segment's members is read from the tables in one snapshot, so that its members are from one count; a report on all players
 * is read from sums.
 */
async function openOf<T>(context: Opening, key: string | null, report: (opened: ReportContext) => Promise<T>): Promise<T> {
  if (key === null) return report(await open(context));
  const { database, environment } = context;
  try {
    return await readOnly(database, async (sql) => report(await openReport(sql, environment, await environmentNow(sql, environment), key)));
  } catch (error) {
    if (isTimeout(error)) throw new OperatorError("This segment has too many players for so long a range. Choose a shorter range.");
    throw error;
  }
}

export const analyticsDashboardProcedures = {
  overview: dashboard.overview.handler(async ({ context }) => reportOverview(await open(context))),
  players: dashboard.players.handler(({ input, context }) => openOf(context, input.segment, (opened) => reportPlayers(opened, input))),
  events: dashboard.events.handler(async ({ input, context }) => reportEvents(await open(context), input)),
  missions: dashboard.missions.handler(({ input, context }) => openOf(context, input.segment, (opened) => reportMissions(opened, input))),
  completions: dashboard.completions.handler(async ({ context }) => reportCompletions(await open(context))),
  mission: dashboard.mission.handler(({ input, context }) => openOf(context, input.segment, (opened) => reportMission(opened, input))),
  points: dashboard.points.handler(({ input, context }) => openOf(context, input.segment, (opened) => reportPoints(opened, input))),
  shop: dashboard.shop.handler(({ input, context }) => openOf(context, input.segment, (opened) => reportShop(opened, input))),
  rounds: dashboard.rounds.handler(async ({ input, context }) => reportRounds(await open(context), input)),
  streaks: dashboard.streaks.handler(async ({ input, context }) => reportStreaks(await open(context), input)),
  leaderboards: dashboard.leaderboards.handler(async ({ context }) => reportLeaderboards(await open(context))),
  webhooks: dashboard.webhooks.handler(async ({ input, context }) => reportWebhooks(await open(context), input)),
};
