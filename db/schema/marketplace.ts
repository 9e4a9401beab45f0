import { sql } from "drizzle-orm";
import { integer, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { instant, jsonText, playerColumns } from "./columns.ts";

/** External rewards that the customer's system has to hand over; `id` is derived from source and ordinal. */
export const owedItems = pgTable(
  "owed_items",
  {
    ...playerColumns(),
    id: uuid("id").notNull(),
    environmentId: integer("environment_id").notNull(),
    sourceType: text("source_type").notNull(),
    sourceId: uuid("source_id").notNull(),
    ordinal: smallint("ordinal").notNull(),
    catalogItemKey: text("catalog_item_key").notNull(),
    valueType: text("value_type").notNull(),
    value: jsonText("value").notNull(),
    owedAt: instant("owed_at").notNull(),
    /** Real time, to tell which endpoints subscribed then. */
    createdAt: instant("created_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.id] })],
);
