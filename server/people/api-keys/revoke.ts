import { type Database, transact } from "#db/client.ts";
import { recordChange } from "../audit-log/record.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { type Actor, COMMAND_LINE } from "../../model/kernel/roles.ts";
import { keyEntry, type KeyScope } from "../../model/api-keys/audit-entry.ts";
import * as store from "./store.ts";

/** Revokes every key of that name, from the next request on, and returns their number. Throws OperatorError if there is none. */
export async function revokeApiKey(
  database: Database,
  environment: Environment,
  name: string,
  actor: Actor = COMMAND_LINE,
): Promise<number> {
  const revoked = await transact(database, async (tx) => {
    const keys = await store.revokeKeysNamed(tx, environment.id, name.trim());
    await recordChange(tx, ...keys.map((key) => keyEntry(environment, actor, "revoke", key)));
    return keys.length;
  });
  if (revoked > 0) return revoked;
  const inForce = (await store.selectKeys(database.sql, environment.id)).filter(({ revokedAt }) => revokedAt === null);
  const names = [...new Set(inForce.map((key) => key.name).reverse())];
  const others = names.length > 0 ? `there are: ${names.join(", ")}.` : "the environment has no keys.";
  throw new OperatorError(`There is no key named "${name}" in force; ${others}`);
}

/** Revokes one key, from the next request on. Throws OperatorError if no valid key has this id. */
export async function revokeApiKeyById(database: Database, environment: KeyScope, id: string, actor: Actor): Promise<void> {
  await transact(database, async (tx) => {
    const key = await store.revokeKey(tx, environment.id, id);
    if (key === null) throw new OperatorError("There is no such key in force; somebody may have revoked it already.");
    await recordChange(tx, keyEntry(environment, actor, "revoke", key));
  });
}
