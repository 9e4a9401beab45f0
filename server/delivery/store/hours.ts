import type { Sql } from "#db/client.ts";

/** An hour in which something was sent. Instants are real time, epoch milliseconds. */
export interface HourRow {
  endpointId: string;
  /** Its beginning. */
  hour: number;
  succeeded: number;
  failed: number;
  /** How many attempts took how long, by bucket (`webhook_latency` in db/functions.sql). */
  latencies: number[];
}

/** The hours of an environment's endpoints in which something was sent, from `since` on, of the sums that analytics keeps by the quarter. */
export const selectHours = (sql: Sql, environmentId: number, since: number): Promise<HourRow[]> =>
  sql<HourRow[]>`
    with own as (
      select w.endpoint_id, date_trunc('hour', w.quarter, 'UTC') as hour, w.attempts, w.delivered, w.latencies
      from webhook_endpoints e join analytics_webhooks w on w.environment_id = e.environment_id and w.endpoint_id = e.id
      where e.environment_id = ${environmentId} and w.quarter >= to_timestamp(${since / 1000}::float8)
    ), latencies as (
      select endpoint_id, hour, to_json(array_agg(count order by place)) as counts from (
        select o.endpoint_id, o.hour, n.place, sum(n.count)::int as count
        from own o cross join lateral unnest(o.latencies) with ordinality as n(count, place) group by 1, 2, 3
      ) s group by 1, 2
    )
    select o.endpoint_id as "endpointId", (extract(epoch from o.hour) * 1000)::bigint as hour, sum(o.delivered)::int as succeeded,
      sum(o.attempts - o.delivered)::int as failed, min(l.counts::text)::json as latencies
    from own o join latencies l on l.endpoint_id = o.endpoint_id and l.hour = o.hour
    group by 1, o.hour order by 1, o.hour`.execute();
