import type { Sql } from "#db/client.ts";
import { arrayText, type Below } from "#server/model/kernel/stored.ts";
import type { Text } from "#server/model/kernel/texts.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";
import type { Purchase } from "#server/model/marketplace/rows.ts";

/** A purchase for display. Instants are epoch milliseconds. */
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
    select id, seq, listing_key, name, contents, price, occurrence_number, limit_per_player, purchased_at, reversed_at, reversal_reason
    from marketplace_purchases where part = ${part} and player_id = ${playerId}
      ${below === null ? sql`` : sql`and (purchased_at, seq) < (${below.purchasedAt}, ${below.seq}::bigint)`}
    order by purchased_at desc nulls last, seq desc nulls last limit ${limit}::int`.execute();

/** The instants (real time, epoch milliseconds) at which these items became owed, by id. */
export async function selectOwedSince(sql: Sql, items: readonly (PlayerKey & { id: string })[]): Promise<Map<string, number>> {
  const [first] = items;
  if (first === undefined) return new Map();
  // On several machines, one player's items are asked of one.
  const isOnePlayer = items.every(({ playerId }) => playerId === first.playerId);
  const rows = await sql<{ id: string; createdAt: number }[]>`
    select o.id, o.created_at
    from (select unnest(${arrayText(items.map(({ part }) => part))}::text::smallint[]) as part, unnest(${arrayText(items.map(({ playerId }) => playerId))}::text::uuid[]) as player_id,
      unnest(${arrayText(items.map(({ id }) => id))}::text::uuid[]) as id) k
    join owed_items o on o.part = k.part and o.player_id = k.player_id and o.id = k.id
    ${isOnePlayer ? sql`where o.part = ${first.part} and o.player_id = ${first.playerId}` : sql``}`;
  return new Map(rows.map(({ id, createdAt }) => [id, createdAt]));
}

/** An owed or fulfilled item of a player. Instants are epoch milliseconds; `createdAt` is real time. */
export interface PurchasedItem {
  id: string;
  sourceType: string;
  sourceId: string;
  catalogItemKey: string;
  value: unknown;
  owedAt: number;
  createdAt: number;
}

/** The items granted to a player below a cursor, newest first. */
export const selectOwedBelow = (sql: Sql, { part, playerId }: PlayerKey, { at, id }: Below, limit: number): Promise<PurchasedItem[]> =>
  sql<PurchasedItem[]>`
    select id, source_type, source_id, catalog_item_key, value, owed_at, created_at
    from owed_items where part = ${part} and player_id = ${playerId}
      and (owed_at, id) < (${at}, ${id}::uuid)
    order by owed_at desc, id desc limit ${limit}::int`.execute();

/** The listings of some purchases of a player by purchase id, with the names at that time. */
export async function selectListingsOf(
  sql: Sql,
  { part, playerId }: PlayerKey,
  ids: readonly string[],
): Promise<Map<string, { listingKey: string; name: Text }>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; listingKey: string; name: Text }[]>`
    select id, listing_key, name from marketplace_purchases
    where part = ${part} and player_id = ${playerId} and id = any(${ids as string[]}::uuid[])`;
  return new Map(rows.map(({ id, ...listing }) => [id, listing]));
}
