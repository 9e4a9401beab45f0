import { bigint, integer, numeric, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant, jsonText, playerColumns } from "./columns.ts";

/**
 * The append-only log of metric events, like `events`: `id` is derived from the idempotency key if there is one. `value` is the value sent,
 * `normalizedValue` the amount added: the same, or converted to the base currency at the stored rate.
 */
export const metricEvents = pgTable(
  "metric_events",
  {
    ...playerColumns(),
    id: uuid("id").notNull(),
    environmentId: integer("environment_id").notNull(),
    definitionId: integer("definition_id").notNull(),
    seq: bigint("seq", { mode: "number" }).notNull(),
    occurredAt: instant("occurred_at").notNull(),
    receivedAt: instant("received_at").notNull(),
    value: numeric("value").notNull(),
    currencyCode: text("currency_code"),
    exchangeRate: numeric("exchange_rate"),
    normalizedValue: numeric("normalized_value").notNull(),
    properties: jsonText("properties"),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.id] })],
);

/**
 * The running total of a player's metric: always the sum of the normalized values. `purged` is the part from events purged from the log.
 */
export const metricTotals = pgTable(
  "metric_totals",
  {
    ...playerColumns(),
    definitionId: integer("definition_id").notNull(),
    total: numeric("total").notNull(),
    purged: numeric("purged").notNull().default("0"),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.definitionId] })],
);
