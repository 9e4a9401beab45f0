import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "#db/client.ts";
import { nextSeq, untilSeenEverywhere } from "../../engine/store/locks.ts";
import { hasWaiting } from "../../engine/store/queue.ts";
import { DEFAULT_LANES, EVERY_LANE } from "../../model/kernel/lanes.ts";
import { queueBegunPeriods } from "../../game/streaks/service/periods.ts";
import { PAUSE_MS, stateOf, statesOf, workOnce } from "./lane.ts";
import { Pacing } from "./pacing.ts";
import { SMALL_SLICE } from "./slice.ts";
import { waitingLanes } from "./store.ts";

/**
 * Waits until every fact accepted before the call is applied or in quarantine, and applies the environment's facts itself as a worker does:
 * of a long queue a lane at a time, so that workers have the others. Later facts are not awaited. For the Sandbox clock and for tests.
 */
export async function drainFacts(database: Database, environmentId: number): Promise<void> {
  await queueBegunPeriods(database, environmentId);
  const last = await nextSeq(database.sql);
  const pacing = new Pacing();
  const together = stateOf(EVERY_LANE);
  let lanes = statesOf(DEFAULT_LANES);
  while (await hasWaiting(database.sql, environmentId, last)) {
    const { count, waiting, areFew } = await waitingLanes(database.sql, SMALL_SLICE);
    if (count !== lanes.length) lanes = statesOf(count);
    let hasProgress = false;
    for (const lane of areFew ? [together] : waiting.map((index) => lanes[index]!)) {
      const slice = await workOnce({ database }, pacing, lane, environmentId);
      hasProgress ||= slice === "failed" || (slice?.count ?? 0) > 0;
    }
    if (!hasProgress) await delay(PAUSE_MS);
  }
  while (!(await untilSeenEverywhere(database.sql)));
}
