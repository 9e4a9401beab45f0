import type { WebhookEvent } from "./contract.ts";

/** Something to tell the endpoints that subscribe to it. */
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
