import { setTimeout as delay } from "node:timers/promises";
import { type Database, transact } from "#db/client.ts";
import { importStatus } from "../imports/service/imports.ts";
import { type Environment, DEMO } from "../../model/kernel/environment.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { countEverySegmentAgain } from "../../game/segments/service/read.ts";
import type { SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { drainFacts } from "../worker/drain-facts.ts";
import { type Customer, type HistorySpan, orderOf, regulars } from "./history.ts";
import { HISTORY, type Loaded, handOver, idOf, loadHistory, loadedDemo } from "./load-history.ts";
import { goShopping } from "./shopping.ts";
import { lockExclusive } from "../../engine/store/locks.ts";
import { firstWaitingOf, setAside } from "../../engine/store/queue.ts";
import { ingest } from "../../game/events/service.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { playerKey } from "../../model/players/identity.ts";
import { createEndpoint, listEndpoints } from "../../delivery/service/endpoints.ts";
import { environmentNow } from "../../engine/environment.ts";
import { HOUR } from "../../model/kernel/instant.ts";

const POLL_MS = 2_000;
/** Bags of the house blend for the regulars to buy; the stock is 60. */
const BAGS = 57;
/** One in this many regulars has a higher tier. */
const UPGRADED = 9;

/**
 * Loads the longer history while the service answers: hands over its files, and finishes once the worker has imported them. An interrupted
 * load continues at the next start.
 */
export async function bringHistory(database: Database, cipher: SecretCipher, signal: AbortSignal): Promise<void> {
  const pause = () => delay(POLL_MS, undefined, { signal, ref: false }).catch(() => {});
  while (!signal.aborted && (await loadHistory(database))) await pause();
  if (signal.aborted || !(await finishHistory(database, cipher))) return;
  for (let demo = await loadedDemo(database, HISTORY); !signal.aborted && demo !== null;) {
    const { sandbox } = demo;
    if ((await importStatus(database, sandbox, idOf(sandbox, "tiers"))) === "Done") return countEverySegmentAgain(database, sandbox);
    await pause();
    demo = await loadedDemo(database, HISTORY);
  }
}

/**
 * Adds the consequences of the events: regulars spend what they have earned, and the shop gets an ordinary day's problems. The last file is
 * handed over in the end, which marks all of this as done. False if there is nothing to do.
 */
export function finishHistory(database: Database, cipher: SecretCipher, history = HISTORY): Promise<boolean> {
  return database.sql.begin(async (lock) => {
    // This transaction only holds the lock, for which other processes wait.
    await lock`set local idle_in_transaction_session_timeout = 0`;
    await lock`select pg_advisory_xact_lock(hashtext('engagement demo'))`;
    const demo = await loadedDemo(database, history);
    if (demo === null || !(await isDue(database, demo.sandbox))) return false;
    const { sandbox, span } = demo;
    await drainFacts(database, sandbox.id);
    const customers = regulars(history);
    await goShopping(database, sandbox, customers, span, BAGS);
    await makeTrouble(database, sandbox, cipher, customers, span);
    await handOver(database, sandbox, "tiers", tiersOf(customers, demo));
    return true;
  });
}

const isDue = async (database: Database, sandbox: Environment): Promise<boolean> =>
  (await importStatus(database, sandbox, idOf(sandbox, "tiers"))) === "Uploading" &&
  (await importStatus(database, sandbox, idOf(sandbox, "events"))) === "Done";

/** The regulars promoted to gold or platinum half way, by the shop's own records. */
const tiersOf = (customers: readonly Customer[], { span: { startsAt, endsAt } }: Loaded): object[] =>
  customers
    .filter((_, index) => index % UPGRADED === 0)
    .map(({ id: playerId }, index) => ({
      playerId,
      occurredAt: formatInstant(Math.round((startsAt + endsAt) / 2)),
      attributes: { tier: index % 3 === 0 ? "platinum" : "gold" },
    }));

/** A name that never resolves (RFC 6761): every delivery fails without leaving the machine. */
const FAILING = "https://crm.coffee-shop.invalid/engagement";
/** Customers who order after the endpoint exists, so that it has deliveries to fail. */
const TODAY = 8;

/** Creates items that need attention: a failing endpoint, and a quarantined event that counts when it is retried. */
async function makeTrouble(
  database: Database,
  sandbox: Environment,
  cipher: SecretCipher,
  customers: readonly Customer[],
  { endsAt }: HistorySpan,
): Promise<void> {
  await quarantineOne(database, sandbox, customers[0]!, endsAt);
  if ((await listEndpoints(database, sandbox)).some(({ url }) => url === FAILING)) return;
  const events = ["mission.completed", "streak.milestone_reached"];
  await createEndpoint(
    database,
    sandbox,
    { url: FAILING, events },
    { cipher, allowPrivateAddresses: false, resolve: async () => [] },
    DEMO,
  );
  await orderToday(database, sandbox, customers.filter(({ leaves }) => leaves === undefined).slice(-TODAY));
}

const BROKEN = "The demo quarantined this event as if applying it had failed. Retry it, and it counts.";

/** Quarantines an event. The lock keeps workers from applying it first. */
async function quarantineOne(database: Database, sandbox: Environment, customer: Customer, endsAt: number): Promise<void> {
  const key = playerKey(sandbox.id, customer.id);
  const items = [itemOf(customer, endsAt - HOUR, "set aside")];
  await transact(database, async (tx) => {
    await lockExclusive(tx, sandbox.id);
    await ingest(database, sandbox, { items, mayHoldBadText: false, now: endsAt - HOUR });
    const seq = await firstWaitingOf(tx, key);
    if (seq !== null) await setAside(tx, sandbox.id, { part: key.part, seq }, BROKEN);
  });
}

async function orderToday(database: Database, sandbox: Environment, customers: readonly Customer[]): Promise<void> {
  const now = await environmentNow(database.sql, sandbox);
  for (const { id, language } of customers)
    await readMissions(database, sandbox, now, { externalId: id, includeCompleted: false, language, take: null });
  const items = customers.map((customer) => itemOf(customer, now, "first order after the load"));
  await ingest(database, sandbox, { items, mayHoldBadText: false, now });
}

const itemOf = (customer: Customer, at: number, idempotencyKey: string): object => ({
  playerId: customer.id,
  event: "order_placed",
  occurredAt: formatInstant(at),
  idempotencyKey,
  properties: orderOf(customer, at),
});
