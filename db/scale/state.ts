import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Sql, Transaction } from "../client.ts";

/** Whether the tables of player data are spread over several machines. */
export async function isDistributed(sql: Sql): Promise<boolean> {
  const [installed] = await sql<{ isThere: boolean }[]>`select exists (select from pg_extension where extname = 'citus') as "isThere"`;
  if (installed?.isThere !== true) return false;
  const rows = await sql.unsafe<{ name: string }[]>(
    "select logicalrelid::text as name from pg_dist_partition where logicalrelid = to_regclass('players')",
  );
  return rows.length > 0;
}

/**
 * For a transaction that changes tables or functions on all machines. Triggers are allowed: those of `db/functions.sql` only touch rows of
 * the same part. One connection to each machine lets functions and tables change in the same transaction.
 */
export const openChanges = (tx: Transaction) =>
  tx`select set_config('citus.enable_unsafe_triggers', 'on', true), set_config('citus.multi_shard_modify_mode', 'sequential', true)`;

/** Runs the statements of a script one by one: Citus forwards a trigger statement with the whole text that contains it. */
export async function runEach(tx: Transaction, script: string): Promise<void> {
  for (const statement of statementsOf(script)) await tx.unsafe(statement);
}

/** Replaces functions with those of a distributed database. */
export const replaceFunctions = (tx: Transaction): Promise<void> => runEach(tx, readDistributedFunctions());

// Resolved when called: Next's bundle also contains this module, and there `import.meta.url` points elsewhere.
export const readDistributedFunctions = (): string => readFileSync(fileURLToPath(new URL("./functions.sql", import.meta.url)), "utf8");

/** The statements of a script: each ends at the end of a line; function bodies are between two `$$`. */
export function statementsOf(script: string): string[] {
  const statements: string[] = [];
  let lines: string[] = [];
  let isInBody = false;
  for (const line of script.split("\n").filter((text) => text.trim() !== "" && !text.trimStart().startsWith("--"))) {
    lines.push(line);
    if (line.split("$$").length % 2 === 0) isInBody = !isInBody;
    if (isInBody || !line.endsWith(";")) continue;
    statements.push(lines.join("\n"));
    lines = [];
  }
  return statements;
}
