import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, primaryKey, smallint, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, playerColumns } from "./columns.ts";

const points = (name: string) => bigint(name, { mode: "number" });

/** The projection of the ledger: always the sum of the player's transactions, never below zero. */
export const balances = pgTable(
  "balances",
  {
    ...playerColumns(),
    balance: points("balance").notNull(),
    totalGranted: points("total_granted").notNull().default(0),
    totalSpent: points("total_spent").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.part, table.playerId] }),
    check("balance_within_range", sql`${table.balance} between 0 and 9007199254740991`),
  ],
);

/**
 * The append-only ledger; `amount` is the signed change of the balance. `id` is derived from player, type, source and ordinal if there is a
 * source, so the same reward cannot be granted twice.
 */
export const pointsTransactions = pgTable(
  "points_transactions",
  {
    ...playerColumns(),
    id: uuid("id").notNull(),
    environmentId: integer("environment_id").notNull(),
    seq: bigint("seq", { mode: "number" }).notNull(),
    type: text("type", { enum: ["Grant", "Spend", "Adjustment", "Refund"] }).notNull(),
    amount: points("amount").notNull(),
    reason: text("reason"),
    sourceType: text("source_type"),
    sourceId: uuid("source_id"),
    /** The mission, streak, board or listing; null for adjustments, and for rows older than this column. */
    sourceDefinitionId: integer("source_definition_id"),
    ordinal: smallint("ordinal").notNull().default(0),
    idempotencyKey: text("idempotency_key"),
    occurredAt: instant("occurred_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.part, table.playerId, table.id] }),
    index("points_transactions_newest_first").on(table.part, table.playerId, table.occurredAt.desc(), table.seq.desc()),
    uniqueIndex("points_idempotency_keys")
      .on(table.part, table.playerId, table.idempotencyKey)
      .where(sql`idempotency_key is not null`),
  ],
);
