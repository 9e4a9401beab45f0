import type { Sql, Transaction } from "#db/client.ts";

/** Lock class for compacting an environment's deltas. */
const COMPACTION_LOCK = 6;

/** The environments with deltas, found by stepping through the index. Planned each time: the table's size varies widely. */
export async function environmentsWithDeltas(sql: Sql): Promise<number[]> {
  const rows = await sql.unsafe<{ id: number }[]>(
    `with recursive found(id) as (
       (select environment_id from analytics_deltas order by environment_id limit 1)
       union all
       select (select d.environment_id from analytics_deltas d where d.environment_id > f.id order by d.environment_id limit 1)
       from found f where f.id is not null
     )
     select id from found where id is not null`,
    [],
    { prepare: false },
  );
  return rows.map(({ id }) => id);
}

/**
 * Adds at most `limit` deltas of an environment to their daily sums; returns their number. Uncommitted deltas are not seen, and come later.
 * Returns 0 if another worker is compacting.
 */
export async function compactDeltas(tx: Transaction, environmentId: number, limit: number): Promise<number> {
  const [lock] = await tx<
    { isTaken: boolean }[]
  >`select pg_try_advisory_xact_lock(${COMPACTION_LOCK}::int, ${environmentId}::int) as "isTaken"`;
  if (lock?.isTaken !== true) return 0;
  const [row] = await tx<{ count: number }[]>`
    with taken as (
      delete from analytics_deltas where ctid = any(array(
        select d.ctid from analytics_deltas d where d.environment_id = ${environmentId} limit ${limit} for update skip locked))
      returning *
    ), added as (
      insert into analytics_daily as d (environment_id, epoch, measure, day, subject, detail, count, amount)
      select environment_id, epoch, measure, day, subject, detail, sum(count), sum(amount) from taken group by 1, 2, 3, 4, 5, 6
      order by 1, 2, 3, 4, 5, 6
      on conflict (environment_id, epoch, measure, day, subject, detail) do update set count = d.count + excluded.count, amount = d.amount + excluded.amount
    )
    select count(*) from taken`;
  return row?.count ?? 0;
}

/** Environments with sums of an earlier epoch, although every player's history is in the present one. */
export async function environmentsWithOldSums(sql: Sql): Promise<number[]> {
  const rows = await sql.unsafe<{ id: number }[]>(
    `with old as materialized (
       select e.id, e.analytics_epoch from environments e
       where exists (select from analytics_daily d where d.environment_id = e.id and d.epoch > 0 and d.epoch < e.analytics_epoch)
     )
     select o.id from old o where not has_players_behind(o.id, o.analytics_epoch)`,
    [],
    { prepare: false },
  );
  return rows.map(({ id }) => id);
}

/** Deletes at most `limit` sums of earlier epochs; returns their number. */
export async function deleteOldSums(sql: Sql, environmentId: number, limit: number): Promise<number> {
  const { count } = await sql`
    delete from analytics_daily where ctid = any(array(
      select d.ctid from analytics_daily d join environments e on e.id = d.environment_id
      where d.environment_id = ${environmentId} and d.epoch > 0 and d.epoch < e.analytics_epoch limit ${limit}))`;
  return count;
}
