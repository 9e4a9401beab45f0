import { createHmac, timingSafeEqual } from "node:crypto";

/** Maximum age of a message, as recommended by Standard Webhooks. */
const TOLERANCE_MS = 5 * 60_000;

/** A webhook as it is posted. */
interface Posted {
  headers: Record<string, unknown>;
  body: string;
}

/** Why a delivery is not authentic, by its Standard Webhooks headers; null if it is. `now` in epoch milliseconds. */
export function signatureProblem({ headers, body }: Posted, secret: string, now: number): string | null {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => String(headers[name] ?? ""));
  if (!id || !timestamp || !signatures) return "it lacks webhook-id, webhook-timestamp or webhook-signature";
  if (!(Math.abs(Number(timestamp) * 1000 - now) <= TOLERANCE_MS)) return `its timestamp ${timestamp} is not within five minutes of now`;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
  const matches = signatures.split(" ").some((signature) => {
    const sent = Buffer.from(signature.replace(/^v1,/, ""), "base64");
    return signature.startsWith("v1,") && sent.length === expected.length && timingSafeEqual(sent, expected);
  });
  return matches ? null : "its signature does not match the endpoint's secret";
}
