import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant, playerColumns } from "./columns.ts";

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
    externalId: text("external_id").notNull(),
    displayName: text("display_name"),
    timeZone: text("time_zone"),
    completedMissions: integer("completed_missions")
      .array()
      .notNull()
      .default(sql`'{}'`),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId] }), index().on(table.environmentId, table.externalId)],
);
