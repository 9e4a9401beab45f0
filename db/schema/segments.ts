import { integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytewiseText, playerColumns } from "./columns.ts";

/**
 * What folds keep of a player's history for conditions over it (`segments/rollups.ts`): a reading for each bucket, which is
 * a day, a value or all of it. The bucket "" says that the rollup is kept for the player; it is made when a condition first
 * asks, from the log.
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
