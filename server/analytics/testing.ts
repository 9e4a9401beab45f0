import type { Database } from "../../db/client.ts";
import { checkAnalytics } from "../integrity/check-analytics.ts";
import type { Environment } from "../kernel/environment.ts";
import { loadEnvironment } from "../projects/find-environment.ts";
import { compactAll, deleteAllOldSums } from "./service/compaction.ts";
import { countHistory } from "./service/counting.ts";

const never = () => false;

/** Counts what is not counted yet and adds up all deltas, as the background job does. */
export async function settleAnalytics(database: Database, environmentId: number): Promise<void> {
  await countHistory(database, environmentId, Infinity, never);
  await compactAll(database, never);
  await deleteAllOldSums(database, never);
}

/** The differences between the kept sums and what the tables tell; none when all is well. */
export const miscounted = ({ sql }: Database, { id }: Environment): Promise<string[]> =>
  sql.begin("isolation level repeatable read read only", async (tx) => checkAnalytics(tx, (await loadEnvironment(tx, id))!)) as Promise<
    string[]
  >;

/** The sums of an environment by measure, subject, detail and day, whatever count they belong to: "event 3  2026-01-31" → count. */
export async function sumsOf({ sql }: Database, environmentId: number): Promise<Record<string, number>> {
  const rows = await sql<{ name: string; count: number }[]>`
    select concat_ws(' ', measure, subject, detail, day) as name, sum(count)::bigint as count
    from (
      select measure, subject, detail, day, count from analytics_daily where environment_id = ${environmentId}
      union all
      select measure, subject, detail, day, count from analytics_deltas where environment_id = ${environmentId}
    ) s group by 1 having sum(count) <> 0`;
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
