import type { Acknowledged } from "../crash/customer.ts";
import type { Oracle } from "../crash/oracle.ts";
import { exchange } from "../../e2e/http.ts";

interface Again {
  port: number;
  apiKey: string;
  oracle: Oracle;
  journal: readonly Acknowledged[];
  /** Waits until everything that was accepted is applied. */
  settled(): Promise<void>;
}

/** Entries come before what they make count; what gives points comes before what takes them. */
const TURNS: ((request: Acknowledged) => boolean)[] = [
  ({ path }) => path.startsWith("/v1/missions"),
  ({ path, body }) =>
    path === "/v1/events" && body.events.every((event: { idempotencyKey?: string }) => event.idempotencyKey !== undefined),
  ({ body }) => body.amount > 0,
  ({ path, body }) => body.amount < 0 || path.endsWith("/purchases"),
];

/**
 * Sends every acknowledged request with idempotency keys once more, each kind in its order. A line for each that is not answered as before;
 * a purchase that was lost is another one, and the books are told so.
 */
export async function sendAgain({ port, apiKey, oracle, journal, settled }: Again): Promise<string[]> {
  const found: string[] = [];
  const headers = { authorization: `Bearer ${apiKey}` };
  for (const isDue of TURNS) {
    for (const { path, body, answer } of journal.filter(isDue)) {
      const { status, text, json } = await exchange(port, "POST", path, { headers, body });
      if (status >= 300) found.push(`${path} sent again was answered ${status}: ${text}`);
      else if (path === "/v1/events" && eventIds(json) !== eventIds(answer)) found.push(`events sent again were answered ${text}`);
      else if (path.endsWith("/purchases")) oracle.purchases.set(`${body.playerId} ${body.idempotencyKey}`, json.purchaseId);
    }
    await settled();
  }
  return found;
}

const eventIds = (answer: { results: { eventId: string }[] }): string => answer.results.map(({ eventId }) => eventId).join(" ");
