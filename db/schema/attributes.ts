import { bigint, integer, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { instant, jsonText, playerColumns } from "./columns.ts";

/** A player's value of an attribute, and since when they have it. */
export const attributeValues = pgTable(
  "attribute_values",
  {
    ...playerColumns(),
    attributeId: integer("attribute_id").notNull(),
    value: jsonText("value").notNull(),
    occurredAt: instant("occurred_at").notNull(),
    /** The position of the fact that set it, in the order of facts: it decides which player reached a value first. */
    seq: bigint("seq", { mode: "number" }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.attributeId] })],
);
