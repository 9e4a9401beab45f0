import type { Transaction } from "../../db/client.ts";
import { lockExclusive } from "./store.ts";
import type { Environment } from "../model/kernel/environment.ts";
import { inTurns } from "./turns.ts";
import { loadDefinitions } from "./store/definitions.ts";
import { readStored, type StoredDefinitions } from "../model/definitions/stored.ts";
import { environmentNow, loadEnvironment } from "./environment.ts";

/** The definitions of an environment within a transaction. `now` is on the environment's clock. */
export interface Opened {
  environment: Environment;
  now: number;
  stored: StoredDefinitions;
}

/** Opens the definitions for a change: until the transaction ends there are no other changes, and no facts are applied. */
export async function openExclusive(tx: Transaction, environmentId: number): Promise<Opened> {
  await lockExclusive(tx, environmentId);
  return open(tx, environmentId);
}

/** Opens the definitions to read them. The clock may have moved since the environment was read; under the exclusive lock it stands still. */
export async function open(tx: Transaction, environmentId: number): Promise<Opened> {
  const environment = await loadEnvironment(tx, environmentId);
  if (environment === null) throw new Error(`The environment ${environmentId} is gone.`);
  return {
    environment,
    now: await environmentNow(tx, environment),
    stored: await inTurns(readStored(await loadDefinitions(tx, environmentId))),
  };
}
