import { createHmac } from "node:crypto";
import { formatInstant } from "../kernel/time.ts";

/** The content of a delivery. `data` is JSON text, `occurredAt` is on the environment's clock. */
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

export interface Signing {
  secret: string;
  /** The previous secret also signs until the overlap of a rotation is over. */
  previousSecret: string | null;
}

/** The headers of a body. `now` is real time, epoch milliseconds. */
export function headersOf({ id, event, secret, previousSecret }: Signing & { id: string; event: string }, now: number, body: string) {
  const timestamp = Math.floor(now / 1000);
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  return {
    "content-type": "application/json",
    "user-agent": "Engagement-Webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatureOf(secrets, id, timestamp, body),
    "x-service-event": event,
    "x-service-delivery": id,
  };
}

/** The headers of an attempt as people see them. Its signature was made with the secret of that moment, and is not kept. */
export const shownHeaders = ({ id, event }: { id: string; event: string }, startedAt: number): { name: string; value: string }[] =>
  Object.entries(headersOf({ id, event, secret: "", previousSecret: null }, startedAt, "")).map(([name, value]) => ({
    name,
    value: name === "webhook-signature" ? "v1,… (made with the signing secret, not kept)" : value,
  }));

/** The prefix of every signing secret that people see. */
export const SECRET_PREFIX = "whsec_";

/** The number of random bytes of a signing secret. */
export const SECRET_BYTES = 32;

/** After a rotation the previous secret also signs for this long, so that receivers can switch. */
export const ROTATION_OVERLAP_MS = 24 * 60 * 60 * 1000;

/** A signing secret as people see it. */
export const writeSecret = (key: Uint8Array): string => SECRET_PREFIX + Buffer.from(key).toString("base64");

/**
 * The `webhook-signature` header of Standard Webhooks: `v1,<base64 HMAC-SHA256>` over `id.timestamp.body`, one for each
 * secret, separated by spaces; a receiver accepts the message if any of them fits. `timestamp` is in seconds.
 */
export function signatureOf(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  const signed = `${id}.${timestamp}.${body}`;
  return secrets.map((secret) => `v1,${createHmac("sha256", keyOf(secret)).update(signed).digest("base64")}`).join(" ");
}

const keyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, "base64");
