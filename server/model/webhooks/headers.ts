import { signatureOf } from "./signature.ts";

/** The secrets that sign a delivery. */
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
