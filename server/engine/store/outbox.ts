import { execute, type Transaction } from "#db/client.ts";
import { currentTraceScope } from "#db/trace-scope.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { WebhookNotification } from "../../model/webhooks/subscriptions.ts";

/**
 * Writes a delivery for each notification and each endpoint that subscribes to it now, switched on or off, and a copy for each listener, in
 * the transaction of the fact, which holds the environment's lock: endpoints and subscriptions cannot change meanwhile. The id is derived,
 * so a retry finds its deliveries. Without subscribers it costs one small query.
 */
export async function enqueueDeliveries(tx: Transaction, notifications: readonly WebhookNotification[]): Promise<void> {
  if (notifications.length === 0) return;
  const receivers = await subscriptions(tx, [...new Set(notifications.map(({ environmentId }) => environmentId))]);
  const copied = notifications.filter(({ environmentId, event }) => receivers.listeners.has(`${environmentId} ${event}`));
  if (copied.length > 0) await writeCopies(tx, copied);
  const wanted = notifications.filter(({ environmentId, event }) => receivers.endpoints.has(`${environmentId} ${event}`));
  if (wanted.length === 0) return;
  const traces = currentTraceScope();
  const rows = traces === undefined ? wanted : wanted.map((one) => ({ ...one, traceparent: traces.traceparentOf(playerOf(one)) }));
  await tx`
    insert into webhook_deliveries (id, endpoint_id, environment_id, event, source_id, data, occurred_at
      ${traces === undefined ? tx`` : tx`, traceparent`})
    select webhook_delivery_id(n.event, n."sourceId", e.id, s.resets),
      e.id, n."environmentId", n.event, n."sourceId", n.data, to_timestamp(n."occurredAt" / 1000)
      ${traces === undefined ? tx`` : tx`, n.traceparent`}
    from json_to_recordset(${writeJson(rows)}::text::json)
      as n("environmentId" int, "event" text, "sourceId" uuid, "data" json, "occurredAt" float8, "traceparent" text)
    join webhook_endpoints e on e.environment_id = n."environmentId" and n.event = any(e.events)
    join environments s on s.id = e.environment_id
    on conflict do nothing`;
}

function playerOf({ data }: WebhookNotification): string | null {
  return "playerExternalId" in data && typeof data.playerExternalId === "string" ? data.playerExternalId : null;
}

/** "environment event" pairs with at least one subscribed endpoint, and those with at least one listener. */
async function subscriptions(
  tx: Transaction,
  environmentIds: readonly number[],
): Promise<{ endpoints: Set<string>; listeners: Set<string> }> {
  const rows = await tx<{ environmentId: number; events: string[]; isListener: boolean }[]>`
    select environment_id, events, false as is_listener from webhook_endpoints
    where environment_id in ${tx(environmentIds)}
    union all
    select environment_id, events, true from webhook_listeners where environment_id in ${tx(environmentIds)}`;
  const namesOf = (isListener: boolean) =>
    new Set(rows.flatMap((row) => (row.isListener === isListener ? row.events.map((event) => `${row.environmentId} ${event}`) : [])));
  return { endpoints: namesOf(false), listeners: namesOf(true) };
}

/** Writes a copy for each notification and each listener to its event, in the transaction of the fact. A retry finds its copies. */
const writeCopies = (tx: Transaction, notifications: readonly WebhookNotification[]) =>
  execute(tx`
    insert into webhook_copies (id, listener_id, environment_id, event, data, occurred_at)
    select webhook_delivery_id(n.event, n."sourceId", l.id, s.resets), l.id, n."environmentId", n.event, n.data,
      to_timestamp(n."occurredAt" / 1000)
    from json_to_recordset(${writeJson(notifications)}::text::json)
      as n("environmentId" int, "event" text, "sourceId" uuid, "data" json, "occurredAt" float8)
    join webhook_listeners l on l.environment_id = n."environmentId" and n.event = any(l.events)
    join environments s on s.id = l.environment_id
    on conflict do nothing`);
