import type { Transaction } from "../../../db/client.ts";
import type { Definitions } from "../../definitions/compiled.ts";
import { definitionsOf } from "../../definitions/service.ts";
import type { Environment } from "../../kernel/environment.ts";
import { environmentNow, loadEnvironment } from "../../projects/find-environment.ts";
import { holdGroundShared } from "../store.ts";

/** What a fold stands on: it does not change before the transaction ends. `now` is on the environment's clock. */
export interface Ground {
  environment: Environment;
  definitions: Definitions;
  now: number;
}

/** Takes the environment's ground for this transaction. */
export async function openGround(tx: Transaction, environmentId: number): Promise<Ground> {
  // Pipelined: what is read after the lock is what was committed last.
  const [, environment] = await Promise.all([holdGroundShared(tx, environmentId), loadEnvironment(tx, environmentId)]);
  if (environment === null) throw new Error(`Environment ${environmentId} is gone.`);
  const [now, definitions] = await Promise.all([environmentNow(tx, environment), definitionsOf(tx, environment)]);
  return { environment, now, definitions };
}
