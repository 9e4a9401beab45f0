import { type Database, transact } from "#db/client.ts";
import { tryPlayers } from "#server/engine/store.ts";
import { environmentsWithBegun, queueBegun } from "#server/engine/store/streak-beginnings.ts";

/** Periods queued by one transaction. */
const PAGE = 1_000;

/**
 * Queues a fact for each streak period that has begun and already has a counter, of all environments or of one. An environment that is
 * being reset is skipped.
 */
export async function queueBegunPeriods(database: Database, environmentId: number | null = null): Promise<void> {
  const found = await environmentsWithBegun(database.sql);
  for (const id of found.filter((one) => environmentId === null || one === environmentId)) {
    const page = () => transact(database, async (tx) => ((await tryPlayers(tx, id)) ? queueBegun(tx, id, PAGE) : 0));
    while ((await page()) === PAGE);
  }
}
