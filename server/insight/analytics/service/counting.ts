import { type Database, type Transaction, transact, isTimeout } from "#db/client.ts";
import { lockShared, waitUntilSeen } from "#server/engine/store/locks.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { KEPT_EPOCH } from "#server/model/kernel/counts.ts";
import type { PlayerKey } from "#server/model/kernel/player.ts";
import {
  compactDeltas,
  deleteOldSums,
  environmentsWithDeltas,
  environmentsWithOldSums,
  epochOf,
  fileHistory,
  keepSums,
  lockPart,
  playersToCount,
  raiseEpoch,
  rewriteDays,
} from "../store/counting.ts";
import { lockPlayers } from "#server/engine/store/players.ts";
import { loadEnvironment } from "#server/engine/environment.ts";

/**
 * Players per transaction: they, and purchases of other players in their part, wait for it. A page that takes too long is retried with
 * fewer players. A single player has no limit, as their history has to be counted at some point.
 */
const PAGES = [
  { players: 100, statementMs: 4_000 },
  { players: 10, statementMs: 4_000 },
  { players: 1, statementMs: 0 },
];

/**
 * Counts the history of players that are not in their environment's current epoch: from before analytics, or from another time zone. One
 * page per transaction, with the players locked: these sums cover their past, and later facts are added by their writers. Can be
 * interrupted at any moment. Returns the number of players.
 */
export async function countHistory(database: Database, environmentId: number, pages: number, isStopping: () => boolean): Promise<number> {
  let count = 0;
  for (let page = 0; page < pages && !isStopping(); page++) {
    const counted = await countNext(database, environmentId);
    if (counted === 0) break;
    count += counted;
  }
  return count;
}

async function countNext(database: Database, environmentId: number): Promise<number> {
  for (const [attempt, { players, statementMs }] of PAGES.entries()) {
    try {
      return await transact(database, async (tx) => {
        await tx`select set_config('statement_timeout', ${String(statementMs)}, true)`;
        return countPage(tx, environmentId, players);
      });
    } catch (error) {
      if (!isTimeout(error) || attempt === PAGES.length - 1) throw error;
    }
  }
  return 0;
}

export { epochOf };

/** Starts a recount of all players of an environment: in the new epoch, none is counted yet. */
export const recount = ({ sql }: Database, { id }: Pick<Environment, "id">): Promise<void> => raiseEpoch(sql, id);

async function countPage(tx: Transaction, environmentId: number, size: number): Promise<number> {
  await lockShared(tx, environmentId);
  const environment = await loadEnvironment(tx, environmentId);
  if (environment === null) return 0;
  const epoch = await epochOf(tx, environmentId);
  const page = await playersToCount(tx, environmentId, epoch, size);
  const [first] = page;
  if (first === undefined) return 0;
  const players = (await lockPlayers(tx, page)).filter(({ analyticsEpoch }) => analyticsEpoch < epoch);
  // Another worker has counted them meanwhile.
  if (players.length === 0) return page.length;
  // After a crash the log may lack events that are applied.
  await waitUntilSeen(tx);
  await lockPart(tx, environmentId, first.part);
  await rewriteDays(tx, environmentId, environment.timeZone, players);
  await fileHistory(tx, environmentId, epoch, environment.timeZone, players);
  return players.length;
}

/**
 * Keeps the sums of a player about to be erased, and deletes their days. The caller holds the environment lock, and deletes the
 * player's rows afterwards in the same transaction.
 */
export async function keepSumsOf(tx: Transaction, { id, timeZone }: Pick<Environment, "id" | "timeZone">, player: PlayerKey) {
  const [row] = await lockPlayers(tx, [player]);
  if (row === undefined) return;
  await lockPart(tx, id, player.part);
  // Uncounted history is counted before it is deleted.
  if (row.analyticsEpoch === 0) await rewriteDays(tx, id, timeZone, [row]);
  await keepSums(tx, id, row.analyticsEpoch, KEPT_EPOCH, timeZone, [row]);
}

/** Deltas per transaction: some tens of milliseconds. */
const PAGE = 20_000;

/** Compacts the deltas of all environments into daily sums. Returns the number of deltas. */
export async function compactAll(database: Database, isStopping: () => boolean): Promise<number> {
  let count = 0;
  for (const id of await environmentsWithDeltas(database.sql)) {
    for (let taken = PAGE; taken === PAGE && !isStopping(); count += taken)
      taken = await transact(database, (tx) => compactDeltas(tx, id, PAGE));
  }
  return count;
}

/** Deletes sums of earlier epochs. Returns their number. */
export async function deleteAllOldSums({ sql }: Database, isStopping: () => boolean): Promise<number> {
  let count = 0;
  for (const id of await environmentsWithOldSums(sql)) {
    for (let gone = PAGE; gone === PAGE && !isStopping(); count += gone) gone = await deleteOldSums(sql, id, PAGE);
  }
  return count;
}
