import type { Sql } from "#db/client.ts";
import { askTogether } from "#db/together.ts";
import type { Caller } from "../../model/kernel/environment.ts";
import { type Problem, problem } from "../../model/kernel/problem.ts";
import { bearerKey, hashOf } from "../../model/api-keys/key.ts";
import { type KeyRow, selectKnownKeys, touchKey } from "./store.ts";

export { type KeyRow, touchKey } from "./store.ts";

/** The hash of an Authorization header's API key. Problem auth.api_key_invalid: the header is missing or malformed. */
export function keyHash(authorization: string | undefined): Buffer {
  const key = bearerKey(authorization);
  const malformed = "The API key is malformed; tokens of people are not accepted here.";
  if (key === null) throw invalidKey(authorization === undefined ? "The Authorization header is missing." : malformed);
  return hashOf(key);
}

/** The caller with their key, and the settings that every request checks. */
type Authenticated = Caller & Pick<KeyRow, "isArchived" | "isTest" | "keyId" | "keepsBodies">;

/**
 * Finds the environment of a request by the hash of its key. Uncached, so that a revocation, a changed definition and a moved clock take
 * effect with the next request. A statement that confirms a `RememberedKey` does the same. Problem auth.api_key_invalid; `onRevoked` gets
 * the revoked key first.
 */
export async function authenticate(
  sql: Sql,
  hash: Buffer,
  findKey: FindKey = findKeysTogether(sql),
  onRevoked: (key: KeyRow) => void = () => {},
): Promise<Authenticated> {
  const row = await findKey(hash);
  if (row?.isRevoked) onRevoked(row);
  if (row === null || row.isRevoked) throw invalidKey("The API key is unknown or revoked.");
  // Only shown in the dashboard: the request neither waits for it nor fails with it.
  if (row.isUseDue && !row.isArchived) touchKey(sql, row.keyId).catch(() => {});
  const { hash: _, isUseDue: __, isRevoked: ___, keyId, isArchived, isTest, keepsBodies, realNow, ...environment } = row;
  return { environment, now: realNow + environment.clockOffsetMs, isArchived, isTest, keyId, keepsBodies };
}

const invalidKey = (message: string): Problem => problem("auth.api_key_invalid", `${message} Send "Authorization: Bearer <API key>".`);

/** Finds a key by its hash; null if unknown. */
export type FindKey = (hash: Buffer) => Promise<KeyRow | null>;

/** Keys per query. */
const MAX = 1_000;

/**
 * Looks up keys in shared queries; each query is sent after all its requests have arrived. With 16 requests in flight, six shared a query,
 * which saved a quarter of Node.js's CPU and half of PostgreSQL's for a small read.
 */
export const findKeysTogether = (sql: Sql): FindKey =>
  askTogether({
    groupOf: () => "",
    most: MAX,
    async ask(hashes: readonly Buffer[]) {
      const names = hashes.map((hash) => hash.toString("latin1"));
      const distinct = new Map(hashes.map((hash, at) => [names[at]!, hash]));
      const rows = new Map((await selectKnownKeys(sql, [...distinct.values()])).map((row) => [row.hash.toString("latin1"), row]));
      return names.map((name) => rows.get(name) ?? null);
    },
  });
