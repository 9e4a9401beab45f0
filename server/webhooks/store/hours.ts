import type { Sql } from "../../../db/client.ts";

/**
 * Adds the attempts `r` to the hours of their endpoints, in the order of the key: a part of the statement that records them, so that it is
 * one round trip. An attempt that two processes made, because a lease ran out, counts twice: the receiver had both requests.
 */
export const COUNT_HOURS = `
  insert into webhook_hours as h (endpoint_id, hour, succeeded, failed, latency_sum, latency_max)
  select "endpointId", to_timestamp(floor("startedAt" / 3600000) * 3600), count(*) filter (where status = 'Delivered'),
    count(*) filter (where status <> 'Delivered'), sum("durationMs"), max("durationMs")
  from r group by 1, 2 order by 1, 2
  on conflict (endpoint_id, hour) do update set succeeded = h.succeeded + excluded.succeeded, failed = h.failed + excluded.failed,
    latency_sum = h.latency_sum + excluded.latency_sum, latency_max = greatest(h.latency_max, excluded.latency_max)`;

/** An hour in which something was sent. Instants are real time, epoch milliseconds. */
export interface HourRow {
  endpointId: string;
  /** Its beginning. */
  hour: number;
  succeeded: number;
  failed: number;
  /** In milliseconds, as the next one. */
  averageMs: number;
  longestMs: number;
}

/** The hours of an environment's endpoints in which something was sent, from `since` on. */
export const selectHours = (sql: Sql, environmentId: number, since: number): Promise<HourRow[]> =>
  sql<HourRow[]>`
    select h.endpoint_id as "endpointId", (extract(epoch from h.hour) * 1000)::bigint as hour, h.succeeded, h.failed,
      round(h.latency_sum::float8 / greatest(h.succeeded + h.failed, 1))::int as "averageMs", h.latency_max as "longestMs"
    from webhook_endpoints e join webhook_hours h on h.endpoint_id = e.id
    where e.environment_id = ${environmentId} and h.hour >= to_timestamp(${since / 1000}::float8)
    order by h.endpoint_id, h.hour`.execute();

/** Deletes hours older than `keptMs`, of endpoints that are there. */
export async function deleteOldHours(sql: Sql, keptMs: number): Promise<void> {
  await sql`
    delete from webhook_hours h using webhook_endpoints e
    where h.endpoint_id = e.id and h.hour < now() - ${keptMs}::float8 * interval '1 ms'`;
}
