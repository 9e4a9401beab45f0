import type { Sql } from "../../../db/client.ts";
import { writeJson } from "../../kernel/json.ts";
import type { ShownStatus } from "../held.ts";
import { deliveryColumns, type DeliveryRow, withLastAttempt } from "./deliveries.ts";

/** What deliveries are looked through for; null is everything. Instants are real time, epoch milliseconds. */
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

/** A notification of a player: what it tells of, and when (real time) that came to be where it is known. */
export interface Told {
  event: string;
  sourceId: string;
  createdAt: number | null;
}

/** The ids that are looked up for one page, about. */
const MOST_IDS = 50_000;

/**
 * The same of some sources. A delivery that a fold wrote is found by its id, which is derived; one of a purchase by its instant, at which
 * the item came to be owed. The count of resets and erasures that stands in the id was another one when the delivery was written, if somebody
 * has been erased since: as many earlier counts are tried as the bound allows.
 */
export const selectDeliveriesOf = (
  sql: Sql,
  environmentId: number,
  told: readonly Told[],
  filter: DeliveryFilter,
  below: DeliveryCursor | null,
  limit: number,
): Promise<DeliveryRow[]> =>
  sql<DeliveryRow[]>`
    with endpoints as materialized (
      select e.id, s.resets from webhook_endpoints e join environments s on s.id = e.environment_id
      where ${ofEndpoints(sql, environmentId, filter)}
    ), told as materialized (
      select * from json_to_recordset(${writeJson(told)}::text::json) as t("event" text, "sourceId" uuid, "createdAt" float8)
      where t.event = any(${filter.events as string[]}::text[])
    ), found as (
      select webhook_delivery_id(t.event, t."sourceId", e.id, n) as id from told t cross join endpoints e
      cross join lateral generate_series(
        greatest(e.resets - ${MOST_IDS}::int / ((select count(*) from told) * (select count(*) from endpoints)), 0)::int, e.resets) n
      union
      select d.id from told t cross join endpoints e
      join webhook_deliveries d on d.endpoint_id = e.id and d.event = t.event and d.source_id = t."sourceId"
        and d.created_at = to_timestamp(t."createdAt" / 1000)::timestamptz(3)
      where t."createdAt" is not null
    )
    select ${deliveryColumns(sql)} from webhook_deliveries d ${withLastAttempt(sql)}
    where d.id = any(array(select id from found)) ${within(sql, filter, below)}
    order by d.created_at desc, d.id desc limit ${limit}::int`.execute();

/** The endpoints `e` that a filter leaves. Held and pending deliveries have the same status in their rows: the endpoint tells them apart. */
const ofEndpoints = (sql: Sql, environmentId: number, { endpointId, status }: DeliveryFilter) => sql`
  e.environment_id = ${environmentId} ${endpointId === null ? sql`` : sql`and e.id = ${endpointId}::uuid`}
  ${status === "Held" ? sql`and e.disabled_at is not null` : status === "Pending" ? sql`and e.disabled_at is null` : sql``}`;

/** The deliveries `d` that a filter leaves. The status is written out: an index of some rows is only used where the statement says so. */
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
