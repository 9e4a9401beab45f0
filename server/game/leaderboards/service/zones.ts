import type { Transaction } from "#db/client.ts";
import { nextSeq, untilOthersWrote } from "#server/engine/store.ts";
import { insertZoneChange } from "#server/engine/store/zones.ts";

/**
 * Notes that the project of an environment is in another zone from `now` on (the environment's clock): what has begun goes on,
 * and the integrity check knows by which zone each fact went. The environment's lock is held alone.
 */
export async function leaveZone(tx: Transaction, environmentId: number, now: number, zone: string): Promise<void> {
  const seq = await nextSeq(tx);
  const isWaitingKnown = await untilOthersWrote(tx, environmentId);
  await insertZoneChange(tx, environmentId, { at: now, zone, seq }, isWaitingKnown);
}
