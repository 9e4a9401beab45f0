import { type Database, type Transaction, isConflict, isUnavailable } from "#db/client.ts";
import { type ChangeFailure, failedByError } from "#server/model/definitions/change-failure.ts";
import { ChangeRequested } from "#server/model/definitions/change-requests.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { isAtLeast } from "#server/model/kernel/environment.ts";
import { findRights } from "#server/people/identity/find-access.ts";
import { type Edit, edit } from "./edit.ts";

/** How a stored change is applied when it is due: a scheduled change, or an approved request. */
export interface StoredChange<Row> {
  isApproved: boolean;
  /** Locks its row; null if it is gone. */
  take(tx: Transaction, environmentId: number, id: string): Promise<Row | null>;
  isDue(row: Row, now: number): boolean;
  /** Writes it, with the checks and rights as of now; or returns why not. */
  apply(open: Edit, row: Row): Promise<ChangeFailure | null>;
  /** Keeps it with the reason, no longer due. */
  fail(open: Edit, row: Row, failure: ChangeFailure): Promise<void>;
}

export interface ApplyOptions {
  /** The longest wait for the environment's lock, after which the call fails as unavailable; 0: no limit. */
  patienceMs?: number;
  /** Called for an unexpected error once that is stored with the change; without it, the call throws the error. */
  onFault?(error: unknown, id: string): void;
}

const rethrow = (error: unknown) => {
  throw error;
};

const UNFORESEEN = "An unexpected error occurred. The log has it.";

/**
 * Applies a stored change that is due, once: in one transaction under the environment's lock. After a crash it is still due. False if there
 * is nothing to do.
 */
export async function applyChange<Row>(
  { isApproved, take, isDue, apply, fail }: StoredChange<Row>,
  database: Database,
  environmentId: number,
  id: string,
  { patienceMs = 0, onFault = rethrow }: ApplyOptions = {},
): Promise<boolean> {
  const attempt = (run: (open: Edit, row: Row) => Promise<ChangeFailure | null>) =>
    edit(database, { id: environmentId }, { patienceMs, isApproved }, async (open) => {
      const row = await take(open.tx, environmentId, id);
      if (row === null || !isDue(row, open.now)) return false;
      const failure = await run(open, row);
      if (failure !== null) await fail(open, row, failure);
      return true;
    });
  try {
    return await attempt(apply);
  } catch (error) {
    // Live needs approvals by now: the change has become a request, and its row is deleted.
    if (error instanceof ChangeRequested) return true;
    if (isUnavailable(error) || isConflict(error)) throw error;
    // An unexpected error must not block the following changes.
    const isExpected = error instanceof OperatorError;
    await attempt(() => Promise.resolve(failedByError(isExpected ? error.message : UNFORESEEN)));
    if (!isExpected) onFault(error, id);
    return true;
  }
}

/** Why a change's author may no longer make it, with what to do instead; null if they may. */
export async function lostRights(
  { tx, environment }: Edit,
  { userId, name }: { userId: string | null; name: string },
  remedy: string,
): Promise<ChangeFailure | null> {
  const rights = userId === null ? null : await findRights(tx, userId, environment);
  if (userId === null || (rights !== null && isAtLeast(rights.role, "Editor"))) return null;
  const where = environment.kind === "live" ? "Live" : "the Sandbox";
  return failedByError(`${name} may no longer change definitions in ${where}. ${remedy}`);
}
