import { sql } from "drizzle-orm";
import { date, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytewiseText, instant, playerColumns } from "./columns.ts";

/**
 * `playerId` is derived from environment and external id, so nothing is looked up before a write. The row is the lock for everything the
 * player owns. `completedMissions` lists the completed missions without recurrence: four bytes each, so that a feed after a thousand
 * missions still reads one row.
 */
export const players = pgTable(
  "players",
  {
    ...playerColumns(),
    environmentId: integer("environment_id").notNull(),
    /** Ordered by bytes, so that a prefix can be looked up. */
    externalId: bytewiseText("external_id").notNull(),
    displayName: text("display_name"),
    timeZone: text("time_zone"),
    completedMissions: integer("completed_missions")
      .array()
      .notNull()
      .default(sql`'{}'`),
    createdAt: instant("created_at").notNull(),
    /**
     * The analytics epoch that includes the player's history; 0: none yet, it is counted in the background (`insight/analytics/README.md`).
     */
    analyticsEpoch: integer("analytics_epoch").notNull().default(0),
    /** The last of the player's days in `player_days`: facts of the same day need not look there. */
    lastActiveOn: date("last_active_on"),
    /** Since when the player is hidden from leaderboards, on the environment's clock (`game/leaderboards/README.md`); null: visible. */
    hiddenAt: instant("hidden_at"),
  },
  (table) => [
    primaryKey({ columns: [table.part, table.playerId] }),
    index().on(table.environmentId, table.externalId),
    // The indexes of the player search: case-insensitive name prefixes, and the newest players.
    index("players_by_display_name")
      .on(table.environmentId, sql`(lower(${table.displayName}) collate "C")`)
      .where(sql`display_name is not null`),
    index("players_by_creation").on(table.environmentId, table.createdAt),
    index("players_to_count").on(table.environmentId, table.analyticsEpoch, table.part),
  ],
);
