import type { Transaction } from "#db/client.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import * as store from "./store.ts";

/** Makes every process recompile the environment's definitions; call it in the transaction that changes them. Returns the new version. */
export const bumpDefinitionsVersion = (tx: Transaction, environmentId: number): Promise<number> =>
  store.raiseDefinitionsVersion(tx, environmentId);

/** Drops every process's cache of an environment's players; call it in the transaction that deletes them. Throws OperatorError for Live. */
export async function countReset(tx: Transaction, environmentId: number): Promise<void> {
  if (!(await store.raiseResets(tx, environmentId))) throw new OperatorError("Only a Sandbox can be reset; what is in Live stays.");
}

/** Drops every process's set of the environment's known players; call it in the transaction that erases one. */
export const countErasure = (tx: Transaction, environmentId: number): Promise<void> => store.raiseDeletions(tx, environmentId);

/** Moves a Sandbox clock forward; call it with the environment lock held exclusively. Throws OperatorError for Live, and for a step back. */
export async function advanceClock(tx: Transaction, environmentId: number, toOffsetMs: number): Promise<void> {
  if (!(await store.setClockOffset(tx, environmentId, toOffsetMs))) {
    throw new OperatorError("Only a Sandbox clock can be moved, and only forward.");
  }
}
