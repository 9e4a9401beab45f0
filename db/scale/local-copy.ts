import type { Transaction } from "../client.ts";
import { ON_WORKERS, type TableName } from "../tables.ts";

/** Rows of hidden players have the negated id of their period. */
const OF_PERIODS =
  "t.period_id in (select id from leaderboard_periods where environment_id = any($1::int[]) union all select -id from leaderboard_periods where environment_id = any($1::int[]))";

/**
 * Conditions for tables whose rows are found by a period or a segment. Other tables without an environment column are found by their
 * players.
 */
const FOUND_BY: Partial<Record<TableName, string>> = {
  leaderboard_scores: OF_PERIODS,
  leaderboard_contributions: OF_PERIODS,
  leaderboard_seats: "t.period_id in (select id from leaderboard_periods where environment_id = any($1::int[]))",
  segment_members: "t.segment_id in (select segment_id from segment_counts where environment_id = any($1::int[]))",
};

/**
 * Copies the players of environments from all machines to temporary tables of the same names, which every statement of this transaction
 * then reads instead: comparing all tables with each other would be slow across machines. They are dropped with the transaction, which is
 * read-only from here on. It takes their space on the coordinator.
 */
export async function copyEnvironmentsHere(tx: Transaction, ids: readonly number[]): Promise<void> {
  const columns = await tx<{ name: string }[]>`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'environment_id' and c.relnamespace = 'public'::regnamespace and c.relname = any(${ON_WORKERS}::text[])`;
  const ofEnvironment = new Set(columns.map(({ name }) => name));
  for (const table of ON_WORKERS) {
    await tx.unsafe(`create temporary table ${table} (like public.${table} including indexes) on commit drop`);
    const found = FOUND_BY[table];
    const rows =
      found !== undefined
        ? `public.${table} t where ${found}`
        : ofEnvironment.has(table)
          ? `public.${table} t where t.environment_id = any($1::int[])`
          : `public.players p join public.${table} t on t.part = p.part and t.player_id = p.player_id where p.environment_id = any($1::int[])`;
    await tx.unsafe(`insert into pg_temp.${table} select t.* from ${rows}`, [ids]);
  }
  // Cached function plans still refer to the original tables.
  await tx.unsafe("discard plans");
  await tx.unsafe("set transaction read only");
}
