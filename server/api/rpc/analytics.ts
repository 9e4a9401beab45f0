import { isTimeout, readOnly, type Sql } from "#db/client.ts";
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
import type { Environment } from "../../model/kernel/environment.ts";
import { z } from "zod";
import { FIRST_PAGE, MAX_PAGE_ROWS } from "../../model/analytics/table.ts";
import { cursor, inEnvironment, MAX_KEY_LENGTH } from "../../model/contract/rpc.ts";
import { type CallContext, forEnvironment } from "../access.ts";
import { isDay } from "../../model/kernel/calendar.ts";
import { division } from "../../model/analytics/frame.ts";
import { startOf } from "./inputs.ts";

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
const ofTable = {
  table: z
    .object({
      sort: z.string().max(200).nullable().default(null),
      ascending: z.boolean().default(false),
      page: z.int().min(1).max(10_000).default(1),
      limit: z.int().min(1).max(MAX_PAGE_ROWS).default(FIRST_PAGE.limit),
    })
    .default(FIRST_PAGE),
};

/** The key of the definition that a report is of; the first if null or unknown. */
const ofOne = { of: z.string().min(1).max(200).nullable().default(null) };

const open = async (sql: Sql, environment: Environment, segment: string | null = null): Promise<ReportContext> =>
  openReport(sql, environment, await environmentNow(sql, environment), segment);

/** A statement on sums of all players may take this long: while history is counted again, it counts the players that are left. */
const SUMS_MS = 30_000;

/** Reads a report in one snapshot: its rows add up to its totals while events are applied, and a segment's members are from one count. */
async function read<Report>(
  { database, environment }: Pick<CallContext, "database"> & { environment: Environment },
  segment: string | null,
  report: (opened: ReportContext) => Promise<Report>,
): Promise<Report> {
  try {
    return await readOnly(database, async (sql) => report(await open(sql, environment, segment)), segment === null ? SUMS_MS : undefined);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    const reason = segment === null ? "This report takes too long to read." : "This segment has too many players for such a long range.";
    throw new OperatorError(`${reason} Choose a shorter range.`);
  }
}

/** A report on all players, read from sums. */
const reportOf = <Input extends typeof inEnvironment, Report>(
  input: Input,
  report: (opened: ReportContext, input: z.output<Input>) => Promise<Report>,
) => forEnvironment("Viewer", "costly")(input, (given, context) => read(context, null, (opened) => report(opened, given)));

/** The same, or a report on a segment's members, which is read from the tables. */
const reportOfSegment = <Input extends typeof rangeOfSegment, Report>(
  input: Input,
  report: (opened: ReportContext, input: z.output<Input>) => Promise<Report>,
) => forEnvironment("Viewer", "costly")(input, (given, context) => read(context, given.segment, (opened) => report(opened, given)));

/** Reports on an environment, from sums that are kept as events happen (README.md). */
export const analyticsDashboardProcedures = {
  /** The day so far compared with the same hours a week ago, and items that need attention. */
  overview: reportOf(inEnvironment, reportOverview),
  /** Missions, listings, events and API keys that are switched on but unused. */
  stale: reportOf(inEnvironment, reportStale),
  players: reportOfSegment(rangeOfSegment, reportPlayers),
  events: reportOf(range.extend(ofTable), reportEvents),
  /** Missions with figures in either range, and active ones. */
  missions: reportOfSegment(rangeOfSegment.extend(ofTable), reportMissions),
  /** Completions of some missions in the last 28 days, for a page of the mission list; missions without any are left out. */
  completions: reportOf(inEnvironment.extend({ keys: z.array(z.string().max(MAX_KEY_LENGTH)).max(200) }), (opened, { keys }) =>
    reportCompletions(opened, keys),
  ),
  mission: reportOfSegment(rangeOfSegment.extend({ key: z.string().min(1).max(200) }), reportMission),
  /**
   * The effect of a definition: players who may take part compared with those whom its share holds out, or else the same players before and
   * after its start. `event` is the key of the event to compare.
   */
  effect: forEnvironment("Viewer", "preview")(
    inEnvironment.extend({
      kind: z.enum(COMPARED_KINDS),
      key: z.string().min(1).max(200),
      event: z.string().min(1).max(200).nullable().default(null),
    }),
    ({ kind, key, event }, { database, environment }) =>
      readOnly(database, async (tx) => reportEffect(tx, await open(tx, environment), { kind, key, event })),
  ),
  points: reportOfSegment(rangeOfSegment.extend(ofTable), reportPoints),
  shop: reportOfSegment(rangeOfSegment.extend(ofTable), reportShop),
  /** The periods of one listing, by its key: units sold, stock and revenue. `next` is the cursor of the next page. */
  rounds: reportOf(
    inEnvironment.extend({ key: z.string().min(1).max(200), cursor, limit: z.int().min(1).max(100).default(12) }),
    (opened, { cursor, ...input }) => reportRounds(opened, { ...input, cursor: startOf(cursor) }),
  ),
  streaks: reportOf(range.extend(ofOne), reportStreaks),
  leaderboards: reportOf(inEnvironment.extend({ ...ofOne, ...ofTable }), reportLeaderboards),
  webhooks: reportOf(range.extend(ofTable), reportWebhooks),
};
