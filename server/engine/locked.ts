import { selectNow, type Transaction } from "../../db/client.ts";
import type { Definitions } from "../model/definitions/compiled.ts";
import type { Environment } from "../model/kernel/environment.ts";
import { problem } from "../model/kernel/problem.ts";
import { definitionsOf } from "./definitions.ts";
import { loadEnvironment } from "./environment.ts";
import { lockShared } from "./store/locks.ts";

/** The environment under the transaction's lock: nothing here changes before the transaction ends. `now` is on the environment's clock. */
export interface LockedEnvironment {
  environment: Environment;
  definitions: Definitions;
  now: number;
}

/** Takes the environment lock shared for this transaction, and reads what it protects. A past `at` replaces the present as `now`. */
export const openLocked = async (tx: Transaction, environmentId: number, at?: number): Promise<LockedEnvironment> =>
  (await openLockedAnd(tx, environmentId, () => null, at))[0];

/** As `openLocked`, together with the result of `run`, whose statements run under the lock in the same round trip. */
export async function openLockedAnd<Result>(
  tx: Transaction,
  environmentId: number,
  run: () => Result,
  at?: number,
): Promise<[LockedEnvironment, Awaited<Result>]> {
  // Pipelined, one round trip: rows read after the lock are those of the last commit, and the clock is read while it cannot be moved.
  const opening = [lockShared(tx, environmentId), loadEnvironment(tx, environmentId), selectNow(tx)] as const;
  const [, environment, realNow, result] = await Promise.all([...opening, run()]);
  if (environment === null) throw new Error(`Environment ${environmentId} is gone.`);
  const now = realNow + environment.clockOffsetMs;
  const definitions = await definitionsOf(tx, environment);
  return [{ environment, now: Math.min(at ?? now, now), definitions }, result];
}

/**
 * For work on data that was read before the transaction: it must not recreate a player who was erased since. Throws service.unavailable
 * where players were deleted since the environment was read.
 */
export function mustBeAsRead({ environment: { resets } }: LockedEnvironment, read: Pick<Environment, "resets">): void {
  if (resets !== read.resets)
    throw problem("service.unavailable", "Players were deleted at the same instant. Nothing was written; try again.");
}
