import type { Sql, Transaction } from "#db/client.ts";
import { arrayText } from "#server/model/kernel/array-text.ts";
import type { PlayerKey } from "#server/model/kernel/player.ts";

/** The start of a pass, before every player. */
const FIRST = "00000000-0000-0000-0000-000000000000";

/**
 * The environments whose pass is under way or due: after a thirtieth of their retention time, at most daily and at least weekly. A pass
 * reads every event of the environment.
 */
export async function environmentsToPurge(sql: Sql): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select environment_id as id from retention
    where event_days is not null and (after_part is not null or passed_at is null
      or passed_at < clock_timestamp() - make_interval(days => least(7, greatest(1, event_days / 30))))
    order by environment_id`;
  return rows.map(({ id }) => id);
}

/**
 * Starts a pass, unless one is under way, and publishes the instant from which events are kept. Committed before anything is deleted, so
 * that a reader of the log never misses events after the horizon it has read.
 */
export async function beginPass(sql: Sql, environmentId: number): Promise<void> {
  await sql`
    update retention r set after_part = 0, after_player_id = ${FIRST}::uuid,
      purged_before = greatest(r.purged_before,
        clock_timestamp() + make_interval(secs => e.clock_offset_ms / 1000.0) - make_interval(days => r.event_days))
    from environments e
    where e.id = r.environment_id and r.environment_id = ${environmentId} and r.event_days is not null and r.after_part is null`;
}

export interface Pass {
  /** The last player done, in key order. */
  after: PlayerKey;
  /** Epoch milliseconds on the environment's clock. */
  before: number;
  /** The present analytics epoch. */
  epoch: number;
}

/**
 * Locks the pass until the transaction ends; null if it is over, or another worker has it. The horizon may come from an earlier, shorter
 * setting: facts that waited then, and are kept longer now, stay.
 */
export async function lockPass(tx: Transaction, environmentId: number): Promise<Pass | null> {
  const [row] = await tx<{ part: number; playerId: string; before: number; epoch: number }[]>`
    select coalesce(r.after_part, 0) as part, coalesce(r.after_player_id, ${FIRST}::uuid) as "playerId", e.analytics_epoch as epoch,
      (extract(epoch from least(r.purged_before,
        clock_timestamp() + make_interval(secs => e.clock_offset_ms / 1000.0) - make_interval(days => r.event_days))) * 1000)::bigint as before
    from retention r join environments e on e.id = r.environment_id
    where r.environment_id = ${environmentId} and r.event_days is not null and r.after_part is not null and r.purged_before is not null
    for no key update of r skip locked`;
  return row === undefined ? null : { after: { part: row.part, playerId: row.playerId }, before: row.before, epoch: row.epoch };
}

export async function movePass(tx: Transaction, environmentId: number, { part, playerId }: PlayerKey): Promise<void> {
  await tx`update retention set after_part = ${part}, after_player_id = ${playerId} where environment_id = ${environmentId}`;
}

export async function endPass(tx: Transaction, environmentId: number): Promise<void> {
  await tx`
    update retention set after_part = null, after_player_id = null, passed_at = clock_timestamp() where environment_id = ${environmentId}`;
}

/** The next players, in key order. */
export const playersFrom = (tx: Transaction, environmentId: number, { part, playerId }: PlayerKey, limit: number): Promise<PlayerKey[]> =>
  tx<PlayerKey[]>`
    select part, player_id as "playerId" from players
    where environment_id = ${environmentId} and (part, player_id) > (${part}::smallint, ${playerId}::uuid)
    order by part, player_id limit ${limit}::int`.execute();

export const columns = (rows: readonly PlayerKey[]) =>
  [arrayText(rows.map(({ part }) => part)), arrayText(rows.map(({ playerId }) => playerId))] as const;

/**
 * The positions of players' old facts that wait or are in quarantine. One statement, as a fact moves between the two; no more can appear,
 * as newly received facts are not old.
 */
export async function placesOfWaiting(tx: Transaction, { before }: Pass, players: readonly PlayerKey[]): Promise<number[]> {
  const [parts, ids] = columns(players);
  const rows = await tx<{ seq: number }[]>`
    with k as materialized (select unnest(${parts}::text::smallint[]) as part, unnest(${ids}::text::uuid[]) as player_id)
    select q.seq from k join queued_facts q on q.part = k.part and q.player_id = k.player_id
    where q.received_at < to_timestamp(${before / 1000}::float8)
    union all
    select q.seq from k join quarantined_facts q on q.part = k.part and q.player_id = k.player_id
    where q.received_at < to_timestamp(${before / 1000}::float8)`;
  return rows.map(({ seq }) => seq);
}

export interface OldEvent extends PlayerKey {
  id: string;
  isMetric: boolean;
}

/** Some old events of players, except of players whose history is not counted in the present epoch yet: that needs the log. */
export function selectOld(
  tx: Transaction,
  { before, epoch }: Pass,
  players: readonly PlayerKey[],
  waiting: readonly number[],
  limit: number,
): Promise<OldEvent[]> {
  const [parts, ids] = columns(players);
  return tx<OldEvent[]>`
    with k as materialized (select unnest(${parts}::text::smallint[]) as part, unnest(${ids}::text::uuid[]) as player_id)
    select e.part, e.player_id as "playerId", e.id, e."isMetric" from (
      select e.part, e.player_id, e.id, false as "isMetric"
      from k join players p on p.part = k.part and p.player_id = k.player_id join events e on e.part = p.part and e.player_id = p.player_id
      where p.analytics_epoch = ${epoch} and e.received_at < to_timestamp(${before / 1000}::float8) and e.seq <> all(${arrayText(waiting)}::text::bigint[])
      union all
      select e.part, e.player_id, e.id, true
      from k join players p on p.part = k.part and p.player_id = k.player_id join metric_events e on e.part = p.part and e.player_id = p.player_id
      where p.analytics_epoch = ${epoch} and e.received_at < to_timestamp(${before / 1000}::float8) and e.seq <> all(${arrayText(waiting)}::text::bigint[])
    ) e
    limit ${limit}::int`.execute();
}
