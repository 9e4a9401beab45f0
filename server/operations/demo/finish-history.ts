import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "#db/client.ts";
import { importStatus } from "../imports/service.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { countEverySegmentAgain } from "../../game/segments/service/read.ts";
import type { SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { drainFacts } from "../worker/drain-facts.ts";
import { handOver, HISTORY, idOf, type Loaded, loadedDemo, loadHistory } from "./load-history.ts";
import type { Persona } from "./personas.ts";
import { regulars } from "./regulars.ts";
import { goShopping } from "./shopping.ts";
import { makeTrouble } from "./trouble.ts";

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
 * The consequences of the events: regulars spend what they have earned, and the shop gets an ordinary day's problems. Handing over the last
 * file comes last, so all of this is done once. False if there is nothing to do.
 */
export function finishHistory(database: Database, cipher: SecretCipher, history = HISTORY): Promise<boolean> {
  return database.sql.begin(async (lock) => {
    // Only one of several processes does it; the others wait.
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
const tiersOf = (customers: readonly Persona[], { span: { startsAt, endsAt } }: Loaded): object[] =>
  customers
    .filter((_, index) => index % UPGRADED === 0)
    .map(({ id: playerId }, index) => ({
      playerId,
      occurredAt: formatInstant(Math.round((startsAt + endsAt) / 2)),
      attributes: { tier: index % 3 === 0 ? "platinum" : "gold" },
    }));
