import type { Sql, Transaction } from "../../../db/client.ts";

/** Deliveries that failed from `since` to `until` (real time, epoch milliseconds) at endpoints that are on. */
export interface FailedFilter {
  /** Null: every endpoint of the environment. */
  endpointId: string | null;
  events: readonly string[];
  since: number;
  until: number;
}

/** What failed: its last attempt was recorded in that time, and nobody discarded it. */
const failed = (sql: Sql, environmentId: number, { endpointId, events, since, until }: FailedFilter) => sql`
  webhook_endpoints e cross join unnest(${events as string[]}::text[]) as v(event)
  join webhook_deliveries d on d.endpoint_id = e.id and d.event = v.event and d.status = 'Failed' and d.given_up is null
    and d.due_at >= to_timestamp(${since / 1000}::float8) and d.due_at <= to_timestamp(${until / 1000}::float8)
  where e.environment_id = ${environmentId} and e.disabled_at is null
    ${endpointId === null ? sql`` : sql`and e.id = ${endpointId}::uuid`}`;

export async function countFailed(sql: Sql, environmentId: number, filter: FailedFilter): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) as count from ${failed(sql, environmentId, filter)}`;
  return row?.count ?? 0;
}

/**
 * Makes failed deliveries due, the oldest first, `limit` at most; how many. Those that another call has in hand are left to it, so that
 * two calls at once send nothing twice.
 */
export async function makeFailedDue(tx: Transaction, environmentId: number, filter: FailedFilter, limit: number): Promise<number> {
  const { count } = await tx`
    update webhook_deliveries set status = 'Pending', due_at = created_at, leased_until = null
    where id = any(array(
      select d.id from ${failed(tx, environmentId, filter)} order by d.created_at limit ${limit} for update of d skip locked
    ))`;
  return count;
}
