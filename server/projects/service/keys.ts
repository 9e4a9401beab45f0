import { randomBytes } from "node:crypto";
import { type Database, transact } from "../../../db/client.ts";
import type { Environment } from "../../kernel/environment.ts";
import { Refused } from "../../kernel/refused.ts";
import { type Actor, COMMAND_LINE } from "../../kernel/roles.ts";
import { hashOf, hintOf, KEY_BYTES, writeApiKey } from "../keys.ts";
import { insertAuditEntries } from "../store.ts";
import * as store from "../store/keys.ts";

type Place = Pick<Environment, "id" | "kind" | "projectId">;

const LONGEST_NAME = 200;

/** A new key of an environment. It is shown this once: only its hash is kept. Throws Refused. */
export async function createApiKey(database: Database, environment: Place, name: string, actor: Actor = COMMAND_LINE): Promise<string> {
  const trimmed = name.trim();
  if (trimmed === "" || [...trimmed].length > LONGEST_NAME) {
    throw new Refused(`The name of the key must have 1 to ${LONGEST_NAME} characters.`);
  }
  const key = writeApiKey(environment.kind, randomBytes(KEY_BYTES));
  const hint = hintOf(key);
  await transact(database, async (tx) => {
    await store.insertApiKey(tx, { environmentId: environment.id, name: trimmed, hash: hashOf(key), hint });
    await insertAuditEntries(tx, [entryOf(environment, actor, "create", { name: trimmed, hint })]);
  });
  return key;
}

/** Revokes every key of that name, from the next request on; how many there were. Throws Refused where there is none. */
export async function revokeApiKey(
  database: Database,
  environment: Environment,
  name: string,
  actor: Actor = COMMAND_LINE,
): Promise<number> {
  const revoked = await transact(database, async (tx) => {
    const keys = await store.revokeKeysNamed(tx, environment.id, name.trim());
    await insertAuditEntries(
      tx,
      keys.map((key) => entryOf(environment, actor, "revoke", key)),
    );
    return keys.length;
  });
  if (revoked > 0) return revoked;
  const inForce = (await store.selectKeys(database.sql, environment.id)).filter(({ revokedAt }) => revokedAt === null);
  const names = [...new Set(inForce.map((key) => key.name).reverse())];
  const others = names.length > 0 ? `there are: ${names.join(", ")}.` : "the environment has no keys.";
  throw new Refused(`There is no key named "${name}" in force; ${others}`);
}

/** Revokes this one key, from the next request on. Throws Refused where there is none of this id in force. */
export async function revokeApiKeyById(database: Database, environment: Place, id: string, actor: Actor): Promise<void> {
  await transact(database, async (tx) => {
    const key = await store.revokeKey(tx, environment.id, id);
    if (key === null) throw new Refused("There is no such key in force; somebody may have revoked it already.");
    await insertAuditEntries(tx, [entryOf(environment, actor, "revoke", key)]);
  });
}

const entryOf = ({ id, projectId }: Place, actor: Actor, action: string, { name, hint }: { name: string; hint: string }) => ({
  projectId,
  environmentId: id,
  actor,
  action,
  subjectKind: "apiKey",
  subjectKey: name,
  difference: [{ type: action === "create" ? "CREATE" : "REMOVE", path: ["key"], [action === "create" ? "value" : "oldValue"]: hint }],
});
