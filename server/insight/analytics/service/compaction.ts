import { type Database, transact } from "#db/client.ts";
import { compactDeltas, deleteOldSums, environmentsWithDeltas, environmentsWithOldSums } from "../store/compaction.ts";

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
