import type { Sql } from "#db/client.ts";
import type { Caller } from "../../model/kernel/environment.ts";
import { type Problem, problem } from "../../model/kernel/problem.ts";
import { bearerKey, hashOf } from "../../model/api-keys/key.ts";
import { type FindKey, findKeysTogether } from "./find-keys.ts";
import { touchKey } from "./store.ts";

/** The hash of an Authorization header's API key. Problem auth.api_key_invalid: the header is missing or malformed. */
export function keyHash(authorization: string | undefined): Buffer {
  const key = bearerKey(authorization);
  if (key === null) throw invalidKey(authorization === undefined ? "The Authorization header is missing." : "The API key is malformed.");
  return hashOf(key);
}

/** The caller with their key, and the settings that every request checks. */
export interface Authenticated extends Caller {
  isArchived: boolean;
  /** Whether the key is that of a test project. */
  isTest: boolean;
  keyId: string;
  /** Whether the request log keeps bodies. */
  keepsBodies: boolean;
}

/**
 * Finds the environment of a request by the hash of its key. Uncached, so that a revocation, a changed definition and a moved clock take
 * effect with the next request. Problem auth.api_key_invalid.
 */
export async function authenticate(sql: Sql, hash: Buffer, findKey: FindKey = findKeysTogether(sql)): Promise<Authenticated> {
  const row = await findKey(hash);
  if (row === null) throw invalidKey("The API key is unknown or revoked.");
  // Only shown in the dashboard: the request neither waits for it nor fails with it.
  if (row.isUseDue && !row.isArchived) touchKey(sql, row.keyId).catch(() => {});
  const { hash: _, isUseDue: __, keyId, isArchived, isTest, keepsBodies, realNow, ...environment } = row;
  return { environment, now: realNow + environment.clockOffsetMs, isArchived, isTest, keyId, keepsBodies };
}

const invalidKey = (message: string): Problem => problem("auth.api_key_invalid", `${message} Send "Authorization: Bearer <API key>".`);
