import type { Transaction } from "#db/client.ts";
import type { Definitions } from "../../model/definitions/compiled.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { problem } from "../../model/kernel/problem.ts";
import { lockShared } from "../store.ts";
import { definitionsOf } from "../definitions.ts";
import { environmentNow, loadEnvironment } from "../environment.ts";

/**
 * The environment as a transaction sees it under its lock: nothing here changes before the transaction ends. `now` is on the environment's
 * clock.
 */
export interface LockedEnvironment {
  environment: Environment;
  definitions: Definitions;
  now: number;
}

/** Takes the environment's lock shared for this transaction, and reads what it protects. `at`: what it does happened then, not now. */
export async function openLocked(tx: Transaction, environmentId: number, at?: number): Promise<LockedEnvironment> {
  // Pipelined: what is read after the lock is what was committed last.
  const [, environment] = await Promise.all([lockShared(tx, environmentId), loadEnvironment(tx, environmentId)]);
  if (environment === null) throw new Error(`Environment ${environmentId} is gone.`);
  const [now, definitions] = await Promise.all([environmentNow(tx, environment), definitionsOf(tx, environment)]);
  return { environment, now: Math.min(at ?? now, now), definitions };
}

/**
 * For work on what was read before its transaction began: a player who was erased since then must not come back by it. Throws
 * service.unavailable where players were deleted since the environment was read.
 */
export function mustBeAsRead({ environment: { resets } }: LockedEnvironment, read: Pick<Environment, "resets">): void {
  if (resets !== read.resets)
    throw problem("service.unavailable", "Players were deleted at the same instant. Nothing was written; try again.");
}
