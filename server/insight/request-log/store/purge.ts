import { affected, execute, type Sql } from "#db/client.ts";

/** The environments with entries in the log, and the days for which they keep requests, if configured. */
export async function loggedEnvironments(sql: Sql): Promise<{ id: number; days: number | null }[]> {
  return sql<{ id: number; days: number | null }[]>`
    select e.id, k.request_days as days from environments e left join retention k on k.environment_id = e.id
    where exists (select from request_log r where r.environment_id = e.id)
      or exists (select from event_tail t where t.environment_id = e.id)
      or exists (select from event_effects f where f.environment_id = e.id)
      or exists (select from request_log_omissions o where o.environment_id = e.id)
    order by e.id`;
}

/** Deletes a slice of the requests before an id, and of those beyond the newest `most`; returns the number. */
export const purgeRequests = (sql: Sql, environmentId: number, before: string, most: number, slice: number) =>
  affected(sql`
    with bound as materialized (
      select greatest(${before}::uuid,
        (select id from request_log where environment_id = ${environmentId} order by id desc offset ${most - 1} limit 1)) as first
    ), old as (
      select id from request_log where environment_id = ${environmentId} and id < (select first from bound)
      order by id limit ${slice} for update skip locked
    )
    delete from request_log r using old where r.environment_id = ${environmentId} and r.id = old.id`);

/** Likewise for items: those of the boundary request stay together. */
export const purgeItems = (sql: Sql, environmentId: number, before: string, most: number, slice: number) =>
  affected(sql`
    with bound as materialized (
      select greatest(${before}::uuid,
        (select request_id from event_tail where environment_id = ${environmentId} order by request_id desc offset ${most - 1} limit 1)) as first
    ), old as (
      select request_id, position from event_tail where environment_id = ${environmentId} and request_id < (select first from bound)
      order by request_id limit ${slice} for update skip locked
    )
    delete from event_tail t using old
    where t.environment_id = ${environmentId} and t.request_id = old.request_id and t.position = old.position`);

/**
 * Deletes a slice of the effects recorded for events before an instant (epoch milliseconds), and of those beyond the newest `most`.
 * Positions nearly rise with time, so only the slice is checked.
 */
export const purgeEffects = (sql: Sql, environmentId: number, before: number, most: number, slice: number) =>
  affected(sql`
    with first as materialized (
      select seq, at from event_effects where environment_id = ${environmentId} order by seq limit ${slice}
    ), bound as materialized (
      select (select seq from event_effects where environment_id = ${environmentId} order by seq desc offset ${most - 1} limit 1) as seq
    )
    delete from event_effects e using first f
    where e.environment_id = ${environmentId} and e.seq = f.seq
      and (f.at < ${before} or f.seq < (select seq from bound))`);

/** One row a minute is little: deletes all old ones in one statement. `before` in epoch milliseconds. */
export const purgeOmissions = (sql: Sql, environmentId: number, before: number) =>
  execute(sql`delete from request_log_omissions where environment_id = ${environmentId} and minute < ${before}`);
