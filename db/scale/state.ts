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
 * Prepares a transaction that changes tables or functions on all machines. Triggers are allowed: those of `db/functions` only touch rows of
 * the same part. One connection to each machine lets functions and tables change in the same transaction.
 */
export const openChanges = (tx: Transaction) =>
  tx`select set_config('citus.enable_unsafe_triggers', 'on', true), set_config('citus.multi_shard_modify_mode', 'sequential', true)`;
