import type { Sql, Transaction } from "../../../db/client.ts";
import { arrayText } from "../../kernel/array-text.ts";
import { KEPT } from "../../kernel/counts.ts";
import type { PlayerKey } from "../../kernel/player.ts";

/** Where a pass begins: before every player. */
const FIRST = "00000000-0000-0000-0000-000000000000";

/** The environments whose pass goes on or is due: once a day. */
export async function environmentsToPurge(sql: Sql): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select environment_id as id from retention
    where event_days is not null and (after_part is not null or passed_at is null or passed_at < clock_timestamp() - interval '1 day')
    order by environment_id`;
  return rows.map(({ id }) => id);
}

/**
 * Begins a pass, unless one goes on, and says from when on events stay. This is committed before anything is deleted: who reads the log
 * never finds something missing after the horizon that they have read.
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
  /** The place in the order of players that it has come to. */
  after: PlayerKey;
  /** Epoch milliseconds on the environment's clock. */
  before: number;
  /** The present count of analytics. */
  epoch: number;
}

/**
 * The pass, held until the end of the transaction; null where it is over, or another worker is at it. The horizon may be of a shorter
 * choice before: what waited then, and is kept longer now, stays.
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

/** The next players, in the order of their key. */
export const playersFrom = (tx: Transaction, environmentId: number, { part, playerId }: PlayerKey, limit: number): Promise<PlayerKey[]> =>
  tx<PlayerKey[]>`
    select part, player_id as "playerId" from players
    where environment_id = ${environmentId} and (part, player_id) > (${part}::smallint, ${playerId}::uuid)
    order by part, player_id limit ${limit}::int`.execute();

const columns = (rows: readonly PlayerKey[]) =>
  [arrayText(rows.map(({ part }) => part)), arrayText(rows.map(({ playerId }) => playerId))] as const;

export interface OldEvent extends PlayerKey {
  id: string;
  isMetric: boolean;
}

/**
 * Some old events of players. Left out are facts that wait or are in quarantine, and those of players whose history is in no present
 * count yet: it is made from the log.
 */
export function selectOld(
  tx: Transaction,
  environmentId: number,
  { before, epoch }: Pass,
  players: readonly PlayerKey[],
  limit: number,
): Promise<OldEvent[]> {
  const [parts, ids] = columns(players);
  return tx<OldEvent[]>`
    with k as materialized (
      select p.part, p.player_id from unnest(${parts}::text::smallint[], ${ids}::text::uuid[]) as k(part, player_id)
      join players p on p.part = k.part and p.player_id = k.player_id and p.analytics_epoch = ${epoch}
    )
    select e.part, e.player_id as "playerId", e.id, e."isMetric" from (
      select e.part, e.player_id, e.id, e.seq, false as "isMetric" from k join events e on e.part = k.part and e.player_id = k.player_id
      where e.received_at < to_timestamp(${before / 1000}::float8)
      union all
      select e.part, e.player_id, e.id, e.seq, true from k join metric_events e on e.part = k.part and e.player_id = k.player_id
      where e.received_at < to_timestamp(${before / 1000}::float8)
    ) e
    where not exists (select from queued_facts q where q.lane = e.part >> 8 and q.environment_id = ${environmentId}::int and q.seq = e.seq)
      and not exists (select from quarantined_facts q where q.part = e.part and q.seq = e.seq)
    limit ${limit}::int`.execute();
}

/**
 * Deletes events of locked players, and keeps what hangs on them: their part of the metrics' totals, the days on which the players were
 * active, and their sums in the analytics, which go to the count that is never made anew. Answers how many there were.
 */
export async function deleteEvents(
  tx: Transaction,
  environmentId: number,
  epoch: number,
  timeZone: string,
  events: readonly OldEvent[],
): Promise<number> {
  const [plain, metrics] = [events.filter(({ isMetric }) => !isMetric), events.filter(({ isMetric }) => isMetric)];
  const [parts, players] = columns(plain);
  const [metricParts, metricPlayers] = columns(metrics);
  const [row] = await tx<{ count: number }[]>`
    with gone as (
      delete from events e
      using unnest(${parts}::text::smallint[], ${players}::text::uuid[], ${arrayText(plain.map(({ id }) => id))}::text::uuid[]) as k(part, player_id, id)
      where e.part = k.part and e.player_id = k.player_id and e.id = k.id
      returning e.part, e.player_id, e.definition_id, e.occurred_at, null::numeric as amount
    ), gone_of_metrics as (
      delete from metric_events e
      using unnest(${metricParts}::text::smallint[], ${metricPlayers}::text::uuid[], ${arrayText(metrics.map(({ id }) => id))}::text::uuid[])
        as k(part, player_id, id)
      where e.part = k.part and e.player_id = k.player_id and e.id = k.id
      returning e.part, e.player_id, e.definition_id, e.occurred_at, e.normalized_value
    ), facts as materialized (
      select g.*, analytics_day(g.occurred_at, ${timeZone}::text) as day, analytics_hour(g.occurred_at, ${timeZone}::text) as hour
      from (select * from gone union all select * from gone_of_metrics) g
    ), totals as (
      update metric_totals t set purged = t.purged + s.amount
      from (select part, player_id, definition_id, sum(amount) as amount from facts where amount is not null group by 1, 2, 3) s
      where t.part = s.part and t.player_id = s.player_id and t.definition_id = s.definition_id
    ), days as (
      update player_days d set is_kept = true from (select distinct part, player_id, day from facts) f
      where d.part = f.part and d.player_id = f.player_id and d.day = f.day and not d.is_kept
    ), sums as (
      insert into analytics_deltas (environment_id, epoch, measure, subject, detail, day, count, amount)
      select ${environmentId}::int, m.epoch, s.measure, s.subject, s.detail, s.day, m.sign * s.count, m.sign * s.amount
      from (
        select case when amount is null then 'event' else 'metric' end as measure, definition_id as subject, '' as detail, day, count(*) as count,
          coalesce(sum(amount), 0) as amount
        from facts group by amount is null, definition_id, day
        union all
        select 'hour.events', 0, hour, day, count(*), 0 from facts group by hour, day
      ) s cross join (values (${epoch}::int, -1), (${KEPT}::int, 1)) as m(epoch, sign)
    )
    select count(*)::int as count from facts`;
  return row!.count;
}
