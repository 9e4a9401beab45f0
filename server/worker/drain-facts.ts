import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../db/client.ts";
import { nextSeq } from "../engine/store.ts";
import { countWaiting } from "../engine/store/queue.ts";
import { LANES } from "../kernel/lanes.ts";
import { queueBegunPeriods } from "../streaks/service/queue-begun-periods.ts";
import { PAUSE_MS } from "./lane.ts";
import { workSlice } from "./slice.ts";

/**
 * Waits until every fact accepted before the call is applied, and applies them itself where no worker does. It does not wait for later
 * ones. For the command line and for tests.
 */
export async function drainFacts(database: Database, environmentId: number): Promise<void> {
  await queueBegunPeriods(database, environmentId);
  const last = await nextSeq(database.sql);
  while ((await countWaiting(database.sql, environmentId, last)) > 0) {
    let count = 0;
    for (let lane = 0; lane < LANES; lane++) count += (await workSlice(database, lane, environmentId - 1))?.count ?? 0;
    if (count === 0) await delay(PAUSE_MS);
  }
}
