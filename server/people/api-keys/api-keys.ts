import { randomBytes } from "node:crypto";
import { type Database, transact } from "#db/client.ts";
import { recordChange } from "../audit-log/record.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { nameProblem } from "../../model/kernel/input-text.ts";
import { type Actor, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { hashOf, hintOf, KEY_BYTES, keyEntry, type KeyScope, writeApiKey } from "../../model/api-keys/key.ts";
import * as store from "./store.ts";

/** Valid keys per environment. Stops runaway loops; no one needs more. */
const MAX_IN_FORCE = 100;

/** Creates a key and returns it; only its hash is stored, so it cannot be shown again. Throws OperatorError. */
export async function createApiKey(
  database: Database,
  environment: KeyScope,
  name: string,
  actor: Actor = COMMAND_LINE,
  key = writeApiKey(environment.kind, randomBytes(KEY_BYTES)),
): Promise<string> {
  const trimmed = name.trim();
  const problem = nameProblem("The name of the key", name);
  if (problem !== null) throw new OperatorError(problem);
  const hint = hintOf(key);
  await transact(database, async (tx) => {
    if ((await store.countKeysInForce(tx, environment.id)) >= MAX_IN_FORCE) {
      throw new OperatorError(`There are ${MAX_IN_FORCE} keys in force already. Revoke those that nothing uses.`);
    }
    await store.insertApiKey(tx, { environmentId: environment.id, name: trimmed, hash: hashOf(key), hint });
    await recordChange(tx, keyEntry(environment, actor, "create", { name: trimmed, hint }));
  });
  return key;
}

/** Revokes one key, from the next request on. Throws OperatorError if no valid key has this id. */
export async function revokeApiKey(database: Database, environment: KeyScope, id: string, actor: Actor): Promise<void> {
  await transact(database, async (tx) => {
    const key = await store.revokeKey(tx, environment.id, id);
    if (key === null) throw new OperatorError("There is no such active key; another user may have revoked it already.");
    await recordChange(tx, keyEntry(environment, actor, "revoke", key));
  });
}
