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
    /** The position of the fact that set it, in the order of facts: it tells which player reached a value first. */
    seq: bigint("seq", { mode: "number" }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.attributeId] })],
);
