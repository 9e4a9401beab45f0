import * as store from "../store.ts";
import { setTimeout as delay } from "node:timers/promises";
import { type Database, type Transaction, transact, isUnavailable } from "#db/client.ts";
import { epochOf } from "#server/insight/analytics/service/counting.ts";
import { lockShared } from "#server/engine/store/locks.ts";
import { lockPlayers } from "#server/engine/store/players.ts";
import { loadEnvironment } from "#server/engine/environment.ts";

/** Per transaction: players scanned, and events deleted, with their players locked. */
const PLAYERS = 200;
const EVENTS = 1_000;
/** Folds go first: on a lock conflict the slice is retried. */
const PATIENCE_MS = 500;

/**
 * Deletes expired events of all environments, a slice at a time; returns the number. Each slice advances the pass in its own transaction,
 * so a crash loses no progress. It pauses for as long as it works.
 */
export async function purgeEvents(database: Database, isStopping = () => false): Promise<number> {
  let total = 0;
  for (const id of await store.environmentsToPurge(database.sql)) {
    if (isStopping()) break;
    await store.beginPass(database.sql, id);
    for (let deleted: number | null = 0; deleted !== null && !isStopping();) {
      const begun = performance.now();
      try {
        deleted = await transact(database, (tx) => purgeSlice(tx, id));
        total += deleted ?? 0;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        await delay(PATIENCE_MS);
      }
      await delay(performance.now() - begun);
    }
  }
  return total;
}

/** Deletes a slice, and returns its number of events; null if the pass is over, or another worker has it. */
async function purgeSlice(tx: Transaction, environmentId: number): Promise<number | null> {
  await tx`select set_config('lock_timeout', ${String(PATIENCE_MS)}, true)`;
  const pass = await store.lockPass(tx, environmentId);
  if (pass === null) return null;
  const page = await store.playersFrom(tx, environmentId, pass.after, PLAYERS);
  const last = page.at(-1);
  if (last === undefined) {
    await store.endPass(tx, environmentId);
    return null;
  }
  const old = await store.selectOld(tx, pass, page, await store.waitingSeqs(tx, pass, page), EVENTS);
  const deleted = old.length === 0 ? 0 : await forget(tx, environmentId, pass, old);
  // After a full slice, more of the same players may be left.
  if (old.length < EVENTS) await store.movePass(tx, environmentId, last);
  return deleted;
}

async function forget(tx: Transaction, environmentId: number, { epoch }: store.Pass, old: readonly store.OldEvent[]): Promise<number> {
  await lockShared(tx, environmentId);
  const environment = await loadEnvironment(tx, environmentId);
  const owners = new Map(old.map(({ part, playerId }) => [playerId, { part, playerId }]));
  const players = await lockPlayers(tx, [...owners.values()]);
  // A new zone recounts all history from the log: players not recounted yet keep their events until then.
  const isCounted = new Set(players.filter(({ analyticsEpoch }) => analyticsEpoch === epoch).map(({ playerId }) => playerId));
  if (environment === null || (await epochOf(tx, environmentId)) !== epoch) return 0;
  const events = old.filter(({ playerId }) => isCounted.has(playerId));
  return store.deleteEvents(tx, environmentId, epoch, environment.timeZone, events);
}
