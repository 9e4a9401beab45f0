import { execute, firstRow, type Sql, type Transaction } from "#db/client.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";
import { PURCHASE } from "#server/model/marketplace/sale.ts";

/** The player of a purchase, without an external id if they were erased; null if the environment has no purchase of this id. */
export const findBuyer = (sql: Sql, environmentId: number, purchaseId: string) =>
  firstRow(sql<(PlayerKey & { externalId: string | null })[]>`
    select b.part, b.player_id, p.external_id
    from marketplace_purchases b left join players p on p.part = b.part and p.player_id = b.player_id
    where b.environment_id = ${environmentId} and b.id = ${purchaseId}::uuid`);

export interface Reversal extends PlayerKey {
  environmentId: number;
  purchaseId: string;
  /** The ledger transaction. */
  refundId: string;
  reason: string;
  /** On the environment's clock. */
  reversedAt: number;
}

/** A reversed purchase; its unit is still to be returned (`returnUnit`). */
export interface Reversed {
  listingId: number;
  listingKey: string;
  round: string;
  price: number;
  /** The balance after the refund. */
  balance: number;
}

/** Reverses a purchase, or returns the reason why not. Locks like a purchase: the balance first, the round last. */
export async function reverse(
  tx: Transaction,
  reversal: Reversal,
): Promise<Reversed | "reversed before" | "unknown" | "balance too large"> {
  const { part, playerId, environmentId, purchaseId, refundId, reason, reversedAt } = reversal;
  const [held] = await tx<{ balance: number }[]>`
    select balance from balances where part = ${part} and player_id = ${playerId} for no key update`;
  const [sold] = await tx<(Omit<Reversed, "balance"> & { isReversed: boolean })[]>`
    select listing_id, listing_key, round, price, reversed_at is not null as is_reversed
    from marketplace_purchases where part = ${part} and player_id = ${playerId} and id = ${purchaseId}`;
  if (held === undefined || sold === undefined) return "unknown";
  const { isReversed, ...purchase } = sold;
  const { price } = purchase;
  if (isReversed) return "reversed before";
  if (held.balance + price > Number.MAX_SAFE_INTEGER) return "balance too large";
  await tx`
    update marketplace_purchases set reversed_at = ${reversedAt}, reversal_reason = ${reason}
    where part = ${part} and player_id = ${playerId} and id = ${purchaseId}`;
  await tx`
    insert into points_transactions
      (part, player_id, id, environment_id, seq, type, amount, reason, source_type, source_id, source_definition_id, occurred_at)
    values (${part}, ${playerId}, ${refundId}, ${environmentId}, nextval('fact_seq'), 'Refund', ${price}, ${reason}, ${PURCHASE}, ${purchaseId},
      ${purchase.listingId}, ${reversedAt})`;
  await tx`
    update balances set balance = balance + ${price}::bigint, total_spent = total_spent - ${price}::bigint
    where part = ${part} and player_id = ${playerId}`;
  await tx`
    select analytics_count_purchase(${environmentId}::int, ${part}::smallint, ${playerId}::uuid, ${purchase.listingId}::int, ${purchase.round}::text,
        ${price}::bigint, ${reversedAt}, true),
      analytics_count_transactions(array[${environmentId}::int], array[${part}::smallint], array[${playerId}::uuid], array['Refund'], array[${price}::bigint],
        array[${PURCHASE}::text], array[${purchase.listingId}::int], array[${reversedAt}::timestamptz])`;
  return { ...purchase, balance: held.balance + price };
}

/** Returns a unit to the stock of its round. The row is contended, so make this the last statement of a transaction. */
export const returnUnit = (tx: Transaction, { listingId, round }: Pick<Reversed, "listingId" | "round">) =>
  execute(tx`update marketplace_rounds set sold = sold - 1 where listing_id = ${listingId} and round = ${round}`);
