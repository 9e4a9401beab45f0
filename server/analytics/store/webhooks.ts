import type { Sql } from "../../../db/client.ts";
import { formatInstant } from "../../kernel/time.ts";
import { arrayText } from "../../kernel/array-text.ts";

/** Attempts of an endpoint in one bucket, numbered from 1. */
export interface AttemptSum {
  endpointId: string;
  bucket: number;
  attempts: number;
  delivered: number;
  retries: number;
  /** By bucket of their duration, with as many entries as there are buckets (`db/functions.sql`, `webhook_latency`). */
  latencies: number[];
}

/** The attempts of an environment's endpoints between instants (epoch milliseconds): from each bound up to the next, the last up to `end`. */
export function selectAttempts(sql: Sql, environmentId: number, bounds: readonly number[], end: number): Promise<AttemptSum[]> {
  const instants = bounds.map((at) => `"${formatInstant(at)}"`);
  return sql.unsafe<AttemptSum[]>(
    `with own as (
       select w.*, width_bucket(w.quarter, (select $2::text::timestamptz[])) as bucket from analytics_webhooks w
       where w.environment_id = $1 and w.quarter >= to_timestamp($3::float8) and w.quarter < to_timestamp($4::float8)
     ), latencies as (
       select endpoint_id, bucket, array_agg(count order by place) as counts
       from (select o.endpoint_id, o.bucket, n.place, sum(n.count)::int as count from own o cross join lateral unnest(o.latencies) with ordinality as n(count, place)
         group by 1, 2, 3) s group by 1, 2
     )
     select o.endpoint_id as "endpointId", o.bucket, sum(o.attempts)::bigint as attempts, sum(o.delivered)::bigint as delivered,
       sum(o.retries)::bigint as retries, to_json(l.counts) as latencies
     from own o join latencies l on l.endpoint_id = o.endpoint_id and l.bucket = o.bucket group by o.endpoint_id, o.bucket, l.counts`,
    [environmentId, arrayText(instants), bounds[0]! / 1000, end / 1000],
    { prepare: false },
  );
}

/** The first quarter with an attempt, epoch milliseconds; null before one. */
export async function firstAttempt(sql: Sql, environmentId: number): Promise<number | null> {
  const [row] = await sql<{ at: number | null }[]>`
    select (extract(epoch from min(quarter)) * 1000)::bigint as at from analytics_webhooks where environment_id = ${environmentId}`;
  return row?.at ?? null;
}

/** The addresses of an environment's endpoints, by id. */
export async function selectEndpointUrls(sql: Sql, environmentId: number): Promise<Map<string, string>> {
  const rows = await sql<
    { id: string; url: string }[]
  >`select id, url from webhook_endpoints where environment_id = ${environmentId} order by created_at, id`;
  return new Map(rows.map(({ id, url }) => [id, url]));
}
