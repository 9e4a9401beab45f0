import { setTimeout as delay } from "node:timers/promises";
import { type Database, selectNow } from "#db/client.ts";
import { nextSeq, untilSeenEverywhere } from "../../engine/store/locks.ts";
import { countLeaguesToSeat } from "../../game/leaderboards/store/settling.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { playerKey } from "../../model/players/identity.ts";
import { countDueDeliveries, selectWaiting, type Waiting } from "./store.ts";

/** The state at the last poll. `isSettled`: everything accepted before the call is done. */
export interface Settled extends Waiting {
  isSettled: boolean;
  /** Due deliveries; 0 when not requested. */
  deliveries: number;
}

interface Wanted {
  /** The external id of the player whose facts are awaited; null: all players'. */
  player: string | null;
  /** Whether to wait until due deliveries have been attempted. */
  deliveries: boolean;
  withinMs: number;
}

const FIRST_LOOK_MS = 8;
const MAX_LOOK_MS = 200;

/**
 * Waits until everything accepted before the call is applied, by any worker: a fact stays queued until the transaction that applied it
 * commits. Later facts are not awaited, so a steady stream does not delay the caller. A delivery counts as attempted once its attempt is
 * recorded. Poll intervals grow; each poll costs the database a millisecond.
 */
export async function untilSettled({ sql }: Database, { id }: Environment, { player, deliveries, withinMs }: Wanted): Promise<Settled> {
  const deadline = performance.now() + withinMs;
  const seq = await nextSeq(sql);
  const key = player === null ? null : playerKey(id, player);
  /** When all facts were applied: the deliveries they caused were written by then. */
  let throughAt: number | null = null;
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 1.5, MAX_LOOK_MS)) {
    const left = deadline - performance.now();
    // All polls but the last only ask whether facts wait: counting ten thousand takes the database many milliseconds.
    const waiting = await selectWaiting(sql, id, seq, key, left > 0 ? 1 : undefined);
    const isSeen = waiting.facts === 0 && (await untilSeenEverywhere(sql));
    // Counted once the effects of the facts are seen: the seats to give are among them.
    if (isSeen) waiting.fills += await countLeaguesToSeat(sql, id, seq, key);
    const isApplied = isSeen && waiting.fills === 0;
    if (isApplied) throughAt ??= (await selectNow(sql)) + 1;
    const due = deliveries && throughAt !== null ? await countDueDeliveries(sql, id, throughAt) : 0;
    const isSettled = isApplied && due === 0;
    if (isSettled || left <= 0) return { ...waiting, isSettled, deliveries: due };
    await delay(Math.min(pause, left));
  }
}
