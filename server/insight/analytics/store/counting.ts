import { affected, allValues, execute, firstValue, type Sql, type Transaction } from "#db/client.ts";
import { keyArrays, keyRows } from "#server/engine/store/players.ts";
import type { CountRow } from "#server/model/kernel/counts.ts";
import type { PlayerKey } from "#server/model/kernel/player.ts";

/** Lock class that writers who have not locked their players hold shared (`analytics_hold` in db/functions/analytics.sql). */
const COUNTING_LOCK = 5;

/** The environments with players whose history is not in the present epoch. */
export const environmentsToCount = (sql: Sql): Promise<number[]> =>
  allValues(sql.unsafe<{ id: number }[]>(`select e.id from environments e where has_players_behind(e.id, e.analytics_epoch)`));

/** Whether the history of some players of an environment is not in its present epoch yet: its sums are partial. */
export const isPartial = async (sql: Sql, environmentId: number): Promise<boolean> =>
  (await firstValue(sql<{ isBehind: boolean }[]>`
    select has_players_behind(id, analytics_epoch) as is_behind from environments where id = ${environmentId}`)) === true;

/** An environment's present epoch; null while `isPartial`, and if the environment is gone. */
export const completeEpoch = (sql: Sql, environmentId: number) =>
  firstValue(sql<{ epoch: number }[]>`
    select analytics_epoch as epoch from environments where id = ${environmentId} and not has_players_behind(id, analytics_epoch)`);

/** An environment's present epoch. */
export const epochOf = async (sql: Sql, environmentId: number) =>
  (await firstValue(sql<{ epoch: number }[]>`select analytics_epoch as epoch from environments where id = ${environmentId}`)) ?? 0;

export const raiseEpoch = (sql: Sql, environmentId: number) =>
  execute(sql`update environments set analytics_epoch = analytics_epoch + 1 where id = ${environmentId}`);

/** Players of one part whose history is not in the present epoch, in key order. Empty: all are counted. */
export function playersToCount(sql: Sql, environmentId: number, epoch: number, limit: number): Promise<PlayerKey[]> {
  return sql.unsafe<PlayerKey[]>(
    `with first as materialized (
       select analytics_epoch, part from players where environment_id = $1 and analytics_epoch < $2
       order by environment_id, analytics_epoch, part limit 1
     ), page as (
       select p.part, p.player_id from first f
       join players p on p.environment_id = $1 and p.analytics_epoch = f.analytics_epoch and p.part = f.part limit $3
     )
     select part, player_id from page order by part, player_id`,
    [environmentId, epoch, limit],
  );
}

/**
 * Waits for running purchases and adjustments in a part, and blocks new ones. The players are locked first: that alone keeps folds away,
 * which lock their players too, and take this lock after them where they need it.
 */
export const lockPart = (tx: Transaction, environmentId: number, part: number) =>
  execute(tx`select pg_advisory_xact_lock(${COUNTING_LOCK}::int, analytics_key(${environmentId}::int, ${part}::smallint))`);

/** Rebuilds the days of locked players from the log. Days with purged events stay as they are. */
export async function rewriteDays(tx: Transaction, environmentId: number, timeZone: string, players: readonly PlayerKey[]): Promise<void> {
  const [parts, ids] = keyArrays(players);
  await tx`
    delete from player_days d using ${keyRows(tx, players)} k
    where d.part = k.part and d.player_id = k.player_id and not d.is_kept`;
  await tx`
    insert into player_days (part, player_id, environment_id, day, hour)
    select part, player_id, ${environmentId}::int, day, hour
    from analytics_days(${environmentId}::int, ${parts}::text::smallint[], ${ids}::text::uuid[], ${timeZone}::text)
    on conflict do nothing`;
}

/** Assigns the history of locked players to an epoch: appends their sums. Writers then add later facts to that epoch. */
export async function fileHistory(tx: Transaction, environmentId: number, epoch: number, timeZone: string, players: readonly PlayerKey[]) {
  const [parts, ids] = keyArrays(players);
  await tx`
    insert into analytics_deltas (environment_id, epoch, measure, subject, detail, day, count, amount)
    select ${environmentId}::int, ${epoch}::int, measure, subject, detail, day, count, amount
    from analytics_recount(${environmentId}::int, ${parts}::text::smallint[], ${ids}::text::uuid[], ${timeZone}::text)`;
  await tx`
    update players p set analytics_epoch = ${epoch}, last_active_on = (
      select max(d.day) from player_days d where d.part = p.part and d.player_id = p.player_id)
    from ${keyRows(tx, players)} k
    where p.part = k.part and p.player_id = k.player_id`;
}

/**
 * Moves the sums of locked players to the epoch that is never recounted, and deletes their days. Call before their rows are deleted: their
 * sums stay in every report, and recounts skip them.
 */
export async function keepSums(
  tx: Transaction,
  environmentId: number,
  epoch: number,
  kept: number,
  timeZone: string,
  players: readonly PlayerKey[],
): Promise<void> {
  const [parts, ids] = keyArrays(players);
  await tx`
    insert into analytics_deltas (environment_id, epoch, measure, subject, detail, day, count, amount)
    select ${environmentId}::int, m.epoch, r.measure, r.subject, r.detail, r.day, m.sign * r.count, m.sign * r.amount
    from analytics_recount(${environmentId}::int, ${parts}::text::smallint[], ${ids}::text::uuid[], ${timeZone}::text) r
    cross join (values (${epoch}::int, -1), (${kept}::int, 1)) as m(epoch, sign)
    where m.sign > 0 or m.epoch <> ${kept}::int`;
  await tx`
    delete from player_days d using ${keyRows(tx, players)} k
    where d.part = k.part and d.player_id = k.player_id`;
}

/** A sum with its key. */
export interface Sum extends Omit<CountRow, "epoch" | "hour" | "measure"> {
  measure: string;
}

/** The sums of some players, computed from the tables. */
export function recount(sql: Sql, environmentId: number, timeZone: string, players: readonly PlayerKey[]): Promise<Sum[]> {
  const [parts, ids] = keyArrays(players);
  return sql<Sum[]>`
    select measure, subject, detail, day::text as day, count, amount::text::json as amount
    from analytics_recount(${environmentId}::int, ${parts}::text::smallint[], ${ids}::text::uuid[], ${timeZone}::text)`.execute();
}

export function keptSums(sql: Sql, environmentId: number, epoch: number): Promise<Sum[]> {
  return sql<Sum[]>`
    select measure, subject, detail, day::text as day, sum(count)::bigint as count, sum(amount)::text::json as amount
    from (
      select measure, subject, detail, day, count, amount from analytics_daily where environment_id = ${environmentId} and epoch = ${epoch}
      union all
      select measure, subject, detail, day, count, amount from analytics_deltas where environment_id = ${environmentId} and epoch = ${epoch}
    ) s group by 1, 2, 3, 4`.execute();
}

/** A page of an environment's players, in the order of their external ids, and whether the history of each is in an epoch. */
export function countedPlayersAfter(sql: Sql, environmentId: number, epoch: number, externalId: string | null, limit: number) {
  return sql<(PlayerKey & { externalId: string; isCounted: boolean })[]>`
    select part, player_id, external_id, analytics_epoch = ${epoch} as is_counted
    from players where environment_id = ${environmentId} and external_id > ${externalId ?? ""}
    order by external_id limit ${limit}`.execute();
}

/** The days on which some players' activity differs from the log, apart from days with purged events. */
export function wrongDays(sql: Sql, environmentId: number, timeZone: string, players: readonly PlayerKey[]) {
  const [parts, ids] = keyArrays(players);
  return sql<(PlayerKey & { day: string; isKept: boolean })[]>`
    select coalesce(d.part, l.part) as part, coalesce(d.player_id, l.player_id) as player_id, coalesce(d.day, l.day)::text as day,
      d.day is not null as is_kept
    from (
      select d.part, d.player_id, d.day, d.is_kept from ${keyRows(sql, players)} k
      join player_days d on d.part = k.part and d.player_id = k.player_id
    ) d
    full join analytics_days(${environmentId}::int, ${parts}::text::smallint[], ${ids}::text::uuid[], ${timeZone}::text) l
      on l.part = d.part and l.player_id = d.player_id and l.day = d.day
    where d.day is null or (l.day is null and not d.is_kept)`.execute();
}

/** Lock class for compacting an environment's deltas. */
const COMPACTION_LOCK = 6;

/** The environments with deltas, found by stepping through the index. Planned each time: the table's size varies widely. */
export const environmentsWithDeltas = (sql: Sql): Promise<number[]> =>
  allValues(
    sql.unsafe<{ id: number }[]>(`
     with recursive found(id) as (
       (select environment_id from analytics_deltas order by environment_id limit 1)
       union all
       select (select d.environment_id from analytics_deltas d where d.environment_id > f.id order by d.environment_id limit 1)
       from found f where f.id is not null
     )
     select id from found where id is not null`),
  );

/**
 * Adds at most `limit` deltas of an environment to their daily sums, those with an hour also to the sums by hour; returns their number.
 * Uncommitted deltas are not seen, and come later. Returns 0 if another worker is compacting.
 */
export async function compactDeltas(tx: Transaction, environmentId: number, limit: number): Promise<number> {
  const [lock] = await tx<
    { isTaken: boolean }[]
  >`select pg_try_advisory_xact_lock(${COMPACTION_LOCK}::int, ${environmentId}::int) as is_taken`;
  if (lock?.isTaken !== true) return 0;
  return (
    (await firstValue(tx<{ count: number }[]>`
    with taken as (
      delete from analytics_deltas where ctid = any(array(
        select d.ctid from analytics_deltas d where d.environment_id = ${environmentId} limit ${limit} for update skip locked))
      returning *
    ), added as (
      insert into analytics_daily as d (environment_id, epoch, measure, day, subject, detail, count, amount)
      select environment_id, epoch, measure, day, subject, detail, sum(count), sum(amount) from taken group by 1, 2, 3, 4, 5, 6
      order by 1, 2, 3, 4, 5, 6
      on conflict (environment_id, epoch, measure, day, subject, detail) do update set count = d.count + excluded.count, amount = d.amount + excluded.amount
    ), by_hour as (
      insert into analytics_hourly as h (environment_id, measure, subject, day, hour, count, amount)
      select environment_id, measure, subject, day, hour, sum(count), sum(amount) from taken
      where hour is not null and measure <> 'duration' and measure not like 'hour.%' group by 1, 2, 3, 4, 5
      order by 1, 2, 3, 4, 5
      on conflict (environment_id, measure, subject, day, hour) do update set count = h.count + excluded.count, amount = h.amount + excluded.amount
    )
    select count(*) from taken`)) ?? 0
  );
}

/** Sums by hour are kept for the preview of alerts: four weeks, and the four weeks before them. */
const HOURLY_DAYS = 62;

/** Deletes at most `limit` sums by hour that are too old; returns their number. */
export const deleteOldHours = (sql: Sql, limit: number) =>
  affected(sql`
    delete from analytics_hourly where ctid = any(array(
      select h.ctid from analytics_hourly h join environments e on e.id = h.environment_id
      where h.day < (now() + e.clock_offset_ms * interval '1 ms')::date - ${HOURLY_DAYS}::int limit ${limit}))`);

/** Environments with sums of an earlier epoch, although every player's history is in the present one. */
export const environmentsWithOldSums = (sql: Sql): Promise<number[]> =>
  allValues(
    sql.unsafe<{ id: number }[]>(`
     with old as materialized (
       select e.id, e.analytics_epoch from environments e
       where exists (select from analytics_daily d where d.environment_id = e.id and d.epoch > 0 and d.epoch < e.analytics_epoch)
     )
     select o.id from old o where not has_players_behind(o.id, o.analytics_epoch)`),
  );

/** Deletes at most `limit` sums of earlier epochs; returns their number. */
export const deleteOldSums = (sql: Sql, environmentId: number, limit: number) =>
  affected(sql`
    delete from analytics_daily where ctid = any(array(
      select d.ctid from analytics_daily d join environments e on e.id = d.environment_id
      where d.environment_id = ${environmentId} and d.epoch > 0 and d.epoch < e.analytics_epoch limit ${limit}))`);
