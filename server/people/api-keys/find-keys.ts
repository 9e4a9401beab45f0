import type { Sql } from "#db/client.ts";
import { askTogether } from "#db/together.ts";
import { type KeyRow, selectValidKeys } from "./store.ts";

/** Finds an unrevoked key by its hash; null if unknown. */
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
      const rows = new Map((await selectValidKeys(sql, [...distinct.values()])).map((row) => [row.hash.toString("latin1"), row]));
      return names.map((name) => rows.get(name) ?? null);
    },
  });
