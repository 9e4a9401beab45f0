import { bigint, integer, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { instant, jsonText, playerColumns } from "./columns.ts";

/** The value that a player has for an attribute, and the instant since when. */
export const attributeValues = pgTable(
  "attribute_values",
  {
    ...playerColumns(),
    attributeId: integer("attribute_id").notNull(),
    value: jsonText("value").notNull(),
    occurredAt: instant("occurred_at").notNull(),
    /** The place, in the order of facts, of the one that set it: who reached a value first is told by it. */
    seq: bigint("seq", { mode: "number" }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.attributeId] })],
);
