import { affected, affectsRow, execute, firstRow, hasRow, type Sql, type Transaction } from "#db/client.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { PlayerKey } from "../../model/kernel/player.ts";
import type { Message } from "../../model/webhooks/request.ts";
import type { ShownStatus } from "../../model/webhooks/outcome.ts";

/** The status in a delivery's row. Pending deliveries of an endpoint that is off are held (`model/webhooks/outcome.ts`). */
export type DeliveryStatus = "Pending" | "Delivered" | "Failed";

/** A delivery in a list, with the result of its last attempt. Instants are real time, epoch milliseconds. */
export interface DeliveryRow {
  id: string;
  endpointId: string;
  url: string;
  /** Whether the endpoint is on. */
  isOn: boolean;
  event: string;
  /** The external id of the player that it is about; null if there is none. */
  player: string | null;
  status: DeliveryStatus;
  attempts: number;
  createdAt: number;
  /** The next attempt of a pending delivery. */
  dueAt: number;
  /** Whether a process is sending it at this moment. */
  isUnderWay: boolean;
  lastStatus: number | null;
  lastError: string | null;
  /** Why a failed delivery was given up; null if its receiver refused it or its schedule ended. */
  givenUp: "Discarded" | "HeldTooLong" | null;
}

/** The columns of a `DeliveryRow`; the rows are called `d` with their last attempt `a` and endpoint `e`. */
const deliveryColumns = (sql: Sql) => sql`
  d.id, d.event, d.status, d.attempts, d.endpoint_id, shown_url(e.url) as url, e.disabled_at is null as is_on,
  d.data ->> 'playerExternalId' as player, d.created_at, d.due_at, coalesce(d.leased_until > now(), false) as is_under_way,
  a.response_status as last_status, a.error as last_error, d.given_up`;

/** Joins the last attempt and the endpoint to the deliveries `d`. */
const withLastAttempt = (sql: Sql) => sql`
  join webhook_endpoints e on e.id = d.endpoint_id
  left join webhook_attempts a on a.delivery_id = d.id and a.number = d.attempts`;

export interface AttemptMade {
  /** The attempt's number, from 1. */
  number: number;
  startedAt: number;
  durationMs: number;
  responseStatus: number | null;
  error: string | null;
  /** Whether the beginning of its response is stored. */
  hasAnswer: boolean;
}

/** One delivery with its body; null if the endpoint has none of this id. */
export const selectDelivery = (sql: Sql, endpointId: string, id: string) =>
  firstRow(sql<(DeliveryRow & Message)[]>`
    select ${deliveryColumns(sql)}, d.data::text as data, d.occurred_at
    from webhook_deliveries d ${withLastAttempt(sql)} where d.id = ${id} and d.endpoint_id = ${endpointId}`);

export const isReversed = (sql: Sql, { part, playerId }: PlayerKey, purchaseId: string) =>
  hasRow(sql<{ id: string }[]>`
    select id from marketplace_purchases
    where part = ${part} and player_id = ${playerId} and id = ${purchaseId} and reversed_at is not null`);

/** The attempts of a delivery, in order. */
export const selectAttempts = (sql: Sql, deliveryId: string): Promise<AttemptMade[]> =>
  sql<AttemptMade[]>`
    select number, started_at, duration_ms, response_status, error,
      exists (select from webhook_answers w where w.delivery_id = t.delivery_id and w.number = t.number) as has_answer
    from webhook_attempts t where delivery_id = ${deliveryId} order by number`.execute();

/** The status of a notification at one endpoint. */
export type DeliveryStateRow = Pick<DeliveryRow, "id" | "endpointId" | "isOn" | "status" | "attempts"> & { sourceId: string };

/**
 * The status of an event's deliveries for these sources. A delivery is written in the transaction of its fact, so both have the same real
 * time (epoch milliseconds). The index of an endpoint's newest deliveries finds it by that time.
 */
export async function selectDeliveryStates(
  sql: Sql,
  environmentId: number,
  event: string,
  facts: readonly { sourceId: string; createdAt: number }[],
): Promise<DeliveryStateRow[]> {
  if (facts.length === 0) return [];
  return sql.unsafe<DeliveryStateRow[]>(
    `select d.id, d.source_id, d.endpoint_id, e.disabled_at is null as is_on, d.status, d.attempts
    from json_to_recordset($1::text::json) as f("sourceId" uuid, "createdAt" float8)
    join webhook_endpoints e on e.environment_id = $2
    join webhook_deliveries d on d.endpoint_id = e.id and d.created_at = to_timestamp(f."createdAt" / 1000)::timestamptz(3)
      and d.source_id = f."sourceId" and d.event = $3`,
    [writeJson(facts), environmentId, event],
  );
}

/** Makes a delivery of any status due now; false while a process is sending it. Attempts continue to be counted. */
export const makeDue = (tx: Transaction, id: string) =>
  hasRow(tx<{ id: string }[]>`
    update webhook_deliveries set status = 'Pending', due_at = now(), leased_until = null, given_up = null
    where id = ${id} and (status <> 'Pending' or leased_until is null or leased_until <= now()) returning id`);

/** Discards one pending delivery; false if it is not pending. */
export const discardOne = (tx: Transaction, id: string) =>
  affectsRow(tx`
    update webhook_deliveries set status = 'Failed', given_up = 'Discarded' where id = ${id} and status = 'Pending'`);

/**
 * Makes every held delivery of an endpoint due now, in the order in which they were written: retries do not wait for their schedule. A
 * delivery without an attempt has been due since it was written.
 */
export const makeHeldDue = (tx: Transaction, endpointId: string) =>
  execute(tx`
    update webhook_deliveries set due_at = created_at
    where endpoint_id = ${endpointId} and status = 'Pending' and due_at > created_at`);

/** Discards all pending deliveries of an endpoint and returns their number. A running attempt that succeeds still counts. */
export const discardPending = (tx: Transaction, endpointId: string) =>
  affected(tx`
    update webhook_deliveries set status = 'Failed', given_up = 'Discarded' where endpoint_id = ${endpointId} and status = 'Pending'`);

/** A filter of deliveries; null matches everything. Instants are real time, epoch milliseconds. */
export interface DeliveryFilter {
  endpointId: string | null;
  status: ShownStatus | null;
  /** Types of events. */
  events: readonly string[];
  /** Written at or after `from`, and before `until`. */
  from: number | null;
  until: number | null;
}

export interface DeliveryCursor {
  createdAt: number;
  id: string;
}

/**
 * The newest deliveries of an environment below a cursor, `limit` at most. Each endpoint and event is read by its own index scan and the
 * results are merged, so that rare events are found as fast as frequent ones.
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

/** The same for the deliveries about one player, by external id: they have their own index. */
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

/** The endpoints `e` that match a filter. Held deliveries are pending ones of an endpoint that is off; their rows have the same status. */
const ofEndpoints = (sql: Sql, environmentId: number, { endpointId, status }: DeliveryFilter) => sql`
  e.environment_id = ${environmentId} ${endpointId === null ? sql`` : sql`and e.id = ${endpointId}::uuid`}
  ${status === "Held" ? sql`and e.disabled_at is not null` : status === "Pending" ? sql`and e.disabled_at is null` : sql``}`;

/**
 * The deliveries `d` that match a filter. The status is a literal: PostgreSQL uses a partial index only if the statement has its condition.
 */
const within = (sql: Sql, { status, from, until }: DeliveryFilter, below: DeliveryCursor | null) => sql`
  ${statusIs(sql, status)}
  ${from === null ? sql`` : sql`and d.created_at >= ${from}`}
  ${until === null ? sql`` : sql`and d.created_at < ${until}`}
  ${below === null ? sql`` : sql`and (d.created_at, d.id) < (${below.createdAt}, ${below.id}::uuid)`}`;

const statusIs = (sql: Sql, status: ShownStatus | null) =>
  status === null
    ? sql``
    : status === "Delivered"
      ? sql`and d.status = 'Delivered'`
      : status === "Failed"
        ? sql`and d.status = 'Failed'`
        : sql`and d.status = 'Pending'`;
