import type { Sql } from "../../../db/client.ts";
import { arrayText } from "../../kernel/array-text.ts";
import type { PlayerKey } from "../../kernel/player.ts";
import type { KeptPurchase, PurchaseCursor } from "./history.ts";

/** The purchases to look for; null is everything. Instants are epoch milliseconds on the environment's clock. */
export interface PurchaseFilter {
  listingKey: string | null;
  player: PlayerKey | null;
  isReversed: boolean | null;
  from: number | null;
  until: number | null;
}

/** A purchase of anybody. */
export interface AnyPurchase extends KeptPurchase, PlayerKey {
  /** Null where the player was erased. */
  externalId: string | null;
  displayName: string | null;
  /** Milliseconds since the same player bought the same listing before, and until they bought it again; null: not within `REPEATED_MS`. */
  sinceLast: number | null;
  untilNext: number | null;
}

/** Two purchases of one listing by one player so close together may be one that was charged twice. */
const REPEATED_MS = 10 * 60_000;

/**
 * The purchases of an environment below a cursor, newest first; `limit` at most. Each filter has its index: time, listing, player, or what
 * was reversed. The neighbours of each row are read from the player's own index, and only where neither was reversed.
 */
export const selectAllPurchases = (
  sql: Sql,
  environmentId: number,
  { listingKey, player, isReversed, from, until }: PurchaseFilter,
  below: PurchaseCursor | null,
  limit: number,
): Promise<AnyPurchase[]> => {
  const at = (instant: number) => sql`to_timestamp(${instant / 1000}::float8)::timestamptz(3)`;
  // The player's index has its nulls last, in an order of its own.
  const newestFirst = player === null ? sql`purchased_at desc, seq desc` : sql`purchased_at desc nulls last, seq desc nulls last`;
  return sql<AnyPurchase[]>`
    with page as materialized (
      select * from marketplace_purchases
      where environment_id = ${environmentId}
        ${player === null ? sql`` : sql`and part = ${player.part} and player_id = ${player.playerId}`}
        ${listingKey === null ? sql`` : sql`and listing_key = ${listingKey}`}
        ${isReversed === null ? sql`` : isReversed ? sql`and reversed_at is not null` : sql`and reversed_at is null`}
        ${from === null ? sql`` : sql`and purchased_at >= ${at(from)}`}
        ${until === null ? sql`` : sql`and purchased_at < ${at(until)}`}
        ${below === null ? sql`` : sql`and (purchased_at, seq) < (${at(below.purchasedAt)}, ${below.seq}::bigint)`}
      order by ${newestFirst} limit ${limit}::int
    )
    select b.part, b.player_id as "playerId", p.external_id as "externalId", p.display_name as "displayName",
      b.id, b.seq, b.listing_key as "listingKey", b.name, b.contents, b.price, b.occurrence_number as "occurrenceNumber",
      b.limit_per_player as "limitPerPlayer", (extract(epoch from b.purchased_at) * 1000)::bigint as "purchasedAt",
      (extract(epoch from b.reversed_at) * 1000)::bigint as "reversedAt", b.reversal_reason as "reversalReason",
      (extract(epoch from b.purchased_at - earlier.at) * 1000)::bigint as "sinceLast",
      (extract(epoch from later.at - b.purchased_at) * 1000)::bigint as "untilNext"
    from page b
    left join players p on p.part = b.part and p.player_id = b.player_id
    left join lateral (
      select max(o.purchased_at) as at from marketplace_purchases o
      where o.part = b.part and o.player_id = b.player_id and o.listing_key = b.listing_key and o.reversed_at is null and b.reversed_at is null
        and o.purchased_at >= b.purchased_at - ${REPEATED_MS}::int * interval '1 ms' and (o.purchased_at, o.seq) < (b.purchased_at, b.seq)
    ) earlier on true
    left join lateral (
      select min(o.purchased_at) as at from marketplace_purchases o
      where o.part = b.part and o.player_id = b.player_id and o.listing_key = b.listing_key and o.reversed_at is null and b.reversed_at is null
        and o.purchased_at <= b.purchased_at + ${REPEATED_MS}::int * interval '1 ms' and (o.purchased_at, o.seq) > (b.purchased_at, b.seq)
    ) later on true
    order by b.purchased_at desc, b.seq desc`.execute();
};

/** When (real time, epoch milliseconds) these items of any players came to be owed, by their ids. */
export async function selectOwedOf(sql: Sql, items: readonly (PlayerKey & { id: string })[]): Promise<Map<string, number>> {
  if (items.length === 0) return new Map();
  const rows = await sql<{ id: string; createdAt: number }[]>`
    select o.id, (extract(epoch from o.created_at) * 1000)::bigint as "createdAt"
    from (select unnest(${arrayText(items.map(({ part }) => part))}::text::smallint[]) as part, unnest(${arrayText(items.map(({ playerId }) => playerId))}::text::uuid[]) as player_id,
      unnest(${arrayText(items.map(({ id }) => id))}::text::uuid[]) as id) k
    join owed_items o on o.part = k.part and o.player_id = k.player_id and o.id = k.id`;
  return new Map(rows.map(({ id, createdAt }) => [id, createdAt]));
}
