import { allValues, execute, firstRow, onlyRow, type Sql, type Transaction } from "#db/client.ts";
import { arrayText, FIRST_UUID } from "../../model/kernel/stored.ts";
import type { PlayerKey } from "../../model/kernel/player.ts";
import { keyArrays, keyRows } from "../../engine/store/players.ts";
import { KEPT_EPOCH } from "../../model/kernel/counts.ts";
import { writeJson } from "../../model/kernel/json.ts";

export interface RetentionRow {
  eventDays: number | null;
  requestDays: number | null;
}

/** An environment's setting, and the instant before which its events may be deleted; null if unset. */
export const selectRetention = (sql: Sql, environmentId: number) =>
  firstRow(sql<(RetentionRow & { purgedBefore: number | null })[]>`
    select event_days, request_days, purged_before
    from retention where environment_id = ${environmentId}`);

/** Creates the row if necessary, and locks it until the transaction ends. */
export async function lockRetention(tx: Transaction, environmentId: number): Promise<RetentionRow> {
  await tx`insert into retention (environment_id) values (${environmentId}) on conflict do nothing`;
  return onlyRow(tx<RetentionRow[]>`
    select event_days, request_days from retention where environment_id = ${environmentId} for no key update`);
}

/** Ends a running pass, which uses the former setting. The next one starts with the next check. */
export const updateRetention = (
  tx: Transaction,
  environmentId: number,
  { eventDays, requestDays }: { eventDays: number | null; requestDays: number },
) =>
  execute(tx`
    update retention set event_days = ${eventDays}, request_days = ${requestDays}, after_part = null, after_player_id = null, passed_at = null
    where environment_id = ${environmentId}`);

/** After a reset nothing counts as purged, since there are no earlier events. */
export const forgetPurge = (tx: Transaction, environmentId: number) =>
  execute(tx`
    update retention set purged_before = null, after_part = null, after_player_id = null, passed_at = null
    where environment_id = ${environmentId}`);

/** A pass is due after a thirtieth of the retention time, at most daily and at least weekly. It reads every event of the environment. */
const isDue = (sql: Sql) => sql`
  (passed_at is null or passed_at < clock_timestamp() - make_interval(days => least(7, greatest(1, event_days / 30))))`;

/** The environments whose pass is under way or due. */
export const environmentsToPurge = (sql: Sql) =>
  allValues(sql<{ id: number }[]>`
    select environment_id as id from retention where event_days is not null and (after_part is not null or ${isDue(sql)})
    order by environment_id`);

/**
 * Starts a pass, unless one is under way or another worker has finished it since, and publishes the instant from which events are kept.
 * Committed before anything is deleted, so that a reader of the log never misses events after the horizon it has read.
 */
export const beginPass = (sql: Sql, environmentId: number) =>
  execute(sql`
    update retention r set after_part = 0, after_player_id = ${FIRST_UUID}::uuid,
      purged_before = greatest(r.purged_before,
        clock_timestamp() + make_interval(secs => e.clock_offset_ms / 1000.0) - make_interval(days => r.event_days))
    from environments e
    where e.id = r.environment_id and r.environment_id = ${environmentId} and r.event_days is not null and r.after_part is null and ${isDue(sql)}`);

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
    select coalesce(r.after_part, 0) as part, coalesce(r.after_player_id, ${FIRST_UUID}::uuid) as player_id, e.analytics_epoch as epoch,
      least(r.purged_before,
        clock_timestamp() + make_interval(secs => e.clock_offset_ms / 1000.0) - make_interval(days => r.event_days)) as before
    from retention r join environments e on e.id = r.environment_id
    where r.environment_id = ${environmentId} and r.event_days is not null and r.after_part is not null and r.purged_before is not null
    for no key update of r skip locked`;
  return row === undefined ? null : { after: { part: row.part, playerId: row.playerId }, before: row.before, epoch: row.epoch };
}

export const movePass = (tx: Transaction, environmentId: number, { part, playerId }: PlayerKey) =>
  execute(tx`update retention set after_part = ${part}, after_player_id = ${playerId} where environment_id = ${environmentId}`);

export const endPass = (tx: Transaction, environmentId: number) =>
  execute(tx`
    update retention set after_part = null, after_player_id = null, passed_at = clock_timestamp() where environment_id = ${environmentId}`);

/** The next players, in key order. */
export const playersFrom = (tx: Transaction, environmentId: number, { part, playerId }: PlayerKey, limit: number): Promise<PlayerKey[]> =>
  tx<PlayerKey[]>`
    select part, player_id from players
    where environment_id = ${environmentId} and (part, player_id) > (${part}::smallint, ${playerId}::uuid)
    order by part, player_id limit ${limit}::int`.execute();

/**
 * The positions of players' old facts that wait or are in quarantine. One statement, as a fact moves between the two; no more can appear,
 * as newly received facts are not old.
 */
export const waitingSeqs = (tx: Transaction, { before }: Pass, players: readonly PlayerKey[]): Promise<number[]> =>
  allValues(tx<{ seq: number }[]>`
    with k as materialized ${keyRows(tx, players)}
    select q.seq from k join queued_facts q on q.part = k.part and q.player_id = k.player_id
    where q.received_at < ${before}
    union all
    select q.seq from k join quarantined_facts q on q.part = k.part and q.player_id = k.player_id
    where q.received_at < ${before}`);

export interface OldEvent extends PlayerKey {
  id: string;
  isMetric: boolean;
}

/** Some old events of players, except of players whose history is not counted in the present epoch yet: that needs the log. */
export const selectOld = (
  tx: Transaction,
  { before, epoch }: Pass,
  players: readonly PlayerKey[],
  waiting: readonly number[],
  limit: number,
): Promise<OldEvent[]> =>
  tx<OldEvent[]>`
    with k as materialized ${keyRows(tx, players)}
    select e.part, e.player_id, e.id, e.is_metric from (
      select e.part, e.player_id, e.id, false as is_metric
      from k join players p on p.part = k.part and p.player_id = k.player_id join events e on e.part = p.part and e.player_id = p.player_id
      where p.analytics_epoch = ${epoch} and e.received_at < ${before} and e.seq <> all(${arrayText(waiting)}::text::bigint[])
      union all
      select e.part, e.player_id, e.id, true
      from k join players p on p.part = k.part and p.player_id = k.player_id join metric_events e on e.part = p.part and e.player_id = p.player_id
      where p.analytics_epoch = ${epoch} and e.received_at < ${before} and e.seq <> all(${arrayText(waiting)}::text::bigint[])
    ) e
    limit ${limit}::int`.execute();

interface Deleted extends PlayerKey {
  definitionId: number;
  /** As the database writes it: a `Date` would change years 1 to 99. */
  occurredAt: string;
  /** The amount added to its metric's total; null for a plain event. */
  amount: string | null;
}

/**
 * Deletes events of locked players but keeps what depends on them: their part of the metrics' totals, the players' active days, and their
 * analytics sums, which move to the epoch that is never recounted. Returns the number of events.
 */
export async function deleteEvents(
  tx: Transaction,
  environmentId: number,
  epoch: number,
  timeZone: string,
  events: readonly OldEvent[],
): Promise<number> {
  const [plain, metrics] = [events.filter(({ isMetric }) => !isMetric), events.filter(({ isMetric }) => isMetric)];
  const deleted = (await Promise.all([deletePlain(tx, plain), deleteOfMetrics(tx, metrics)])).flat();
  const days = await moveSums(tx, environmentId, epoch, timeZone, deleted);
  await Promise.all([
    keepTotals(
      tx,
      deleted.filter(({ amount }) => amount !== null),
    ),
    keepDays(tx, days),
  ]);
  return deleted.length;
}

const keysOf = (tx: Transaction, events: readonly OldEvent[]) => {
  const [parts, players] = keyArrays(events);
  return tx`(select unnest(${parts}::text::smallint[]) as part, unnest(${players}::text::uuid[]) as player_id,
    unnest(${arrayText(events.map(({ id }) => id))}::text::uuid[]) as id)`;
};

async function deletePlain(tx: Transaction, events: readonly OldEvent[]): Promise<Deleted[]> {
  if (events.length === 0) return [];
  return tx<Deleted[]>`
    delete from events e using ${keysOf(tx, events)} k where e.part = k.part and e.player_id = k.player_id and e.id = k.id
    returning e.part, e.player_id, e.definition_id, e.occurred_at::text, null::text as amount`;
}

async function deleteOfMetrics(tx: Transaction, events: readonly OldEvent[]): Promise<Deleted[]> {
  if (events.length === 0) return [];
  return tx<Deleted[]>`
    delete from metric_events e using ${keysOf(tx, events)} k where e.part = k.part and e.player_id = k.player_id and e.id = k.id
    returning e.part, e.player_id, e.definition_id, e.occurred_at::text, e.normalized_value::text as amount`;
}

type Day = PlayerKey & { day: string };

/** Moves the sums of deleted events to the epoch that is never recounted; returns their days. */
async function moveSums(tx: Transaction, environmentId: number, epoch: number, timeZone: string, deleted: readonly Deleted[]) {
  if (deleted.length === 0) return [];
  return tx<Day[]>`
    with facts as materialized (
      select part, "playerId" as player_id, "definitionId" as definition_id, amount,
        analytics_day("occurredAt", ${timeZone}::text) as day, analytics_hour("occurredAt", ${timeZone}::text) as hour
      from json_to_recordset(${writeJson(deleted)}::text::json)
        as r("part" smallint, "playerId" uuid, "definitionId" int, "occurredAt" timestamptz, "amount" numeric)
    ), sums as (
      insert into analytics_deltas (environment_id, epoch, measure, subject, detail, day, count, amount)
      select ${environmentId}::int, m.epoch, s.measure, s.subject, s.detail, s.day, m.sign * s.count, m.sign * s.amount
      from (
        select case when amount is null then 'event' else 'metric' end as measure, definition_id as subject, '' as detail, day, count(*) as count,
          coalesce(sum(amount), 0) as amount
        from facts group by amount is null, definition_id, day
        union all
        select 'hour.events', 0, hour, day, count(*), 0 from facts group by hour, day
      ) s cross join (values (${epoch}::int, -1), (${KEPT_EPOCH}::int, 1)) as m(epoch, sign)
    )
    select distinct part, player_id, day::text as day from facts`;
}

async function keepTotals(tx: Transaction, deleted: readonly Deleted[]): Promise<void> {
  if (deleted.length === 0) return;
  const rows = deleted.map(({ part, playerId, definitionId, amount }) => ({ part, playerId, definitionId, amount }));
  await tx`
    update metric_totals t set purged = t.purged + s.amount
    from (
      select part, "playerId" as player_id, "definitionId" as definition_id, sum(amount) as amount
      from json_to_recordset(${writeJson(rows)}::text::json) as r("part" smallint, "playerId" uuid, "definitionId" int, "amount" numeric)
      group by 1, 2, 3
    ) s
    where t.part = s.part and t.player_id = s.player_id and t.definition_id = s.definition_id`;
}

async function keepDays(tx: Transaction, days: readonly Day[]): Promise<void> {
  if (days.length === 0) return;
  const [parts, players] = keyArrays(days);
  await tx`
    update player_days d set is_kept = true
    from (select unnest(${parts}::text::smallint[]) as part, unnest(${players}::text::uuid[]) as player_id,
      unnest(${arrayText(days.map(({ day }) => day))}::text::date[]) as day) k
    where d.part = k.part and d.player_id = k.player_id and d.day = k.day and not d.is_kept`;
}
