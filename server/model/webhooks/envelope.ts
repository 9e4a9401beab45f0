import { formatInstant } from "../kernel/time.ts";

/** The body of a delivery. `data` is its JSON text, `occurredAt` is on the environment's clock. */
export interface Message {
  id: string;
  event: string;
  data: string;
  occurredAt: number;
}

/**
 * The body of a delivery. The stored text of `data` goes in as it is: exact numbers stay exact, and every
 * attempt sends the same bytes. Event and id need no escaping.
 */
export const writeEnvelope = ({ id, event, data, occurredAt }: Message): string =>
  `{"version":1,"event":"${event}","deliveryId":"${id}","occurredAtUtc":"${formatInstant(occurredAt)}","data":${data}}`;
