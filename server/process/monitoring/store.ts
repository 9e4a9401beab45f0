import type { Sql } from "#db/client.ts";
import { DEFAULT_LANES, FINE_LANES } from "../../model/kernel/lanes.ts";

/** The backlog of the whole database. Ages are in seconds of real time; 0 if nothing waits. */
export interface MeasuredBacklog {
  facts: number;
  lanes: number;
  oldestFactAge: number;
  quarantined: number;
  dueDeliveries: number;
  oldestDueDeliveryAge: number;
  databaseBytes: number;
}

/** Upper bound of the counts of quarantine, of each endpoint and of facts: a scrape must not read a million rows. */
export const MAX_COUNTED = 10_000;
export const MAX_FACTS = 40_000;

/**
 * A fact's age is measured on its environment's clock, which a Sandbox may move: its receipt is compared with that environment's present.
 * The queue is read by stepping from environment to environment in a lane's index, deliveries by endpoint; a delivery between two attempts
 * is not due. Planned each time: a table that was empty when a plan was cached may have filled since.
 */
export async function selectBacklog(sql: Sql): Promise<MeasuredBacklog> {
  const [row] = await sql.unsafe<MeasuredBacklog[]>(
    `with recursive waiting(lane, environment_id) as (
      select lane, (
        select q.environment_id from queued_facts q where q.lane = l.lane and q.seq > (select floor from queue_floor)
        order by q.environment_id limit 1)
      from generate_series(0, $1::int) l(lane)
      union all
      select w.lane, (
        select q.environment_id from queued_facts q
        where q.lane = w.lane and q.environment_id > w.environment_id and q.seq > (select floor from queue_floor)
        order by q.environment_id limit 1
      )
      from waiting w where w.environment_id is not null
    ), due as materialized (
      select d.due_at from pending_endpoints() p join webhook_endpoints e on e.id = p and e.disabled_at is null
      cross join lateral (
        select due_at from webhook_deliveries d
        where d.endpoint_id = p and d.status = 'Pending' and d.due_at <= now() order by d.due_at limit $2::int
      ) d
    )
    select
      (select count(*)::int from (
        select from generate_series(0, $1::int) l(lane) cross join lateral (
          select from queued_facts q where q.lane = l.lane and q.seq > (select floor from queue_floor) limit $3::int) q
        limit $3::int) counted) as facts,
      coalesce((select i.lanes from installation i), $4::int)::int as lanes,
      (select greatest(coalesce(max(extract(epoch from now() + s.clock_offset_ms * interval '1 ms' - q.received_at)), 0), 0)::float8
        from waiting w join environments s on s.id = w.environment_id cross join lateral (
          select q.received_at from queued_facts q
          where q.lane = w.lane and q.environment_id = w.environment_id and q.seq > (select floor from queue_floor)
          order by q.seq limit 1) q) as oldest_fact_age,
      (select count(*)::int from (select from quarantined_facts limit $2::int) counted) as quarantined,
      (select count(*)::int from due) as due_deliveries,
      (select greatest(coalesce(extract(epoch from now() - min(due_at)), 0), 0)::float8 from due) as oldest_due_delivery_age,
      pg_database_size(current_database())::float8 as database_bytes`,
    [FINE_LANES - 1, MAX_COUNTED, MAX_FACTS, DEFAULT_LANES],
  );
  return row!;
}
