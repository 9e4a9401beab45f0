import type { Sql, Transaction } from "#db/client.ts";

/** A fact that could not be applied. Its instants are on the environment's clock, except `quarantinedAt`; epoch milliseconds. */
export interface QuarantinedFact {
  seq: number;
  externalId: string | null;
  definitionId: number;
  occurredAt: number;
  receivedAt: number;
  /** JSON text; null if it has none. */
  payload: string | null;
  value: string | null;
  error: string;
  quarantinedAt: number;
}

/** An environment's quarantined facts after a position, in order; at most `limit`. */
export const selectQuarantined = (sql: Sql, environmentId: number, after: number, limit: number): Promise<QuarantinedFact[]> =>
  sql<QuarantinedFact[]>`
    with page as materialized (
      select * from quarantined_facts where environment_id = ${environmentId} and seq > ${after} order by seq limit ${limit}
    ), named as materialized (
      select distinct p.part, p.player_id, p.external_id from page q join players p on p.part = q.part and p.player_id = q.player_id
    )
    select q.seq, p.external_id as "externalId", q.definition_id as "definitionId",
      (extract(epoch from q.occurred_at) * 1000)::bigint as "occurredAt", (extract(epoch from q.received_at) * 1000)::bigint as "receivedAt",
      q.payload::text as payload, q.value::text as value, q.error, (extract(epoch from q.quarantined_at) * 1000)::bigint as "quarantinedAt"
    from page q left join named p on p.part = q.part and p.player_id = q.player_id
    order by q.seq`.execute();

/** Waits for a running reset of the environment, and blocks the next one. */
export async function holdPlayers(tx: Transaction, environmentId: number): Promise<void> {
  await tx`select hold_players(${environmentId}::int)`;
}

/** Limits every statement of a transaction, and its waits for locks. */
export async function boundRehearsal(tx: Transaction, { statementMs, lockMs }: { statementMs: number; lockMs: number }): Promise<void> {
  await tx`select set_config('statement_timeout', ${String(statementMs)}, true), set_config('lock_timeout', ${String(lockMs)}, true)`;
}

/** Lock class for rehearsals in an environment. */
const REHEARSAL_LOCK = 7;

/** Tries to lock the environment's rehearsals until this transaction ends. */
export async function tryRehearsal(tx: Transaction, environmentId: number): Promise<boolean> {
  const [row] = await tx<{ isTaken: boolean }[]>`
    select pg_try_advisory_xact_lock(${REHEARSAL_LOCK}::int, ${environmentId}::int) as "isTaken"`;
  return row?.isTaken === true;
}

/** The number of an environment's quarantined facts. */
export async function countQuarantined(sql: Sql, environmentId: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) as count from quarantined_facts where environment_id = ${environmentId}`;
  return row?.count ?? 0;
}

/**
 * Moves quarantined facts back into the queue at their positions, all or these, and returns the number. Locks the environment's players: a
 * reset empties queue and quarantine either before or after.
 */
export async function requeueFacts(tx: Transaction, environmentId: number, seqs: readonly number[] | null): Promise<number> {
  await holdPlayers(tx, environmentId);
  const rows = await tx<{ seq: number }[]>`
    with back as (
      delete from quarantined_facts
      where environment_id = ${environmentId} ${seqs === null ? tx`` : tx`and seq = any(${seqs as number[]}::bigint[])`}
      returning environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, value
    )
    insert into queued_facts (lane, environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, value)
    select part >> 4, environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, value from back
    returning seq`;
  return rows.length;
}
