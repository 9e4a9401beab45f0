import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, numeric, pgTable, primaryKey, smallint, text, unique } from "drizzle-orm/pg-core";
import { bytewiseText, instant, jsonText, playerColumns } from "./columns.ts";

const seq = (name: string) => bigint(name, { mode: "number" });

/**
 * A period of a leaderboard, from when somebody scores in it or it begins until it is settled and ever after. `start` names
 * it: the local date of its first day; empty where there is only one. `dueAt` (on the environment's clock) is when the
 * next step of its settling is to be taken; `cursor` is where a step that goes by pages stands.
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
    /** From this position in the order of facts on, the period takes no fact. */
    frozenSeq: seq("frozen_seq"),
    /** Facts before that position that were in quarantine then: applied later, they are not of the period either. */
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
 * The ranked rows: players, or on a team board teams, whose derived id takes the player's column. `sortScore` is the score, negated where
 * the highest is first: smaller is better. `reachedSeq` is the position of the fact that brought the score to its value.
 */
export const leaderboardScores = pgTable(
  "leaderboard_scores",
  {
    ...playerColumns(),
    periodId: integer("period_id").notNull(),
    sortScore: numeric("sort_score").notNull(),
    reachedSeq: seq("reached_seq").notNull(),
    /** When the reading of a Latest happened. */
    latestAt: instant("latest_at"),
    teamKey: text("team_key"),
    /** The number of players who contributed to the team. */
    members: integer("members"),
  },
  (table) => [
    primaryKey({ columns: [table.part, table.playerId, table.periodId] }),
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

/** A player's part in a period of a league, from the first score on: without a group until seats are given. */
export const leaderboardSeats = pgTable(
  "leaderboard_seats",
  {
    ...playerColumns(),
    periodId: integer("period_id").notNull(),
    /** The position of the first score in the order of facts: seats are given in this order. */
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

/** The tier of a league that a player stands in; the lowest without a row. */
export const leaderboardTiers = pgTable(
  "leaderboard_tiers",
  { ...playerColumns(), leaderboardId: integer("leaderboard_id").notNull(), tier: smallint("tier").notNull() },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.leaderboardId] })],
);

/**
 * The line of `sortScore` cut into blocks, and each block by its `bounds` into ranges: a range holds its lower bound and not
 * its upper one, which for the outermost is that of the block. How many scores lie in each is what ranks are added up from.
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
    /** Whether some range is so full that it should be cut. */
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
 * The number of scores of each lane in each range of a block, and in all of it. The lanes are apart so that they do not wait for each
 * other.
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
 * A board over an attribute that is switched on, and how far it has the values that players held when it was created or switched
 * on, at `asOf` on the environment's clock: those of the players up to `lastExternalId`, in the order of their external ids.
 * `audience` is the rule by which it is filled, as JSON; empty without one.
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
 * A zone that the project of an environment was in until the instant `at`, on the environment's clock. Facts before the place
 * `seq` went by it, but for those in `waiting`, which were not worked off by then; null where nobody knows which they were.
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
