import type { Database } from "#db/client.ts";
import { copyEnvironmentsHere } from "#db/scale/local-copy.ts";
import { isSpread } from "#db/testing.ts";
import { checkAnalytics } from "./check-analytics.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { compactAll, countHistory, deleteAllOldSums } from "../../insight/analytics/service/counting.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { untilSeenEverywhere } from "../../engine/store/locks.ts";

const never = () => false;

/** Counts uncounted history and compacts all deltas, as the background job does. */
export async function settleAnalytics(database: Database, environmentId: number): Promise<void> {
  await countHistory(database, environmentId, Infinity, never);
  await compactAll(database, never);
  await deleteAllOldSums(database, never);
}

/** The differences between stored sums and the tables; empty if all is well. On a cluster it copies the players here, as `audit` does. */
export const miscounted = ({ sql }: Database, { id }: Environment): Promise<string[]> =>
  sql.begin(`isolation level repeatable read ${isSpread() ? "" : "read only"}`, async (tx) => {
    if (isSpread()) {
      await untilSeenEverywhere(tx);
      await copyEnvironmentsHere(tx, [id]);
    }
    return checkAnalytics(tx, (await loadEnvironment(tx, id))!);
  }) as Promise<string[]>;
