import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "#db/client.ts";
import { nextSeq, untilSeenEverywhere } from "../../engine/store/locks.ts";
import { hasWaiting } from "../../engine/store/queue.ts";
import { EVERY_LANE } from "../../model/kernel/lanes.ts";
import { queueBegunPeriods } from "../../game/streaks/service/periods.ts";
import { PAUSE_MS } from "./lane.ts";
import { workSlice } from "./slice.ts";

/**
 * Waits until every fact accepted before the call is applied, and applies them itself if no worker does. Later facts are not awaited. For
 * the command line and for tests.
 */
export async function drainFacts(database: Database, environmentId: number): Promise<void> {
  await queueBegunPeriods(database, environmentId);
  const last = await nextSeq(database.sql);
  while (await hasWaiting(database.sql, environmentId, last)) {
    const slice = await workSlice(database, EVERY_LANE, environmentId - 1);
    if ((slice?.count ?? 0) === 0) await delay(PAUSE_MS);
  }
  while (!(await untilSeenEverywhere(database.sql)));
}
