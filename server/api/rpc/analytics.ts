import { isTimeout } from "#db/errors.ts";
import { readOnly } from "#db/client.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { reportCompletions, reportMission, reportMissions } from "../../insight/analytics/service/reports/missions.ts";
import { type ReportContext, openReport } from "../../insight/analytics/service/reports/context.ts";
import { COMPARED_KINDS, reportEffect } from "../../insight/analytics/service/reports/effect.ts";
import { reportEvents } from "../../insight/analytics/service/reports/events.ts";
import { reportLeaderboards } from "../../insight/analytics/service/reports/leaderboards.ts";
import { reportOverview } from "../../insight/analytics/service/reports/overview.ts";
import { reportPlayers } from "../../insight/analytics/service/reports/players.ts";
import { reportPoints } from "../../insight/analytics/service/reports/points.ts";
import { reportRounds } from "../../insight/analytics/service/reports/rounds.ts";
import { reportShop } from "../../insight/analytics/service/reports/shop.ts";
import { reportStale } from "../../insight/analytics/service/reports/stale.ts";
import { reportStreaks } from "../../insight/analytics/service/reports/streaks.ts";
import { reportWebhooks } from "../../insight/analytics/service/reports/webhooks.ts";
import { environmentNow } from "../../engine/environment.ts";
import { z } from "zod";
import { FIRST_PAGE, tableView } from "../../model/analytics/table.ts";
import { cursor, inEnvironment, MAX_KEY_LENGTH } from "../../model/contract/rpc.ts";
import { type CallContext, forEnvironment } from "../access.ts";
import { isDay } from "../../model/kernel/calendar.ts";
import { division } from "../../model/analytics/frame.ts";

/** "2026-01-31": a day of the project's zone. Weeks are named by their Monday, months by their first day. */
const date = z.string().refine(isDay, "must be a day of the calendar, such as 2026-01-31");

/**
 * A range of days, both inclusive. By week or month it is widened to whole ones, as a player who is active on two days of a week is counted
 * once. At most 400 periods.
 */
const range = inEnvironment.extend({ from: date, to: date, by: division.default("Day") });

/** For the members of a segment, by its key, as of its last count; for all players if null. */
const rangeOfSegment = range.extend({ segment: z.string().min(1).max(200).nullable().default(null) });

/** The page of a report's table. */
const ofTable = { table: tableView.default(FIRST_PAGE) };

/** The key of the definition that a report is of; the first if null or unknown. */
const ofOne = { of: z.string().min(1).max(200).nullable().default(null) };

type Opening = Pick<CallContext, "database" | "environment">;

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

/** Reports on an environment, from sums that are kept as events happen (README.md). */
export const analyticsDashboardProcedures = {
  /** The day so far compared with the same hours a week ago, and items that need attention. */
  overview: forEnvironment("Viewer", "costly")(inEnvironment, async (_, context) => reportOverview(await open(context))),
  /** Missions, listings, events and API keys that are on and not used. */
  stale: forEnvironment("Viewer", "costly")(inEnvironment, async (_, context) => reportStale(await open(context))),
  players: forEnvironment("Viewer", "costly")(rangeOfSegment, (input, context) =>
    openOf(context, input.segment, (opened) => reportPlayers(opened, input)),
  ),
  events: forEnvironment("Viewer", "costly")(range.extend(ofTable), async (input, context) => reportEvents(await open(context), input)),
  /** Missions with figures in either range, and active ones. */
  missions: forEnvironment("Viewer", "costly")(rangeOfSegment.extend(ofTable), (input, context) =>
    openOf(context, input.segment, (opened) => reportMissions(opened, input)),
  ),
  /** Completions of some missions in the last 28 days, for a page of the mission list; missions without any are left out. */
  completions: forEnvironment("Viewer", "costly")(
    inEnvironment.extend({ keys: z.array(z.string().max(MAX_KEY_LENGTH)).max(200) }),
    async ({ keys }, context) => reportCompletions(await open(context), keys),
  ),
  /** One mission, by its key. */
  mission: forEnvironment("Viewer", "costly")(rangeOfSegment.extend({ key: z.string().min(1).max(200) }), (input, context) =>
    openOf(context, input.segment, (opened) => reportMission(opened, input)),
  ),
  /**
   * What a definition has changed: those who may take part against those its share holds out, or else the same players before and since.
   * `event` is the key of the event that matters.
   */
  effect: forEnvironment("Viewer", "preview")(
    inEnvironment.extend({
      kind: z.enum(COMPARED_KINDS),
      key: z.string().min(1).max(200),
      event: z.string().min(1).max(200).nullable().default(null),
    }),
    ({ kind, key, event }, { database, environment }) =>
      readOnly(database, async (tx) =>
        reportEffect(tx, await openReport(tx, environment, await environmentNow(tx, environment)), { kind, key, event }),
      ),
  ),
  points: forEnvironment("Viewer", "costly")(rangeOfSegment.extend(ofTable), (input, context) =>
    openOf(context, input.segment, (opened) => reportPoints(opened, input)),
  ),
  shop: forEnvironment("Viewer", "costly")(rangeOfSegment.extend(ofTable), (input, context) =>
    openOf(context, input.segment, (opened) => reportShop(opened, input)),
  ),
  /** The periods of one listing, by its key: units sold, stock and revenue. `next` is the cursor of the next page. */
  rounds: forEnvironment("Viewer", "costly")(
    inEnvironment.extend({ key: z.string().min(1).max(200), cursor, limit: z.int().min(1).max(100).default(12) }),
    async (input, context) => reportRounds(await open(context), input),
  ),
  streaks: forEnvironment("Viewer", "costly")(range.extend(ofOne), async (input, context) => reportStreaks(await open(context), input)),
  leaderboards: forEnvironment("Viewer", "costly")(inEnvironment.extend({ ...ofOne, ...ofTable }), async (input, context) =>
    reportLeaderboards(await open(context), input),
  ),
  webhooks: forEnvironment("Viewer", "costly")(range.extend(ofTable), async (input, context) => reportWebhooks(await open(context), input)),
};
