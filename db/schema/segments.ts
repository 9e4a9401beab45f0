import { integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytewiseText, playerColumns } from "./columns.ts";

/**
 * The part of a player's history that conditions read (`segments/rollups.ts`): one counter for each bucket, which is a day, a value or all
 * of it. The bucket "" marks the rollup as kept for the player; it is made from the log when a condition first reads it.
 */
export const rollups = pgTable(
  "rollups",
  {
    ...playerColumns(),
    rollupId: integer("rollup_id").notNull(),
    bucket: bytewiseText("bucket").notNull(),
    reading: text("reading").notNull(),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.rollupId, table.bucket] })],
);
