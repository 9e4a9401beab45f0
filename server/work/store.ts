import type { Sql, Transaction } from "../../db/client.ts";
import { PLAYERS_LOCK } from "../engine/store.ts";
import type { EventFact } from "../kernel/facts.ts";
import { LANES } from "../kernel/lanes.ts";
import type { PlayerKey } from "../players/identity.ts";

/** A fact of the queue with the player it is about. */
export type QueuedFact = PlayerKey & EventFact;

/** The lanes with facts waiting. Planned each time: a queue that was empty when a plan was kept is not always so. */
export async function waitingLanes(sql: Sql): Promise<number[]> {
  const rows = await sql.unsafe<{ lane: number }[]>(
    `select lane from generate_series(0, $1::int) lane where exists (select from queued_facts q where q.lane = lane.lane)`,
    [LANES - 1],
    { prepare: false },
  );
  return rows.map(({ lane }) => lane);
}

/**
 * The environment after `previous` that has facts waiting in a lane, round and round; null when the lane is empty. Its
 * players are held until the transaction ends, unless they are just being deleted (`hold_players` in db/migrations).
 */
export async function nextEnvironment(tx: Transaction, lane: number, previous: number): Promise<{ id: number; isHeld: boolean } | null> {
  const [row] = await tx<{ id: number | null; isHeld: boolean }[]>`
    with next as materialized (
      select coalesce(
        (select environment_id from queued_facts where lane = ${lane} and environment_id > ${previous} order by environment_id limit 1),
        (select environment_id from queued_facts where lane = ${lane} order by environment_id limit 1)) as id
    )
    select id, pg_try_advisory_xact_lock_shared(${PLAYERS_LOCK}::int, id) as "isHeld" from next`;
  return row === undefined || row.id === null ? null : { id: row.id, isHeld: row.isHeld };
}

/**
 * Takes the first facts of an environment from a lane; they are gone when the transaction commits, and back when it does
 * not. The lane is ours alone, so the slice is a range of the key; joined to the rows it would be looked up once for each.
 */
export async function claimFacts(tx: Transaction, lane: number, environmentId: number, limit: number): Promise<QueuedFact[]> {
  const rows = await tx<QueuedFact[]>`
    delete from queued_facts q
    where q.lane = ${lane} and q.environment_id = ${environmentId} and q.seq <= (
      select max(seq) from (
        select seq from queued_facts where lane = ${lane} and environment_id = ${environmentId} order by seq limit ${limit}
      ) slice
    )
    returning q.part, q.player_id as "playerId", 'event' as kind, q.seq, q.source_id as id, q.definition_id as "definitionId",
      (extract(epoch from q.occurred_at) * 1000)::bigint as "occurredAt", (extract(epoch from q.received_at) * 1000)::bigint as "receivedAt",
      coalesce(q.payload, '{}') as properties, q.value`;
  return rows.sort((a, b) => a.seq - b.seq);
}

/** Moves the first fact of a lane aside, with the error of its fold: it blocks nobody, and people see it. */
export async function quarantineFirst(tx: Transaction, lane: number, environmentId: number, error: string): Promise<void> {
  await tx`
    with bad as (
      delete from queued_facts where lane = ${lane} and environment_id = ${environmentId}
        and seq = (select min(seq) from queued_facts where lane = ${lane} and environment_id = ${environmentId})
      returning environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, value
    )
    insert into quarantined_facts (environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, value, error)
    select *, ${error}::text from bad`;
}

/** How many accepted facts of an environment are not worked off; of those up to a place in the order of facts, where one is given. */
export async function countWaiting(sql: Sql, environmentId: number, upToSeq: number | null = null): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from generate_series(0, ${LANES - 1}::int) lane join queued_facts q on q.lane = lane.lane and q.environment_id = ${environmentId}
      and (${upToSeq}::bigint is null or q.seq <= ${upToSeq}::bigint)`;
  return row?.count ?? 0;
}
