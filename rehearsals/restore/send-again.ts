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

/** The order of resending: entries before the events that count because of them, earning before spending. */
const TURNS: ((request: Acknowledged) => boolean)[] = [
  ({ path }) => path.startsWith("/v1/missions"),
  ({ path, body }) =>
    path === "/v1/events" && body.events.every((event: { idempotencyKey?: string }) => event.idempotencyKey !== undefined),
  ({ body }) => body.amount > 0,
  ({ path, body }) => body.amount < 0 || path.endsWith("/purchases"),
];

/**
 * Resends every acknowledged request that is safe to repeat, kind by kind. Returns a line for each refusal, and for each batch of events
 * whose ids differ. A lost purchase is made again as a new one, which the books then record.
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
