import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { bytewiseText, createdAt, instant, jsonText, playerColumns } from "./columns.ts";

/** External rewards that the customer's system must fulfil; `id` is derived from source and ordinal. */
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
    /** Real time, as the delivery's `created_at`. */
    createdAt: createdAt(),
    /** The endpoint that was subscribed at that time and got a delivery; null if there was none. `audit` checks it. */
    endpointId: uuid("endpoint_id"),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.id] })],
);

/** The local start of a round's period; empty if the listing does not repeat. Counts are per round start, never per round number. */
const round = () => bytewiseText("round").notNull();

/**
 * Purchases, with copies of everything they refer to. A reversal sets the row's date; rows without one count against the player's limit.
 */
export const marketplacePurchases = pgTable(
  "marketplace_purchases",
  {
    ...playerColumns(),
    id: uuid("id").notNull(),
    environmentId: integer("environment_id").notNull(),
    seq: bigint("seq", { mode: "number" }).notNull(),
    listingId: integer("listing_id").notNull(),
    listingKey: text("listing_key").notNull(),
    round: round(),
    occurrenceNumber: integer("occurrence_number").notNull(),
    name: jsonText("name").notNull(),
    contents: jsonText("contents").notNull(),
    price: bigint("price", { mode: "number" }).notNull(),
    /** The limit at that time: the integrity check compares a player's purchases of a round with the last one. */
    limitPerPlayer: integer("limit_per_player"),
    idempotencyKey: text("idempotency_key"),
    purchasedAt: instant("purchased_at").notNull(),
    reversedAt: instant("reversed_at"),
    reversalReason: text("reversal_reason"),
  },
  (table) => [
    primaryKey({ columns: [table.part, table.playerId, table.id] }),
    index("marketplace_purchases_newest_first").on(table.part, table.playerId, table.purchasedAt.desc(), table.seq.desc()),
    index("marketplace_purchases_of_a_round")
      .on(table.part, table.playerId, table.listingId, table.round)
      .where(sql`reversed_at is null`),
    /** A reversal names only the purchase's id, not its player. */
    index("marketplace_purchases_by_id").on(table.environmentId, table.id),
    // The list of all purchases, newest first: all, of one listing, and the reversed ones, which are rare.
    index("marketplace_purchases_by_time").on(table.environmentId, table.purchasedAt, table.seq),
    index("marketplace_purchases_of_a_listing").on(table.environmentId, table.listingKey, table.purchasedAt, table.seq),
    index("marketplace_purchases_reversed")
      .on(table.environmentId, table.purchasedAt, table.seq)
      .where(sql`reversed_at is not null`),
  ],
);

/**
 * Units sold and not reversed in a round of a listing, also without a stock limit: it may get one later. The one row that many buyers
 * contend for. `stock` is the limit at the last sale: a database constraint prevents overselling.
 */
export const marketplaceRounds = pgTable(
  "marketplace_rounds",
  {
    listingId: integer("listing_id").notNull(),
    round: round(),
    environmentId: integer("environment_id").notNull(),
    sold: integer("sold").notNull(),
    stock: integer("stock"),
  },
  (table) => [
    primaryKey({ columns: [table.listingId, table.round] }),
    check("sold_within_stock", sql`${table.sold} between 0 and coalesce(${table.stock}, ${table.sold})`),
  ],
);
