import { type Database, transact } from "#db/client.ts";
import { isConflict, isUnavailable } from "#db/errors.ts";
import { failImport, giveBack, takeDue } from "../store.ts";
import { applySlice, isPassing, type Step } from "./apply.ts";
import { checkPiece } from "./check.ts";

const AGAIN_SECONDS = 2;

const UNFORESEEN = "Something unforeseen went wrong; the service's log has the details. What was applied stays. You can import the file again: nothing is applied twice."; // oxfmt-ignore

/**
 * Runs one step of the import that has waited longest: checks a piece, or applies a slice. Null: nothing is due. A permanent failure ends
 * the import and is rethrown; other imports continue.
 */
export async function importStep(database: Database): Promise<Step | null> {
  const due = await takeDue(database.sql);
  if (due === null) return null;
  try {
    if (due.status === "Running") return await applySlice(database, due);
    await checkPiece(database, due);
    return "done";
  } catch (error) {
    if (isUnavailable(error) || isConflict(error) || isPassing(error)) await giveBack(database.sql, due, AGAIN_SECONDS).catch(() => {});
    else await transact(database, (tx) => failImport(tx, due, UNFORESEEN));
    throw error;
  }
}
