import type { Transaction } from "../client.ts";
import { BY_PART } from "./tables.ts";

/** Tables without a column of the environment, by what names their rows; the others are found by their players. */
const FOUND_BY: Partial<Record<(typeof BY_PART)[number], string>> = {
  leaderboard_scores:
    "t.period_id in (select id from leaderboard_periods where environment_id = $1 union all select -id from leaderboard_periods where environment_id = $1)",
  leaderboard_contributions:
    "t.period_id in (select id from leaderboard_periods where environment_id = $1 union all select -id from leaderboard_periods where environment_id = $1)",
  leaderboard_seats: "t.period_id in (select id from leaderboard_periods where environment_id = $1)",
  segment_members: "t.segment_id in (select segment_id from segment_counts where environment_id = $1)",
};

/**
 * Copies the players of an environment from all machines to temporary tables of the same names, which every statement of this transaction
 * then reads instead: comparing everything with everything is no work for many machines. They go with the transaction, which is read-only
 * from here on. It takes the space of the environment on the coordinator.
 */
export async function copyEnvironmentHere(tx: Transaction, environmentId: number): Promise<void> {
  const columns = await tx<{ name: string }[]>`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'environment_id' and c.relnamespace = 'public'::regnamespace and c.relname = any(${[...BY_PART]}::text[])`;
  const ofEnvironment = new Set(columns.map(({ name }) => name));
  for (const table of BY_PART) {
    await tx.unsafe(`create temporary table ${table} (like public.${table} including indexes) on commit drop`);
    const found = FOUND_BY[table];
    const rows =
      found !== undefined
        ? `public.${table} t where ${found}`
        : ofEnvironment.has(table)
          ? `public.${table} t where t.environment_id = $1`
          : `public.players p join public.${table} t on t.part = p.part and t.player_id = p.player_id where p.environment_id = $1`;
    await tx.unsafe(`insert into pg_temp.${table} select t.* from ${rows}`, [environmentId], { prepare: false });
  }
  // Functions remember the tables that they found before.
  await tx.unsafe("discard plans");
  await tx.unsafe("set transaction read only");
}
