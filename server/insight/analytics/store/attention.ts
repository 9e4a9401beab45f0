import { onlyValue, type Sql } from "#db/client.ts";

export interface FailingEndpoint {
  endpointId: string;
  url: string;
  /** Epoch milliseconds, real time. */
  since: number;
  isOff: boolean;
}

/** Endpoints whose every attempt fails, and those that were switched off for it; the longest failing first. */
export const selectFailingEndpoints = (sql: Sql, environmentId: number): Promise<FailingEndpoint[]> =>
  sql<FailingEndpoint[]>`
    select id as endpoint_id, shown_url(url) as url, coalesce(failing_since, now()) as since, disabled_at is not null as is_off
    from webhook_endpoints where environment_id = ${environmentId} and failing_since is not null order by failing_since`.execute();

export const countInQuarantine = (sql: Sql, environmentId: number) =>
  onlyValue(sql<{ count: number }[]>`select count(*) from quarantined_facts where environment_id = ${environmentId}`);

/** API keys at least this many days old that no request has used; the oldest first. */
export const selectUnusedKeys = (sql: Sql, environmentId: number, days: number) =>
  sql<{ id: string; name: string; hint: string; createdAt: number }[]>`
    select id, name, hint, created_at from api_keys
    where environment_id = ${environmentId} and revoked_at is null and last_used_at is null
      and created_at < now() - ${days} * interval '1 day'
    order by created_at, id limit 100`.execute();

/** Pending deliveries, and those created since an instant (epoch milliseconds) that failed for good. */
export async function countDeliveries(sql: Sql, environmentId: number, since: number): Promise<{ waiting: number; failed: number }> {
  const [row] = await sql.unsafe<{ waiting: number; failed: number }[]>(
    `select coalesce(sum((select count(*) from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'Pending')), 0)::bigint as waiting,
       coalesce(sum((select count(*) from webhook_deliveries d
         where d.endpoint_id = e.id and d.status = 'Failed' and d.created_at >= $2::timestamptz)), 0)::bigint as failed
     from webhook_endpoints e where e.environment_id = $1`,
    [environmentId, since],
  );
  return row ?? { waiting: 0, failed: 0 };
}
