import { bigint, integer, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { instant, jsonText, playerColumns } from "./columns.ts";

/**
 * The append-only log. `id` is derived from the idempotency key where there is one, so the primary key detects replays; it is also the only
 * index (a second one costs 1.7 times the ingest rate).
 */
export const events = pgTable(
  "events",
  {
    ...playerColumns(),
    id: uuid("id").notNull(),
    environmentId: integer("environment_id").notNull(),
    definitionId: integer("definition_id").notNull(),
    seq: bigint("seq", { mode: "number" }).notNull(),
    occurredAt: instant("occurred_at").notNull(),
    receivedAt: instant("received_at").notNull(),
    properties: jsonText("properties"),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.id] })],
);
