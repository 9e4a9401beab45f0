import { type Database, transact, type Transaction } from "#db/client.ts";
import { lockExclusive, lockPlayersExclusive } from "#server/engine/store.ts";
import { claimRemoved, type RemovedProject, stepsOfEnvironment, stepsOfProject } from "../store/removal.ts";
import { archiveExpired } from "../store/test-projects.ts";

/** Rows of one transaction: some tens of milliseconds, in which nobody but the project waits. */
const SLICE = 2_000;

/** Requests that were under way when a project was archived are through by then: none takes so long. */
const GRACE_MS = 60_000;

/**
 * Archives the test projects whose time is over, and deletes the data of those that were archived `graceMs` ago: slice by slice, each a
 * transaction, beside any number of processes that do the same. How many projects are gone.
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

/** False where the slice is full: then there may be more. */
async function deleteSlice(tx: Transaction, { id, environmentIds }: RemovedProject, slice: number): Promise<boolean> {
  let left = slice;
  for (const environmentId of environmentIds) {
    // As a reset: no fold and no other writer of players' rows is under way, and workers pass the environment over.
    await lockPlayersExclusive(tx, environmentId);
    await lockExclusive(tx, environmentId);
  }
  for (const step of [...environmentIds.flatMap(stepsOfEnvironment), ...stepsOfProject(id)]) {
    left -= await step(tx, left);
    if (left <= 0) return false;
  }
  return true;
}
