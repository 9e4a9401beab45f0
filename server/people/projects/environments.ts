import { setTimeout as delay } from "node:timers/promises";
import type { Database, Transaction } from "#db/client.ts";
import type { Environment, EnvironmentKind } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { loadEnvironment, selectEnvironmentsOf } from "../../engine/environment.ts";
import * as store from "./store/projects.ts";

/** An environment by its project's slug, archived or not. Throws OperatorError. */
export async function findEnvironment({ sql }: Database, projectSlug: string, kind: EnvironmentKind): Promise<Environment> {
  const environments = await selectEnvironmentsOf(sql, projectSlug);
  const found = environments.find((environment) => environment.kind === kind);
  if (!found) throw new OperatorError(`There is no project "${projectSlug}".`);
  return found;
}

const TRIES = 20;
const PAUSE_MS = 100;

/**
 * Writes for players. `write` returns undefined if some were deleted meanwhile. In Live, where an erasure is soon over, it is retried with
 * the current environment for two seconds; a Sandbox is reset as a whole, so there it is not retried. Returns undefined if nothing was
 * written.
 */
export async function writeForPlayers<T>(
  { sql }: Database,
  environment: Environment,
  write: (current: Environment) => Promise<T | undefined>,
): Promise<T | undefined> {
  let current = environment;
  for (let tries = 1; ; tries++) {
    const written = await write(current);
    if (written !== undefined || environment.kind === "sandbox" || tries === TRIES) return written;
    await delay(PAUSE_MS);
    current = (await loadEnvironment(sql, environment.id)) ?? current;
  }
}

/** Makes every process recompile the environment's definitions; call it in the transaction that changes them. Returns the new version. */
export const bumpDefinitionsVersion = (tx: Transaction, environmentId: number): Promise<number> =>
  store.raiseDefinitionsVersion(tx, environmentId);

/** Drops every process's cache of an environment's players; call it in the transaction that deletes them. Throws OperatorError for Live. */
export async function countReset(tx: Transaction, environmentId: number): Promise<void> {
  if (!(await store.raiseResets(tx, environmentId))) throw new OperatorError("Only a Sandbox can be reset; what is in Live stays.");
}

/** Drops every process's set of the environment's known players; call it in the transaction that erases one. */
export const countErasure = (tx: Transaction, environmentId: number): Promise<void> => store.raiseDeletions(tx, environmentId);

/**
 * Moves a Sandbox clock forward; call it with the environment lock held exclusively. Throws OperatorError for Live, and for a step back.
 */
export async function advanceClock(tx: Transaction, environmentId: number, toOffsetMs: number): Promise<void> {
  if (!(await store.setClockOffset(tx, environmentId, toOffsetMs))) {
    throw new OperatorError("Only a Sandbox clock can be moved, and only forward.");
  }
}
