import { type Database, transact, type Transaction } from "#db/client.ts";
import { lockExclusive, lockPlayersExclusive } from "#server/engine/store/locks.ts";
import { claimRemoved, type RemovedProject, stepsOfEnvironment, stepsOfProject } from "./store/removal.ts";
import { archiveExpired } from "./store/test-projects.ts";

/** Rows per transaction: some tens of milliseconds, which delay only this project. */
const SLICE = 2_000;

/** No request takes so long, so those that were running when a project was archived have ended. */
const GRACE_MS = 60_000;

/**
 * Archives expired test projects, and deletes the data of those archived `graceMs` ago, in slices of one transaction each. Any number of
 * processes may run it. Returns the number of deleted projects.
 */
export async function removeData(database: Database, isStopping = () => false, graceMs = GRACE_MS, slice = SLICE): Promise<number> {
  await archiveExpired(database.sql);
  let gone = 0;
  while (!isStopping()) {
    const isThrough = await transact(database, async (tx) => {
      const project = await claimRemoved(tx, graceMs);
      return project === null ? null : deleteSlice(tx, project, slice);
    });
    if (isThrough === null) break;
    if (isThrough) gone += 1;
  }
  return gone;
}

/** Deletes a slice of a project's rows; false if it is full, since there may be more rows. */
async function deleteSlice(tx: Transaction, { id, environmentIds }: RemovedProject, slice: number): Promise<boolean> {
  let left = slice;
  for (const environmentId of environmentIds) {
    // As in a reset: no fold or other writer of players' rows runs meanwhile, and workers skip the environment.
    await lockPlayersExclusive(tx, environmentId);
    await lockExclusive(tx, environmentId);
  }
  for (const step of [...environmentIds.flatMap(stepsOfEnvironment), ...stepsOfProject(id)]) {
    left -= await step(tx, left);
    if (left <= 0) return false;
  }
  return true;
}
