import { affected, allValues, onlyValue, type Sql, type Transaction } from "#db/client.ts";

/** Deliveries whose last attempt failed from `since` to `until` (real time, epoch milliseconds) at endpoints that are on. */
export interface FailedFilter {
  /** Null: every endpoint of the environment. */
  endpointId: string | null;
  events: readonly string[];
  since: number;
  until: number;
}

/** "Failed": given up, by the schedule or because of the receiver's answer. "Waiting": the schedule will attempt it again. */
export type FailedState = "Failed" | "Waiting";

/** Read on its own: a distributed database cannot join these with the deliveries. They are few, since people make each. */
const reversedPurchases = (sql: Sql, environmentId: number) =>
  allValues(sql<{ id: string }[]>`
    select id from marketplace_purchases where environment_id = ${environmentId} and reversed_at is not null`);

/**
 * The deliveries `d` in a state. Due ones are left to the dispatchers, so none of these is leased. A waiting delivery is selected by its
 * last attempt: one that is resent and fails again has a later attempt, so the same `until` does not select it twice. A failed item of a
 * reversed purchase is left out: the player has the points back.
 */
const found = (
  sql: Sql,
  environmentId: number,
  { endpointId, events, since, until }: FailedFilter,
  state: FailedState,
  reversed: readonly string[],
) => sql`
  webhook_endpoints e cross join unnest(${events as string[]}::text[]) as v(event)
  join webhook_deliveries d on d.endpoint_id = e.id and d.event = v.event
    ${
      state === "Failed"
        ? sql`and d.status = 'Failed' and d.given_up is null
          and d.due_at >= ${since} and d.due_at <= ${until}
          and (d.data ->> 'sourceId' in (select unnest(${reversed as string[]}::text[]))) is not true`
        : sql`and d.status = 'Pending' and d.due_at > now() and exists (
            select from webhook_attempts a where a.delivery_id = d.id and a.number = d.attempts
              and a.started_at >= ${since} and a.started_at <= ${until})`
    }
  where e.environment_id = ${environmentId} and e.disabled_at is null
    ${endpointId === null ? sql`` : sql`and e.id = ${endpointId}::uuid`}`;

export async function countFailed(sql: Sql, environmentId: number, filter: FailedFilter, state: FailedState, limit: number) {
  const reversed = await reversedPurchases(sql, environmentId);
  return onlyValue(sql<{ count: number }[]>`
    select count(*) as count from (select from ${found(sql, environmentId, filter, state, reversed)} limit ${limit}::int) counted`);
}

/**
 * Makes at most `limit` deliveries in a state due, oldest first, and returns their number. Rows locked by another call are skipped, so
 * concurrent calls send nothing twice.
 */
export async function makeFailedDue(tx: Transaction, environmentId: number, filter: FailedFilter, state: FailedState, limit: number) {
  const reversed = await reversedPurchases(tx, environmentId);
  return affected(tx`
    update webhook_deliveries set status = 'Pending', due_at = created_at, leased_until = null
    where id = any(array(
      select d.id from ${found(tx, environmentId, filter, state, reversed)} order by d.created_at limit ${limit}
      for update of d skip locked
    ))`);
}
