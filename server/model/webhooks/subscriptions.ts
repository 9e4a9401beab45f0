import { type WebhookEvent, webhooksContract } from "./contract.ts";

export const WEBHOOK_EVENTS = Object.keys(webhooksContract) as readonly WebhookEvent[];

export const isWebhookEvent = (event: string): event is WebhookEvent => WEBHOOK_EVENTS.some((known) => known === event);

/** Fulfillment requests go to one endpoint of an environment; all other events are notifications. */
export const EXCLUSIVE_EVENT: WebhookEvent = "catalog_item.fulfillment_requested";

const listed = WEBHOOK_EVENTS.join(", ");

/** The problems with a list of events to subscribe to; empty when there are none. */
export function subscriptionProblems(events: readonly string[]): string[] {
  if (events.length === 0) return ["An endpoint needs at least one event."];
  return events
    .filter((event) => !isWebhookEvent(event))
    .map((event) => `There is no webhook event ${JSON.stringify(event)}; there are ${listed}.`);
}

/** A notification for the endpoints that subscribe to its event. */
export interface WebhookNotification {
  environmentId: number;
  event: WebhookEvent;
  /** UUID of the source: the occurrence, the owed item. A source is notified once. */
  sourceId: string;
  /** The `data` of the envelope. */
  data: object;
  /** Epoch milliseconds on the environment's clock. */
  occurredAt: number;
}
