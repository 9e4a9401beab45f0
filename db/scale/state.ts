import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Sql, Transaction } from "../client.ts";

const FUNCTIONS = fileURLToPath(new URL("./functions.sql", import.meta.url));

/** Whether the tables of player data are spread over several machines. */
export async function isDistributed(sql: Sql): Promise<boolean> {
  const [installed] = await sql<{ isThere: boolean }[]>`select exists (select from pg_extension where extname = 'citus') as "isThere"`;
  if (installed?.isThere !== true) return false;
  const rows = await sql.unsafe<{ name: string }[]>("select logicalrelid::text as name from pg_dist_partition where logicalrelid = to_regclass('players')");
  return rows.length > 0;
}

/** Lets triggers on tables that are spread stand and be made: those of `db/functions.sql` touch rows of the same part alone. */
export const allowTriggers = (tx: Transaction) => tx`select set_config('citus.enable_unsafe_triggers', 'on', true)`;

/** Puts the functions of a distributed database in place of those that have the same name. */
export const replaceFunctions = (tx: Transaction) => tx.unsafe(readFileSync(FUNCTIONS, "utf8")).simple();
