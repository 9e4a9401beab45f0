import type { Transaction } from "#db/client.ts";
import { nextSeq, untilOthersWrote } from "#server/engine/store.ts";
import { insertZoneChange } from "#server/engine/store/zones.ts";

/**
 * Records that an environment's project moves to another zone at `now` (the environment's clock): running periods continue, and the
 * integrity check knows each fact's zone. The environment lock is held exclusively.
 */
export async function leaveZone(tx: Transaction, environmentId: number, now: number, zone: string): Promise<void> {
  const seq = await nextSeq(tx);
  const isWaitingKnown = await untilOthersWrote(tx, environmentId);
  await insertZoneChange(tx, environmentId, { at: now, zone, seq }, isWaitingKnown);
}
