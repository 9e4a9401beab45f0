import type { Sql } from "#db/client.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import type { PlayerKey } from "#server/model/kernel/player.ts";
import type { KeptPurchase, PurchaseCursor } from "./history.ts";

/** A filter of purchases; null matches everything. Instants are epoch milliseconds on the environment's clock. */
export interface PurchaseFilter {
  listingKey: string | null;
  player: PlayerKey | null;
  isReversed: boolean | null;
  from: number | null;
  until: number | null;
}

export interface AnyPurchase extends KeptPurchase, PlayerKey {
  /** Null if the player was erased. */
  externalId: string | null;
  displayName: string | null;
  /** Milliseconds since the same player bought the same listing before, and until they bought it again; null: not within `REPEATED_MS`. */
  sinceLast: number | null;
  untilNext: number | null;
}

/** Two purchases of a listing by the same player within this time may be a duplicate charge. */
const REPEATED_MS = 10 * 60_000;

/**
 * The purchases of an environment below a cursor, newest first; `limit` at most. Each filter has its index: time, listing, player, or
 * reversal.
 */
export async function selectAllPurchases(
  sql: Sql,
  environmentId: number,
  { listingKey, player, isReversed, from, until }: PurchaseFilter,
  below: PurchaseCursor | null,
  limit: number,
): Promise<AnyPurchase[]> {
  // The player's index sorts nulls last.
  const newestFirst = player === null ? sql`b.purchased_at desc, b.seq desc` : sql`b.purchased_at desc nulls last, b.seq desc nulls last`;
  const rows = await sql<Omit<AnyPurchase, keyof Neighbours>[]>`
    select b.part, b.player_id, p.external_id, p.display_name, b.id, b.seq, b.listing_key, b.name, b.contents, b.price, b.occurrence_number,
      b.limit_per_player, b.purchased_at, b.reversed_at, b.reversal_reason
    from marketplace_purchases b
    left join players p on p.part = b.part and p.player_id = b.player_id
    where b.environment_id = ${environmentId}
      ${player === null ? sql`` : sql`and b.part = ${player.part} and b.player_id = ${player.playerId}`}
      ${listingKey === null ? sql`` : sql`and b.listing_key = ${listingKey}`}
      ${isReversed === null ? sql`` : isReversed ? sql`and b.reversed_at is not null` : sql`and b.reversed_at is null`}
      ${from === null ? sql`` : sql`and b.purchased_at >= ${from}`}
      ${until === null ? sql`` : sql`and b.purchased_at < ${until}`}
      ${below === null ? sql`` : sql`and (b.purchased_at, b.seq) < (${below.purchasedAt}, ${below.seq}::bigint)`}
    order by ${newestFirst} limit ${limit}::int`;
  const neighbours = await selectNeighbours(sql, rows);
  return rows.map((row) => ({ ...row, ...(neighbours.get(row.seq) ?? ALONE) }));
}

type Neighbours = Pick<AnyPurchase, "sinceLast" | "untilNext">;
const ALONE: Neighbours = { sinceLast: null, untilNext: null };

/** The neighbours of purchases by `seq`, read from the players' indexes. Reversed purchases are ignored on both sides. */
async function selectNeighbours(
  sql: Sql,
  purchases: readonly (PlayerKey & Pick<AnyPurchase, "seq" | "listingKey" | "purchasedAt" | "reversedAt">)[],
): Promise<Map<number, Neighbours>> {
  const kept = purchases.filter(({ reversedAt }) => reversedAt === null);
  if (kept.length === 0) return new Map();
  const keys = kept.map(({ part, playerId, seq, listingKey, purchasedAt }) => ({ part, playerId, seq, listingKey, purchasedAt }));
  const rows = await sql<(Neighbours & { seq: number })[]>`
    select k.seq,
      k."purchasedAt" - max((extract(epoch from o.purchased_at) * 1000)::bigint) filter (where o.purchased_at < k.at or (o.purchased_at = k.at and o.seq < k.seq)) as since_last,
      min((extract(epoch from o.purchased_at) * 1000)::bigint) filter (where o.purchased_at > k.at or (o.purchased_at = k.at and o.seq > k.seq)) - k."purchasedAt" as until_next
    from (
      select g.*, to_timestamp(g."purchasedAt" / 1000.0)::timestamptz(3) as at
      from json_to_recordset(${writeJson(keys)}::text::json) as g("part" smallint, "playerId" uuid, "seq" bigint, "listingKey" text, "purchasedAt" bigint)
    ) k
    join marketplace_purchases o on o.part = k.part and o.player_id = k."playerId" and o.listing_key = k."listingKey" and o.reversed_at is null
      and o.purchased_at between k.at - ${REPEATED_MS}::int * interval '1 ms' and k.at + ${REPEATED_MS}::int * interval '1 ms'
    group by k.seq, k."purchasedAt"`;
  return new Map(rows.map(({ seq, ...found }) => [seq, found]));
}
