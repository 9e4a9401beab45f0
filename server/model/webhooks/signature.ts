import { createHmac } from "node:crypto";

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
