import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "#db/client.ts";
import { selectNow } from "#db/clock.ts";
import { nextSeq } from "../../engine/store.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { playerKey } from "../../model/players/identity.ts";
import { countDueDeliveries, selectWaiting, type Waiting } from "./store/waiting.ts";

/** What was found at the last look. `isSettled`: nothing waits any more of what was accepted before the call. */
export interface Settled extends Waiting {
  isSettled: boolean;
  /** Deliveries whose next attempt is due; 0 where nobody asked. */
  deliveries: number;
}

interface Wanted {
  /** The external id of the player whose facts are waited for; null: everybody's. */
  player: string | null;
  /** Whether deliveries that are due are waited for until they have been attempted. */
  deliveries: boolean;
  withinMs: number;
}

const FIRST_LOOK_MS = 8;
const LONGEST_LOOK_MS = 200;

/**
 * Waits until everything that was accepted before the call has been applied, whichever worker does it: a fact is in the queue until the
 * transaction that applied it has committed. Later facts are not waited for, so that a steady stream does not keep the caller. A delivery
 * counts as attempted once its attempt is recorded. The looks grow apart, each a millisecond of the database.
 */
export async function untilSettled({ sql }: Database, { id }: Environment, { player, deliveries, withinMs }: Wanted): Promise<Settled> {
  const deadline = performance.now() + withinMs;
  const seq = await nextSeq(sql);
  const key = player === null ? null : playerKey(id, player);
  /** When the facts were through: the deliveries that they led to were written by then. */
  let throughAt: number | null = null;
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 1.5, LONGEST_LOOK_MS)) {
    const waiting = await selectWaiting(sql, id, seq, key);
    const isApplied = waiting.facts === 0 && waiting.fills === 0;
    if (isApplied) throughAt ??= (await selectNow(sql)) + 1;
    const due = deliveries && throughAt !== null ? await countDueDeliveries(sql, id, throughAt) : 0;
    const isSettled = isApplied && due === 0;
    const left = deadline - performance.now();
    if (isSettled || left <= 0) return { ...waiting, isSettled, deliveries: due };
    await delay(Math.min(pause, left));
  }
}
