import { type Database, transact } from "#db/client.ts";
import { lockExclusive } from "../../engine/store.ts";
import { firstWaitingOf, setAside } from "../../engine/store/queue.ts";
import { ingest } from "../../game/events/service.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { DEMO } from "../../model/kernel/roles.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { readMissions } from "../../game/missions/service.ts";
import { playerKey } from "../../model/players/identity.ts";
import type { SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { createEndpoint, listEndpoints } from "../../delivery/service/endpoints.ts";
import type { Span } from "./activity.ts";
import { chanceOf } from "./chance.ts";
import type { Persona } from "./personas.ts";
import { visit } from "./visit.ts";
import { environmentNow } from "../../engine/environment.ts";

/** A name that never resolves (RFC 6761): every delivery fails without leaving the machine. */
const FAILING = "https://crm.coffee-shop.invalid/engagement";
/** Customers who order after the endpoint exists, so that it has deliveries to fail. */
const TODAY = 8;
const SEED = 7;
const HOUR = 3_600_000;

/** Creates items that need attention: a failing endpoint, and a quarantined event that counts when it is retried. */
export async function makeTrouble(
  database: Database,
  sandbox: Environment,
  cipher: SecretCipher,
  customers: readonly Persona[],
  { endsAt }: Span,
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

const BROKEN = "The demo set this event aside, as if applying it had failed. Retry it, and it counts.";

/** Moves an event aside. The lock keeps workers from taking it first. */
async function quarantineOne(database: Database, sandbox: Environment, customer: Persona, endsAt: number): Promise<void> {
  const key = playerKey(sandbox.id, customer.id);
  const items = [itemOf(customer, endsAt - HOUR, "set aside")];
  await transact(database, async (tx) => {
    await lockExclusive(tx, sandbox.id);
    await ingest(database, sandbox, { items, mayHoldBadText: false, now: endsAt - HOUR });
    const seq = await firstWaitingOf(tx, key);
    if (seq !== null) await setAside(tx, sandbox.id, { part: key.part, seq }, BROKEN);
  });
}

async function orderToday(database: Database, sandbox: Environment, customers: readonly Persona[]): Promise<void> {
  const now = await environmentNow(database.sql, sandbox);
  for (const { id, language } of customers)
    await readMissions(database, sandbox, now, { externalId: id, includeCompleted: false, language, take: null });
  const items = customers.map((customer) => itemOf(customer, now, "first order after the load"));
  await ingest(database, sandbox, { items, mayHoldBadText: false, now });
}

function itemOf(customer: Persona, at: number, idempotencyKey: string): object {
  const { event, properties } = visit(customer, chanceOf(SEED), at)[0]!;
  return { playerId: customer.id, event, occurredAt: formatInstant(at), idempotencyKey, properties };
}
