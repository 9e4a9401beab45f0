import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
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
  },
  (table) => [
    primaryKey({ columns: [table.part, table.playerId] }),
    index().on(table.environmentId, table.externalId),
    // The indexes of the search for players: names by prefix, in any case, and the newest.
    index("players_by_display_name")
      .on(table.environmentId, sql`(lower(${table.displayName}) collate "C")`)
      .where(sql`display_name is not null`),
    index("players_by_creation").on(table.environmentId, table.createdAt),
  ],
);
