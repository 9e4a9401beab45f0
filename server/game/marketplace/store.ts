import postgres from "postgres";
import type { Sql } from "#db/client.ts";
import { currentTraceScope } from "#db/trace-scope.ts";
import type { Listing } from "../../model/marketplace/definition.ts";
import type { ErrorCode } from "../../model/kernel/errors.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { PlayerKey } from "../../model/players/identity.ts";
import type { RewardItem } from "../../model/rules/reward.ts";
import type { Round } from "../../model/marketplace/rounds.ts";
import type { Purchase } from "../../model/marketplace/rows.ts";
import type { Sale } from "../../model/marketplace/sale.ts";

/** The parameters of a purchase. */
export interface Attempt extends PlayerKey {
  environmentId: number;
  /** The definitions and clock that it was validated against. */
  definitionsVersion: number;
  clockOffsetMs: number;
  idempotencyKey: string | null;
  /** Null if it cannot be a key. */
  listingKey: string | null;
  /** The refusal so far; null: only the checks in the database remain. Replays are recognised before either. */
  refusal: Refusal | "unjudged" | null;
  /** Null if there is nothing to sell; `refusal` then has the reason. */
  sale: Sale | null;
}

export type Refusal = Extract<
  ErrorCode,
  "player.not_found" | "points.insufficient_balance" | "marketplace_purchase.idempotency_key_conflict" | `marketplace_item.${string}`
>;

/**
 * The outcome of an attempt; with `bought` and `replayed` all fields are set, otherwise nothing was written. `stale`: the environment's
 * definitions or clock changed since the attempt was judged. `unjudged`: it is no replay.
 */
export interface Answer {
  outcome: "bought" | "replayed" | "stale" | "unjudged" | Refusal;
  purchaseId: string;
  contents: readonly RewardItem[];
  occurrenceNumber: number;
  price: number;
  balance: number;
  /** Whether there are webhooks to send now. */
  isTold: boolean;
}

/**
 * Buys one unit in one round trip (`marketplace_buy` in db/functions.sql). In a transaction, the player's balance stays locked whatever
 * the outcome. Fails as `isLastUnitLost` says where another purchase took the last unit at that moment.
 */
export async function buy(sql: Sql, attempt: Attempt): Promise<Answer> {
  const { part, playerId, environmentId, definitionsVersion, clockOffsetMs, idempotencyKey, listingKey, refusal, sale } = attempt;
  const { listing, round } = sale ?? {};
  const traceparent = currentTraceScope()?.traceparentOf(null) ?? null;
  const items = traceparent === null ? sale?.items : sale?.items.map((item) => ({ ...item, traceparent }));
  const [answer] = await sql<Answer[]>`
    select outcome, purchase_id as "purchaseId", contents, occurrence_number as "occurrenceNumber", price, new_balance as balance,
      coalesce(is_told, false) as "isTold"
    from marketplace_buy(${part}::smallint, ${playerId}::uuid, ${environmentId}::int, ${definitionsVersion}::bigint, ${clockOffsetMs}::bigint,
      ${idempotencyKey}::text, ${listingKey}::text, ${refusal}::text,
      ${sale?.id ?? null}::uuid, ${sale?.spendId ?? null}::uuid, ${listing?.id ?? null}::int, ${round?.start ?? null}::text,
      ${round?.number ?? null}::int, ${listing?.priceInPoints ?? null}::bigint, ${listing?.stock ?? null}::int,
      ${listing?.limitPerPlayer ?? null}::int, ${writeJson(listing?.name ?? null)}::text::json,
      ${writeJson(listing?.contents ?? null)}::text::json, ${writeJson(items ?? null)}::text::json,
      to_timestamp(${(sale?.soldAt ?? 0) / 1000}::float8))`;
  return answer!;
}

/** Whether a purchase failed because another took the last unit between its check and its write. */
export const isLastUnitLost = (error: unknown): boolean => error instanceof postgres.PostgresError && error.code === "SHOP1";

/** For each listing in its round: the units sold in all, and to this player. */
export async function loadSold(
  sql: Sql,
  { part, playerId }: PlayerKey,
  listings: readonly { listing: Listing; round: Round }[],
): Promise<Map<number, { sold: number; bought: number }>> {
  const asked = listings.map(({ listing, round }) => ({ id: listing.id, round: round.start }));
  if (asked.length === 0) return new Map();
  const rows = await sql.unsafe<{ id: number; sold: number; bought: number }[]>(
    `with own as materialized (
       select p.listing_id, p.round, count(*) from marketplace_purchases p
       where p.part = $2 and p.player_id = $3 and p.reversed_at is null
         and (p.listing_id, p.round) in (select a.id, a.round from json_to_recordset($1::text::json) as a("id" int, "round" text))
       group by 1, 2
     )
     select a.id, coalesce((select r.sold from marketplace_rounds r where r.listing_id = a.id and r.round = a.round), 0) as sold,
       coalesce((select o.count from own o where o.listing_id = a.id and o.round = a.round), 0) as bought
     from json_to_recordset($1::text::json) as a("id" int, "round" text)`,
    [writeJson(asked), part, playerId],
    { prepare: false },
  );
  return new Map(rows.map(({ id, sold, bought }) => [id, { sold, bought }]));
}

/** A player's purchases, newest first; all of them where `take` is null. "nulls last" is how the index is sorted. */
export function selectPurchases(sql: Sql, { part, playerId }: PlayerKey, take: number | null): Promise<Purchase[]> {
  return sql<Purchase[]>`
    select id, listing_key as "listingKey", name, contents, price, idempotency_key as "idempotencyKey",
      (extract(epoch from purchased_at) * 1000)::bigint as "purchasedAt"
    from marketplace_purchases where part = ${part} and player_id = ${playerId}
    order by purchased_at desc nulls last, seq desc nulls last limit ${take}::bigint`.execute();
}
