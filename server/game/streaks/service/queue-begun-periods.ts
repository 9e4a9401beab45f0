import { type Database, transact } from "#db/client.ts";
import { tryPlayers } from "#server/engine/store.ts";
import { environmentsWithBegun, queueBegun } from "#server/engine/store/streak-beginnings.ts";

/** Periods queued by one transaction. */
const PAGE = 1_000;

/**
 * Has the periods of streaks counted that have begun and in which something had counted before: each becomes a fact of the queue,
 * of all environments or of one. An environment that is being reset is passed over.
 */
export async function queueBegunPeriods(database: Database, environmentId: number | null = null): Promise<void> {
  const found = await environmentsWithBegun(database.sql);
  for (const id of found.filter((one) => environmentId === null || one === environmentId)) {
    const page = () => transact(database, async (tx) => ((await tryPlayers(tx, id)) ? queueBegun(tx, id, PAGE) : 0));
    while ((await page()) === PAGE);
  }
}
