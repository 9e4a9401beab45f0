import { OUT_OF_REACH_MS, type PollingOptions, startPolling } from "#db/polling.ts";
import type { KindRunner } from "#server/model/kernel/runner.ts";
import { failImport, deleteOldImports, releaseLease, renewLease, takeDue } from "../store/imports.ts";
import { type ApplyResult, applySlice, isPassing } from "./apply.ts";
import { type Database, transact, isConflict, isUnavailable } from "#db/client.ts";
import { checkPiece } from "./check.ts";

const POLL_MS = 1_000;
/** The pause when an import adds facts faster than they are applied. */
const FULL_MS = 100;
const FORGET_MS = 10 * 60_000;
/** A third of a lease: a long step keeps its import. */
const RENEW_MS = 20_000;

/**
 * Checks and applies imports step by step. After each step it pauses for as long as the step took, so that requests and folds have the
 * database at least half of the time.
 */
export const startImports = (options: PollingOptions): KindRunner =>
  startPolling(options, {
    pollMs: POLL_MS,
    fault: "a step of an import failed",
    forget: { everyMs: FORGET_MS, run: deleteOldImports },
    faultMs: OUT_OF_REACH_MS,
    isPassing,
    async look({ database, isStopping, rest, count }) {
      while (!isStopping()) {
        const began = performance.now();
        const step = await importStep(database);
        if (step === null) break;
        count(1);
        await rest(step === "waiting" ? FULL_MS : performance.now() - began);
      }
      return "nothing";
    },
  });

const AGAIN_SECONDS = 2;

const UNFORESEEN = "Something unforeseen went wrong; the service's log has the details. Applied lines stay. You can import the file again: no line is applied twice."; // oxfmt-ignore

/**
 * Runs one step of the import that has waited longest: checks a piece, or applies a slice. Null: nothing is due. Rethrows errors: after a
 * passing one the step is due again, any other one ends the import.
 */
export async function importStep(database: Database): Promise<ApplyResult | null> {
  const due = await takeDue(database.sql);
  if (due === null) return null;
  const renewing = setInterval(() => void renewLease(database.sql, due).catch(() => {}), RENEW_MS);
  try {
    if (due.status === "Running") return await applySlice(database, due);
    await checkPiece(database, due);
    return "done";
  } catch (error) {
    if (isUnavailable(error) || isConflict(error) || isPassing(error)) await releaseLease(database.sql, due, AGAIN_SECONDS).catch(() => {});
    else await transact(database, (tx) => failImport(tx, due, UNFORESEEN));
    throw error;
  } finally {
    clearInterval(renewing);
  }
}
