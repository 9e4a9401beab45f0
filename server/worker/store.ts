import type { Sql, Transaction } from "../../db/client.ts";
import { PLAYERS_LOCK } from "../engine/store.ts";
import { LANES } from "../kernel/lanes.ts";

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
 * players are held until the transaction ends, unless they are just being deleted (`hold_players` in db/functions.sql).
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

/** The requests' spans of the first facts of an environment in a lane, with the players they are about; only those that have one. */
export const selectTraces = (
  tx: Transaction,
  lane: number,
  environmentId: number,
  limit: number,
): Promise<{ externalId: string; traceparent: string }[]> =>
  tx<{ externalId: string; traceparent: string }[]>`
    select p.external_id as "externalId", coalesce(q.traceparent, '') as traceparent
    from (
      select part, player_id, traceparent from queued_facts where lane = ${lane} and environment_id = ${environmentId} order by seq limit ${limit}
    ) q join players p on p.part = q.part and p.player_id = q.player_id
    where q.traceparent is not null`.execute();
