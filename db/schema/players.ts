import { sql } from "drizzle-orm";
import { date, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytewiseText, instant, playerColumns } from "./columns.ts";

/**
 * `playerId` is derived from environment and external id, so nothing is looked up before a write. The row is the lock of
 * everything the player owns. `completedMissions` lists the missions without recurrence that the player has completed:
 * four bytes each, so that a feed after a thousand missions still reads one row.
 */
export const players = pgTable(
  "players",
  {
    ...playerColumns(),
    environmentId: integer("environment_id").notNull(),
    /** In the order of its bytes, so that a prefix can be looked up. */
    externalId: bytewiseText("external_id").notNull(),
    displayName: text("display_name"),
    timeZone: text("time_zone"),
    completedMissions: integer("completed_missions")
      .array()
      .notNull()
      .default(sql`'{}'`),
    createdAt: instant("created_at").notNull(),
    /** The count of the environment that the player's history is in, 0 for none: it is then counted in the background (`insight/analytics/README.md`). */
    analyticsEpoch: integer("analytics_epoch").notNull().default(0),
    /** The last of the player's days in `player_days`: facts of the same day need not look there. */
    lastActiveOn: date("last_active_on"),
    /** Since when the player is on no leaderboard, on the environment's clock (`game/leaderboards/README.md`); null: they are ranked. */
    hiddenAt: instant("hidden_at"),
  },
  (table) => [
    primaryKey({ columns: [table.part, table.playerId] }),
    index().on(table.environmentId, table.externalId),
    // The indexes of the search for players: names by prefix, in any case, and the newest.
    index("players_by_display_name")
      .on(table.environmentId, sql`(lower(${table.displayName}) collate "C")`)
      .where(sql`display_name is not null`),
    index("players_by_creation").on(table.environmentId, table.createdAt),
    index("players_to_count").on(table.environmentId, table.analyticsEpoch, table.part),
  ],
);
