import { timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { type Received, startReceiver } from "../../server/delivery/testing.ts";

/** The requests to one endpoint, by subject: the ids of their deliveries, each of which may arrive more than once. */
export type Deliveries = Map<string, string>;

/** Maximum age of a signature. */
const TOLERANCE_MS = 5 * 60_000;

/**
 * A customer's webhook receiver, with an endpoint per path. It verifies signatures on arrival, since the first ones would be too old at the
 * end of the run. `stepMs` is the largest clock error of a sender.
 */
export async function startCustomersReceiver({ stepMs = 0 } = {}) {
  const endpoints = new Map<string, { webhook: Webhook; deliveries: Deliveries }>();
  const faults: string[] = [];
  const attempts = new Map<string, number>();
  let count = 0;

  const take = ({ path, headers, body }: Received): string => {
    const { webhook, deliveries } = endpoints.get(path)!;
    const [id, timestamp, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => String(headers[name]));
    const sentAt = Number(timestamp) * 1000;
    const expected = webhook.sign(id!, new Date(sentAt), body);
    if (!signature!.split(" ").some((one) => isSame(one, expected))) faults.push(`delivery ${id} is signed wrongly`);
    if (Math.abs(Date.now() - sentAt) > TOLERANCE_MS + stepMs)
      faults.push(`delivery ${id} is signed for ${new Date(sentAt).toISOString()}`);
    const { event, deliveryId, data } = JSON.parse(body);
    if ([headers["x-service-delivery"], deliveryId].some((one) => one !== id) || headers["x-service-event"] !== event)
      faults.push(`delivery ${id} has other headers than its body`);
    const about = `${event} ${aboutOf(event, data)}`;
    const before = deliveries.get(about);
    if (before !== undefined && before !== id) faults.push(`${about} was sent by delivery ${before} and by delivery ${id}`);
    deliveries.set(about, id!);
    return id!;
  };

  const receiver = await startReceiver((received) => {
    count += 1;
    const id = take(received);
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    // The first attempt of some deliveries fails, so that they arrive twice.
    return { status: id.startsWith("0") && attempt === 1 ? 503 : 200 };
  });

  return {
    faults,
    /** The number of requests. */
    count: () => count,
    urlOf: (name: string) => `http://127.0.0.1:${receiver.port}/${name}`,
    /** Expects deliveries to the endpoint of this name from now on. */
    expect(name: string, secret: string): Deliveries {
      const deliveries: Deliveries = new Map();
      endpoints.set(`/${name}`, { webhook: new Webhook(secret), deliveries });
      return deliveries;
    },
    /** Drops received requests, since a long run receives many. */
    forget(): void {
      receiver.received.length = 0;
      attempts.clear();
    },
    close: receiver.close,
  };
}

export type CustomersReceiver = Awaited<ReturnType<typeof startCustomersReceiver>>;

function aboutOf(event: string, data: any): string {
  if (event === "mission.completed") return data.occurrenceId;
  if (event === "catalog_item.fulfillment_requested") return `${data.sourceId} ${data.catalogItemKey}`;
  if (event === "streak.milestone_reached") return `${data.playerExternalId} ${data.milestone}`;
  return `${data.leaderboardKey} ${data.periodNumber}`;
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
