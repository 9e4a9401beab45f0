import postgres from "postgres";
import { onlyRow, type Sql, isUnavailable } from "#db/client.ts";
import { askTogether } from "#db/together.ts";
import { currentTraceScope } from "#db/trace-scope.ts";
import type { ErrorCode } from "#server/model/kernel/errors.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import type { Listing } from "#server/model/marketplace/definition.ts";
import type { Round } from "#server/model/marketplace/eligibility.ts";
import type { Purchase } from "#server/model/marketplace/rows.ts";
import type { Sale } from "#server/model/marketplace/sale.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";
import type { RewardItem } from "#server/model/rules/reward.ts";

/** The parameters of a purchase. */
export interface SaleAttempt extends PlayerKey {
  environmentId: number;
  /** The definitions and clock that it was validated against. */
  definitionsVersion: number;
  clockOffsetMs: number;
  idempotencyKey: string | null;
  /** Null if it cannot be a key. */
  listingKey: string | null;
  /** The reason to refuse; null: only the database's checks remain. A replay is recognised first in both cases. */
  refusal: SaleRefusal | "unjudged" | null;
  /** Null if there is nothing to sell; `refusal` then has the reason. */
  sale: Sale | null;
}

export type SaleRefusal = Extract<
  ErrorCode,
  "player.not_found" | "points.insufficient_balance" | "marketplace_purchase.idempotency_key_conflict" | `marketplace_item.${string}`
>;

/**
 * The outcome of an attempt; with `bought` and `replayed` all fields are set, otherwise nothing was written. `stale`: the environment's
 * definitions or clock changed since the attempt was judged. `unjudged`: not a replay, so it has to be judged.
 */
export interface SaleAnswer {
  outcome: "bought" | "replayed" | "stale" | "unjudged" | SaleRefusal;
  purchaseId: string;
  contents: readonly RewardItem[];
  occurrenceNumber: number;
  price: number;
  balance: number;
  /** Whether there are webhooks to send now. */
  isTold: boolean;
}

/**
 * Buys one unit in one round trip (`marketplace_buy` in db/functions/marketplace.sql). In a transaction, the player's balance stays locked,
 * whatever the outcome. Fails with the error of `isLastUnitLost` if another purchase takes the last unit at the same time.
 */
export const buy = (sql: Sql, attempt: SaleAttempt): Promise<SaleAnswer> => buyAlone(sql, traced(attempt));

/** Adds the current span to the owed items, so that it reaches their deliveries. */
function traced(attempt: SaleAttempt): SaleAttempt {
  const traceparent = currentTraceScope()?.traceparentOf(null) ?? null;
  const { sale } = attempt;
  if (traceparent === null || sale === null) return attempt;
  return { ...attempt, sale: { ...sale, items: sale.items.map((item) => ({ ...item, traceparent })) } };
}

const answerColumns = (sql: Sql) => sql`
  outcome, purchase_id, contents, occurrence_number, price, new_balance as balance, coalesce(is_told, false) as is_told`;

async function buyAlone(sql: Sql, attempt: SaleAttempt): Promise<SaleAnswer> {
  const { part, playerId, environmentId, definitionsVersion, clockOffsetMs, idempotencyKey, listingKey, refusal, sale } = attempt;
  const { listing, round } = sale ?? {};
  return onlyRow(sql<SaleAnswer[]>`
    select ${answerColumns(sql)}
    from marketplace_buy(${part}::smallint, ${playerId}::uuid, ${environmentId}::int, ${definitionsVersion}::bigint, ${clockOffsetMs}::bigint,
      ${idempotencyKey}::text, ${listingKey}::text, ${refusal}::text,
      ${sale?.id ?? null}::uuid, ${sale?.spendId ?? null}::uuid, ${listing?.id ?? null}::int, ${round?.start ?? null}::text,
      ${round?.number ?? null}::int, ${listing?.priceInPoints ?? null}::bigint, ${listing?.stock ?? null}::int,
      ${listing?.limitPerPlayer ?? null}::int, ${writeJson(listing?.name ?? null)}::text::json,
      ${writeJson(listing?.contents ?? null)}::text::json, ${writeJson(sale?.items ?? null)}::text::json,
      ${sale?.soldAt ?? 0}::timestamptz)`);
}

/** An attempt that only the checks in the database can refuse. */
type Offer = SaleAttempt & { sale: Sale };

/**
 * Several attempts at one listing in one round, in their order (`marketplace_buy_together` in db/functions/marketplace.sql): all are
 * written or none.
 */
function buyAll(sql: Sql, offers: readonly [Offer, ...Offer[]]): Promise<SaleAnswer[]> {
  const [{ environmentId, definitionsVersion, clockOffsetMs, listingKey, sale }] = offers;
  const { listing, round } = sale;
  const attempts = offers.map(({ part, playerId, idempotencyKey, sale: { id, spendId, items, soldAt } }) => ({
    part,
    player_id: playerId,
    key: idempotencyKey,
    id,
    spend_id: spendId,
    items,
    at_ms: soldAt,
  }));
  return sql<SaleAnswer[]>`
    select ${answerColumns(sql)}
    from marketplace_buy_together(${environmentId}::int, ${definitionsVersion}::bigint, ${clockOffsetMs}::bigint, ${listingKey}::text,
      ${listing.id}::int, ${round.start}::text, ${round.number}::int, ${listing.priceInPoints}::bigint, ${listing.stock}::int,
      ${listing.limitPerPlayer}::int, ${writeJson(listing.name)}::text::json, ${writeJson(listing.contents)}::text::json,
      ${writeJson(attempts)}::text::json)`.execute();
}

/** Purchases in one statement. */
const MAX_TOGETHER = 32;

/** By connection pool. */
const buyers = new WeakMap<Sql, (attempt: SaleAttempt) => Promise<SaleAnswer>>();

/**
 * As `buy`, outside a transaction: attempts at one listing that arrive while others are being written share the next statement and its
 * commit, instead of waiting for each other on the round's row. A lone purchase does not wait. If the database rejects a shared statement,
 * each attempt is made separately. If its answer is lost, it may have been written, so no attempt is repeated.
 */
export function buyer(sql: Sql): (attempt: SaleAttempt) => Promise<SaleAnswer> {
  const known = buyers.get(sql);
  if (known !== undefined) return known;
  const alone = (attempt: SaleAttempt) => buyAlone(sql, attempt);
  const together = askTogether<Offer, SaleAnswer>({
    groupOf: ({ environmentId, definitionsVersion, clockOffsetMs, sale: { listing, round } }) =>
      `${environmentId} ${definitionsVersion} ${clockOffsetMs} ${listing.id} ${round.start}`,
    most: MAX_TOGETHER,
    async ask(offers) {
      const [first, ...others] = offers as [Offer, ...Offer[]];
      if (others.length === 0) return [await alone(first)];
      try {
        return await buyAll(sql, [first, ...others]);
      } catch (error) {
        if (!(error instanceof postgres.PostgresError) || isUnavailable(error)) throw error;
        return offers.map(alone);
      }
    },
  });
  const made = (attempt: SaleAttempt) => {
    const { refusal, sale, ...rest } = traced(attempt);
    return refusal === null && sale !== null ? together({ ...rest, refusal, sale }) : alone({ ...rest, refusal, sale });
  };
  buyers.set(sql, made);
  return made;
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
  const rows = await sql<{ id: number; sold: number; bought: number }[]>`
    select * from listings_sold(${part}::smallint, ${playerId}::uuid, ${writeJson(asked)}::text::json)`;
  return new Map(rows.map(({ id, sold, bought }) => [id, { sold, bought }]));
}

/** A player's purchases, newest first; all of them if `take` is null. "nulls last" matches the index. */
export function selectPurchases(sql: Sql, { part, playerId }: PlayerKey, take: number | null): Promise<Purchase[]> {
  return sql<Purchase[]>`
    select id, listing_key, name, contents, price, idempotency_key, purchased_at
    from marketplace_purchases where part = ${part} and player_id = ${playerId}
    order by purchased_at desc nulls last, seq desc nulls last limit ${take}::bigint`.execute();
}

/** The units sold in a round of each listing; rounds without a sale are left out. */
export async function loadUnitsSold(sql: Sql, rounds: readonly { listingId: number; round: string }[]): Promise<Map<number, number>> {
  if (rounds.length === 0) return new Map();
  const rows = await sql<{ listingId: number; sold: number }[]>`
    select r.listing_id, r.sold
    from json_to_recordset(${writeJson(rounds)}::text::json) as a("listingId" int, "round" text)
    join marketplace_rounds r on r.listing_id = a."listingId" and r.round = a.round`;
  return new Map(rows.map(({ listingId, sold }) => [listingId, sold]));
}
