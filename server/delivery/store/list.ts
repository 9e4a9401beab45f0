import type { Sql } from "#db/client.ts";
import type { ShownStatus } from "../../model/webhooks/held.ts";
import { deliveryColumns, type DeliveryRow, withLastAttempt } from "./deliveries.ts";

/** A filter of deliveries; null matches everything. Instants are real time, epoch milliseconds. */
export interface DeliveryFilter {
  endpointId: string | null;
  status: ShownStatus | null;
  /** Events; those of no delivery find nothing. */
  events: readonly string[];
  /** Written from then on, and before. */
  from: number | null;
  until: number | null;
}

/** A cursor in a list of deliveries. */
export interface DeliveryCursor {
  createdAt: number;
  id: string;
}

/**
 * The newest deliveries of an environment below a cursor; `limit` at most. Each endpoint and event is a walk of its own down an index, and
 * the newest of all of them are taken, so that a rare event is found as soon as a frequent one.
 */
export const selectDeliveries = (
  sql: Sql,
  environmentId: number,
  filter: DeliveryFilter,
  below: DeliveryCursor | null,
  limit: number,
): Promise<DeliveryRow[]> =>
  sql<DeliveryRow[]>`
    select ${deliveryColumns(sql)}
    from (
      select found.id
      from webhook_endpoints e cross join unnest(${filter.events as string[]}::text[]) as v(event)
      cross join lateral (
        select d.id, d.created_at from webhook_deliveries d
        where d.endpoint_id = e.id and d.event = v.event ${within(sql, filter, below)}
        order by d.created_at desc, d.id desc limit ${limit}::int
      ) found
      where ${ofEndpoints(sql, environmentId, filter)}
      order by found.created_at desc, found.id desc limit ${limit}::int
    ) newest
    join webhook_deliveries d on d.id = newest.id ${withLastAttempt(sql)}
    order by d.created_at desc, d.id desc`.execute();

/** The same for one player, by external id, which has its own index. */
export const selectDeliveriesOf = (
  sql: Sql,
  environmentId: number,
  externalId: string,
  filter: DeliveryFilter,
  below: DeliveryCursor | null,
  limit: number,
): Promise<DeliveryRow[]> =>
  sql<DeliveryRow[]>`
    select ${deliveryColumns(sql)} from webhook_deliveries d ${withLastAttempt(sql)}
    where d.environment_id = ${environmentId} and d.data ->> 'playerExternalId' = ${externalId}
      and d.event = any(${filter.events as string[]}::text[]) and ${ofEndpoints(sql, environmentId, filter)} ${within(sql, filter, below)}
    order by d.created_at desc, d.id desc limit ${limit}::int`.execute();

/** The endpoints `e` that match a filter. Held and pending deliveries have the same status in their rows and differ by the endpoint. */
const ofEndpoints = (sql: Sql, environmentId: number, { endpointId, status }: DeliveryFilter) => sql`
  e.environment_id = ${environmentId} ${endpointId === null ? sql`` : sql`and e.id = ${endpointId}::uuid`}
  ${status === "Held" ? sql`and e.disabled_at is not null` : status === "Pending" ? sql`and e.disabled_at is null` : sql``}`;

/** The deliveries `d` that match a filter. The status is a literal, as a partial index is only used if the statement has its condition. */
const within = (sql: Sql, { status, from, until }: DeliveryFilter, below: DeliveryCursor | null) => sql`
  ${statusIs(sql, status)}
  ${from === null ? sql`` : sql`and d.created_at >= to_timestamp(${from / 1000}::float8)::timestamptz(3)`}
  ${until === null ? sql`` : sql`and d.created_at < to_timestamp(${until / 1000}::float8)::timestamptz(3)`}
  ${below === null ? sql`` : sql`and (d.created_at, d.id) < (to_timestamp(${below.createdAt / 1000}::float8)::timestamptz(3), ${below.id}::uuid)`}`;

const statusIs = (sql: Sql, status: ShownStatus | null) =>
  status === null
    ? sql``
    : status === "Delivered"
      ? sql`and d.status = 'Delivered'`
      : status === "Failed"
        ? sql`and d.status = 'Failed'`
        : sql`and d.status = 'Pending'`;
