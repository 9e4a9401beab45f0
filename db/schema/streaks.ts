import { date, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant, playerColumns } from "./columns.ts";

/** A player's counter of a streak in one period, by its local start: late events change it, and with it the runs. */
export const streakPeriods = pgTable(
  "streak_periods",
  {
    ...playerColumns(),
    streakId: integer("streak_id").notNull(),
    start: date("start").notNull(),
    state: text("state").notNull(),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.streakId, table.start] })],
);

/** The runs of a player, live and past, ordered by origin, which is chronological. `paid` has the lengths of paid milestones. */
export const streakRuns = pgTable(
  "streak_runs",
  {
    ...playerColumns(),
    streakId: integer("streak_id").notNull(),
    origin: date("origin").notNull(),
    first: date("first").notNull(),
    last: date("last").notNull(),
    length: integer("length").notNull(),
    freezes: integer("freezes").notNull(),
    paid: integer("paid").array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.streakId, table.origin] })],
);

/**
 * Periods that qualified before they began: due when they begin, on the environment's clock, in the player's zone. A change of that zone
 * makes them due now, to be computed again (a trigger in db/functions/streaks.sql).
 */
export const streakBeginnings = pgTable(
  "streak_beginnings",
  {
    ...playerColumns(),
    streakId: integer("streak_id").notNull(),
    start: date("start").notNull(),
    environmentId: integer("environment_id").notNull(),
    dueAt: instant("due_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.part, table.playerId, table.streakId, table.start] }),
    index().on(table.environmentId, table.dueAt),
  ],
);
