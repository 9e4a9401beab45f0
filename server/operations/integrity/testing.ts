import type { Database } from "#db/client.ts";
import { checkAnalytics } from "./check-analytics.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { compactAll, countHistory, deleteAllOldSums } from "../../insight/analytics/service/counting.ts";
import { loadEnvironment } from "../../engine/environment.ts";

const never = () => false;

/** Counts uncounted history and compacts all deltas, as the background job does. */
export async function settleAnalytics(database: Database, environmentId: number): Promise<void> {
  await countHistory(database, environmentId, Infinity, never);
  await compactAll(database, never);
  await deleteAllOldSums(database, never);
}

/** The differences between stored sums and the tables; empty if all is well. */
export const miscounted = ({ sql }: Database, { id }: Environment): Promise<string[]> =>
  sql.begin("isolation level repeatable read read only", async (tx) => checkAnalytics(tx, (await loadEnvironment(tx, id))!)) as Promise<
    string[]
  >;
