import type { Sql, Transaction } from "../../db/client.ts";
import { PLAYERS_LOCK } from "../engine/store.ts";
import { firstFacts } from "../engine/store/queue.ts";
import { DEFAULT_LANES, FINE_LANES } from "../kernel/lanes.ts";

/**
 * The number of lanes, and the indexes of those with facts waiting. It steps from each of them to the next one with a fact. Planned each
 * time: a queue that was empty when a plan was kept is not always so.
 */
export async function waitingLanes(sql: Sql): Promise<{ count: number; waiting: number[] }> {
  const [row] = await sql.unsafe<{ count: number; waiting: number[] }[]>(
    `with recursive lanes(count, width) as (select n.count, $2::int / n.count from (select coalesce((select lanes from installation), $1::int) as count) n),
    waiting(lane) as (
      (select lane / width from queued_facts cross join lanes order by lane limit 1)
      union all
      select (select q.lane / l.width from queued_facts q where q.lane >= (w.lane + 1) * l.width order by q.lane limit 1)
      from waiting w cross join lanes l where w.lane is not null
    )
    select count, to_json(array(select lane from waiting where lane is not null)) as waiting from lanes`,
    [DEFAULT_LANES, FINE_LANES],
    { prepare: false },
  );
  return row!;
}

/**
 * The environment after `previous` that has facts waiting in fine lanes, round and round; null when they are empty. Its
 * players are held until the transaction ends, unless they are just being deleted (`hold_players` in db/functions.sql).
 */
export async function nextEnvironment(
  tx: Transaction,
  lanes: readonly number[],
  previous: number,
): Promise<{ id: number; isHeld: boolean } | null> {
  const after = (id: number) => tx`
    select min(q.environment_id) from unnest(${lanes as number[]}::int[]) l(lane) cross join lateral (
      select environment_id from queued_facts where lane = l.lane and environment_id > ${id}::int order by environment_id limit 1) q`;
  const [row] = await tx<{ id: number | null; isHeld: boolean }[]>`
    with next as materialized (select coalesce((${after(previous)}), (${after(0)})) as id)
    select id, pg_try_advisory_xact_lock_shared(${PLAYERS_LOCK}::int, id) as "isHeld" from next`;
  return row === undefined || row.id === null ? null : { id: row.id, isHeld: row.isHeld };
}

/** The requests' spans of the facts that `claimFacts` would take, with the players they are about; only those that have one. */
export const selectTraces = (
  tx: Transaction,
  lanes: readonly number[],
  environmentId: number,
  limit: number,
): Promise<{ externalId: string; traceparent: string }[]> =>
  tx<{ externalId: string; traceparent: string }[]>`
    select p.external_id as "externalId", coalesce(q.traceparent, '') as traceparent
    from (${firstFacts(tx, lanes, environmentId, limit)}) q join players p on p.part = q.part and p.player_id = q.player_id
    where q.traceparent is not null`.execute();
