import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, numeric, pgTable, primaryKey, smallint, text, unique } from "drizzle-orm/pg-core";
import { bytewiseText, instant, jsonText, playerColumns } from "./columns.ts";

const seq = (name: string) => bigint(name, { mode: "number" });

/**
 * A period of a leaderboard, created by its first score or when it begins; kept after it is settled. `start` identifies it: the local date
 * of its first day; empty for the only period of a board. `dueAt` (on the environment's clock) is when the next step of its settling is
 * due; `cursor` is the position of a paged step.
 */
export const leaderboardPeriods = pgTable(
  "leaderboard_periods",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    environmentId: integer("environment_id").notNull(),
    leaderboardId: integer("leaderboard_id").notNull(),
    start: bytewiseText("start").notNull(),
    number: integer("number").notNull(),
    startsAt: instant("starts_at"),
    endsAt: instant("ends_at"),
    settlesAt: instant("settles_at"),
    step: text("step", { enum: ["Open", "Carrying", "Ended", "Seating", "Closing", "Settled"] })
      .notNull()
      .default("Open"),
    dueAt: instant("due_at"),
    cursor: jsonText("cursor"),
    /** The number of seats given in each tier of a league, the lowest tier first. */
    seats: integer("seats")
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The prizes as they stood when the period was frozen. */
    prizes: jsonText("prizes"),
    participants: integer("participants"),
    /** The period accepts no facts from this position on. */
    frozenSeq: seq("frozen_seq"),
    /** Facts before that position that were in quarantine then: applied later, they do not count for the period either. */
    leftOut: bigint("left_out", { mode: "number" }).array(),
    settledAt: instant("settled_at"),
  },
  (table) => [
    unique().on(table.leaderboardId, table.start),
    index("leaderboard_periods_to_settle")
      .on(table.environmentId, table.dueAt)
      .where(sql`step <> 'Settled'`),
    index().on(table.environmentId),
  ],
);

/**
 * The ranked rows: players, or on a team board teams, whose derived id is in the player's column. `sortScore` is the score, negated if the
 * highest is first: smaller is better. `reachedSeq` is the position of the fact that brought the score to its value.
 */
export const leaderboardScores = pgTable(
  "leaderboard_scores",
  {
    ...playerColumns(),
    periodId: integer("period_id").notNull(),
    sortScore: numeric("sort_score").notNull(),
    reachedSeq: seq("reached_seq").notNull(),
    /** When the value of a Latest measure occurred. */
    latestAt: instant("latest_at"),
    teamKey: text("team_key"),
    /** The number of players who contributed to the team. */
    members: integer("members"),
  },
  (table) => [
    primaryKey({ columns: [table.part, table.playerId, table.periodId] }),
    // An index of range numbers in place of scores would save the index writes of updates within a range. Measured and rejected: reads sort
    // whole ranges (185 µs in place of 40), and on young boards most updates leave their range. Leaving out the player saves nothing.
    index("leaderboard_scores_in_order").on(table.periodId, table.sortScore, table.reachedSeq, table.playerId),
  ],
);

/** The contributions of players to their teams; a team's score is their sum. */
export const leaderboardContributions = pgTable(
  "leaderboard_contributions",
  {
    ...playerColumns(),
    periodId: integer("period_id").notNull(),
    teamKey: text("team_key").notNull(),
    score: numeric("score").notNull(),
    reachedSeq: seq("reached_seq").notNull(),
    latestAt: instant("latest_at"),
  },
  (table) => [
    primaryKey({ columns: [table.part, table.playerId, table.periodId, table.teamKey] }),
    index("leaderboard_contributions_of_a_team").on(table.periodId, table.teamKey, table.part, table.playerId),
  ],
);

/** A player's seat in a period of a league, from the first score on: without a group until seats are assigned. */
export const leaderboardSeats = pgTable(
  "leaderboard_seats",
  {
    ...playerColumns(),
    periodId: integer("period_id").notNull(),
    /** The position of the first score in the order of facts: seats are assigned in this order. */
    firstSeq: seq("first_seq").notNull(),
    tier: smallint("tier"),
    groupNumber: integer("group_number"),
    outcome: text("outcome", { enum: ["Promoted", "Relegated", "Stayed"] }),
  },
  (table) => [
    primaryKey({ columns: [table.part, table.playerId, table.periodId] }),
    index("leaderboard_seats_to_give")
      .on(table.periodId, table.firstSeq)
      .where(sql`group_number is null`),
    index("leaderboard_seats_of_a_group").on(table.periodId, table.tier, table.groupNumber),
  ],
);

/** A player's tier in a league. No row: the lowest tier. */
export const leaderboardTiers = pgTable(
  "leaderboard_tiers",
  { ...playerColumns(), leaderboardId: integer("leaderboard_id").notNull(), tier: smallint("tier").notNull() },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.leaderboardId] })],
);

/**
 * `sortScore` values divided into blocks, and each block by its `bounds` into ranges: a range includes its lower bound and excludes its
 * upper one; the outermost ranges end at the block's bounds. Ranks are computed from the number of scores in each.
 */
export const leaderboardBlocks = pgTable(
  "leaderboard_blocks",
  {
    periodId: integer("period_id").notNull(),
    block: integer("block").notNull(),
    lower: numeric("lower"),
    upper: numeric("upper"),
    bounds: numeric("bounds")
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Whether some range is full and should be split. */
    isFull: boolean("is_full").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.periodId, table.block] }),
    index("leaderboard_blocks_full")
      .on(table.periodId)
      .where(sql`is_full`),
  ],
);

/**
 * The number of scores of each lane in each range of a block, and in the whole block. Lanes have separate rows so that they do not contend.
 */
export const leaderboardCounts = pgTable(
  "leaderboard_counts",
  {
    periodId: integer("period_id").notNull(),
    block: integer("block").notNull(),
    lane: smallint("lane").notNull(),
    total: integer("total").notNull(),
    counts: integer("counts").array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.periodId, table.block, table.lane] })],
);

/**
 * The initial fill of a board over an attribute, with the values that players held when it was created or switched on, at `asOf` on the
 * environment's clock. Players up to `lastExternalId`, in the order of external ids, are done. `audience` is the rule used, as JSON; empty
 * without one.
 */
export const leaderboardFills = pgTable(
  "leaderboard_fills",
  {
    leaderboardId: integer("leaderboard_id").primaryKey(),
    environmentId: integer("environment_id").notNull(),
    asOf: instant("as_of").notNull(),
    audience: text("audience").notNull(),
    lastExternalId: bytewiseText("last_external_id").notNull().default(""),
    isThrough: boolean("is_through").notNull().default(false),
  },
  (table) => [
    index("leaderboard_fills_due")
      .on(table.environmentId)
      .where(sql`not is_through`),
    index().on(table.environmentId),
  ],
);

/**
 * The zone of an environment's project until the instant `at`, on the environment's clock. Facts before position `seq` used it, except
 * those in `waiting`, which were not applied yet; null if these are unknown.
 */
export const leaderboardZones = pgTable(
  "leaderboard_zones",
  {
    environmentId: integer("environment_id").notNull(),
    seq: seq("seq").notNull(),
    zone: text("zone").notNull(),
    at: instant("at").notNull(),
    waiting: bigint("waiting", { mode: "number" }).array(),
  },
  (table) => [primaryKey({ columns: [table.environmentId, table.seq] })],
);

export type PeriodStep = (typeof leaderboardPeriods.$inferSelect)["step"];
