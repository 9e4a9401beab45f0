import { onlyRow, type Sql } from "#db/client.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { Below } from "../../model/kernel/stored.ts";
import type { PlayerKey } from "../../model/players/identity.ts";

export interface Balance {
  balance: number;
  totalGranted: number;
  totalSpent: number;
}

/** A player's balance; zero without any points. */
export async function selectBalance(sql: Sql, { part, playerId }: PlayerKey): Promise<Balance> {
  const [row] = await sql<Balance[]>`
    select balance, total_granted, total_spent
    from balances where part = ${part} and player_id = ${playerId}`;
  return row ?? { balance: 0, totalGranted: 0, totalSpent: 0 };
}

export interface TransactionRow {
  id: string;
  type: "Grant" | "Spend" | "Adjustment" | "Refund";
  amount: number;
  reason: string | null;
  sourceType: string | null;
  sourceId: string | null;
  occurredAt: number;
}

/**
 * A player's transactions, newest first by the displayed instant, which may differ from the order of the sequence; all of them if `take` is
 * null. "nulls last" matches the index, which would not be used otherwise.
 */
export function selectTransactions(sql: Sql, { part, playerId }: PlayerKey, take: number | null): Promise<TransactionRow[]> {
  return sql<TransactionRow[]>`
    select id, type, amount, reason, source_type, source_id, occurred_at
    from points_transactions where part = ${part} and player_id = ${playerId}
    order by occurred_at desc nulls last, seq desc nulls last limit ${take}::bigint`.execute();
}

export interface NewAdjustment extends PlayerKey {
  environmentId: number;
  id: string;
  amount: number;
  reason: string;
  idempotencyKey: string | null;
  occurredAt: number;
}

/** The outcome of an adjustment; with `adjusted` and `replayed` all fields are set, otherwise nothing was written. */
export interface AdjustmentRow {
  outcome:
    | "adjusted"
    | "replayed"
    | "player.not_found"
    | "points.insufficient_balance"
    | "points_adjustment.amount_invalid"
    | "points_adjustment.idempotency_key_conflict";
  transactionId: string;
  amount: number;
  reason: string;
  occurredAt: number;
  balance: number;
}

/**
 * Adjusts a balance and writes the ledger. Lock, look-up of the key, check and writes are one function in the database
 * (db/functions/points.sql), so that the row is not locked during a round trip. It gets its environment from `hold_players`, so it looks
 * the player up only when no reset is deleting them.
 */
export async function adjustBalance(sql: Sql, adjustment: NewAdjustment): Promise<AdjustmentRow> {
  const { part, playerId, environmentId, id, amount, reason, idempotencyKey, occurredAt } = adjustment;
  return onlyRow(sql<AdjustmentRow[]>`
    select outcome, transaction_id, amount, reason, new_balance as balance, occurred_at
    from hold_players(${environmentId}::int) as held, points_adjust(${part}::smallint, ${playerId}::uuid, held, ${id}::uuid, ${amount}::bigint,
      ${reason}::text, ${idempotencyKey}::text, ${occurredAt}::timestamptz)`);
}

/** The idempotency keys of some players that are already used, as "player key". */
export async function usedKeys(sql: Sql, keys: readonly (PlayerKey & { key: string })[]): Promise<Set<string>> {
  const rows = await sql<{ playerId: string; key: string }[]>`
    select t.player_id, r.key from json_to_recordset(${writeJson(keys)}::text::json) as r("part" smallint, "playerId" uuid, "key" text)
    join points_transactions t on t.part = r.part and t.player_id = r."playerId" and t.idempotency_key = r.key`;
  return new Set(rows.map(({ playerId, key }) => `${playerId} ${key}`));
}

/** A transaction with its position in the order of facts. */
export type PlacedTransaction = TransactionRow & { seq: number };

/** A player's transactions below a cursor, newest first, in the order of `selectTransactions`. */
export const transactionsBelow = (
  sql: Sql,
  { part, playerId }: PlayerKey,
  { at, id }: Below<number>,
  limit: number,
): Promise<PlacedTransaction[]> =>
  sql<PlacedTransaction[]>`
    select id, type, amount, reason, source_type, source_id, occurred_at, seq
    from points_transactions where part = ${part} and player_id = ${playerId}
      and (occurred_at, seq) < (${at}, ${id}::bigint)
    order by occurred_at desc nulls last, seq desc nulls last limit ${limit}::int`.execute();

/** The balances of some players, by player id. Players who never had points are left out. */
export async function selectBalances(sql: Sql, players: readonly PlayerKey[]): Promise<Map<string, number>> {
  if (players.length === 0) return new Map();
  const keys = players.map(({ part, playerId }) => ({ part, playerId }));
  const rows = await sql<{ playerId: string; balance: number }[]>`
    select k."playerId", b.balance
    from json_to_recordset(${writeJson(keys)}::text::json) as k("part" smallint, "playerId" uuid)
    join balances b on b.part = k.part and b.player_id = k."playerId"`;
  return new Map(rows.map(({ playerId, balance }) => [playerId, balance]));
}
