import type { Sql } from "#db/client.ts";
import type { Below } from "#server/model/kernel/cursor.ts";
import type { Text } from "#server/model/kernel/texts.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";
import type { Purchase } from "#server/model/marketplace/rows.ts";

/** A purchase as it is shown. Instants are epoch milliseconds. */
export interface KeptPurchase extends Omit<Purchase, "idempotencyKey"> {
  seq: number;
  occurrenceNumber: number;
  /** The value at that time. */
  limitPerPlayer: number | null;
  reversedAt: number | null;
  reversalReason: string | null;
}

/** A cursor in the list of a player's purchases. */
export type PurchaseCursor = Pick<KeptPurchase, "purchasedAt" | "seq">;

/** A player's purchases below a cursor, newest first, reversed ones too. "nulls last" matches the index. */
export const selectPurchasesBelow = (
  sql: Sql,
  { part, playerId }: PlayerKey,
  below: PurchaseCursor | null,
  limit: number,
): Promise<KeptPurchase[]> =>
  sql<KeptPurchase[]>`
    select id, seq, listing_key as "listingKey", name, contents, price, occurrence_number as "occurrenceNumber",
      limit_per_player as "limitPerPlayer", (extract(epoch from purchased_at) * 1000)::bigint as "purchasedAt",
      (extract(epoch from reversed_at) * 1000)::bigint as "reversedAt", reversal_reason as "reversalReason"
    from marketplace_purchases where part = ${part} and player_id = ${playerId}
      ${below === null ? sql`` : sql`and (purchased_at, seq) < (to_timestamp(${below.purchasedAt / 1000}::float8)::timestamptz(3), ${below.seq}::bigint)`}
    order by purchased_at desc nulls last, seq desc nulls last limit ${limit}::int`.execute();

/** When (real time, epoch milliseconds) these items of a player became owed, by their ids. */
export async function selectOwedSince(sql: Sql, { part, playerId }: PlayerKey, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; createdAt: number }[]>`
    select id, (extract(epoch from created_at) * 1000)::bigint as "createdAt" from owed_items
    where part = ${part} and player_id = ${playerId} and id = any(${ids as string[]}::uuid[])`;
  return new Map(rows.map(({ id, createdAt }) => [id, createdAt]));
}

/** An item that a player is owed, or was handed. Instants are epoch milliseconds; `createdAt` is real time. */
export interface OwedItem {
  id: string;
  sourceType: string;
  sourceId: string;
  catalogItemKey: string;
  value: unknown;
  owedAt: number;
  createdAt: number;
}

/** The items granted to a player below a cursor, newest first. */
export const selectOwedBelow = (sql: Sql, { part, playerId }: PlayerKey, { at, id }: Below, limit: number): Promise<OwedItem[]> =>
  sql<OwedItem[]>`
    select id, source_type as "sourceType", source_id as "sourceId", catalog_item_key as "catalogItemKey", value,
      (extract(epoch from owed_at) * 1000)::bigint as "owedAt", (extract(epoch from created_at) * 1000)::bigint as "createdAt"
    from owed_items where part = ${part} and player_id = ${playerId}
      and (owed_at, id) < (to_timestamp(${at / 1000}::float8)::timestamptz(3), ${id}::uuid)
    order by owed_at desc, id desc limit ${limit}::int`.execute();

/** The listings of some purchases of a player, by the purchase's id, with their names at that time. */
export async function selectListingsOf(
  sql: Sql,
  { part, playerId }: PlayerKey,
  ids: readonly string[],
): Promise<Map<string, { listingKey: string; name: Text }>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; listingKey: string; name: Text }[]>`
    select id, listing_key as "listingKey", name from marketplace_purchases
    where part = ${part} and player_id = ${playerId} and id = any(${ids as string[]}::uuid[])`;
  return new Map(rows.map(({ id, ...listing }) => [id, listing]));
}
