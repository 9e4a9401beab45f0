import { firstValue, type Sql } from "#db/client.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import { LATENCY_BUCKETS } from "#server/model/kernel/durations.ts";
import { arrayText } from "#server/model/kernel/stored.ts";

/** An endpoint's attempts in one bucket, numbered from 1. */
export interface AttemptSum {
  endpointId: string;
  bucket: number;
  attempts: number;
  delivered: number;
  retries: number;
}

/**
 * The attempts of an environment's endpoints between instants (epoch milliseconds). Buckets run from each bound to the next, the last to
 * `end`.
 */
export function selectAttemptCounts(sql: Sql, environmentId: number, bounds: readonly number[], end: number): Promise<AttemptSum[]> {
  const instants = bounds.map((at) => `"${formatInstant(at)}"`);
  return sql.unsafe<AttemptSum[]>(
    `select endpoint_id, width_bucket(quarter, (select $2::text::timestamptz[])) as bucket,
       sum(attempts)::bigint as attempts, sum(delivered)::bigint as delivered, sum(retries)::bigint as retries
     from analytics_webhooks
     where environment_id = $1 and quarter >= $3 and quarter < $4
     group by 1, 2`,
    [environmentId, arrayText(instants), bounds[0]!, end],
  );
}

/**
 * The attempts by endpoint and latency bucket (`webhook_latency` in db/functions/webhooks.sql), between instants. One sum per bucket:
 * unnesting the arrays of ninety days took half a second.
 */
export async function selectLatencies(sql: Sql, environmentId: number, from: number, end: number): Promise<Map<string, number[]>> {
  const sums = Array.from({ length: LATENCY_BUCKETS }, (_, at) => `coalesce(sum(latencies[${at + 1}]), 0)::bigint`);
  const rows = await sql.unsafe<{ endpointId: string; latencies: number[] }[]>(
    `select endpoint_id, to_json(array[${sums.join(", ")}]) as latencies
     from analytics_webhooks
     where environment_id = $1 and quarter >= $2 and quarter < $3
     group by 1`,
    [environmentId, from, end],
  );
  return new Map(rows.map(({ endpointId, latencies }) => [endpointId, latencies]));
}

/** The start of the first quarter-hour with an attempt, epoch milliseconds; null without attempts. */
export const firstAttempt = (sql: Sql, environmentId: number) =>
  firstValue(sql<{ at: number | null }[]>`
    select min(quarter) as at from analytics_webhooks where environment_id = ${environmentId}`);

/** The shown URLs of an environment's endpoints, by id. */
export async function selectEndpointUrls(sql: Sql, environmentId: number): Promise<Map<string, string>> {
  const rows = await sql<
    { id: string; url: string }[]
  >`select id, shown_url(url) as url from webhook_endpoints where environment_id = ${environmentId} order by created_at, id`;
  return new Map(rows.map(({ id, url }) => [id, url]));
}
