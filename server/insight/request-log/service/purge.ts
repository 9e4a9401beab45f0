import type { Database } from "#db/client.ts";
import { type PollingOptions, startPolling } from "#db/polling.ts";
import type { KindRunner } from "#server/model/kernel/runner.ts";
import { firstIdAt, KEPT } from "#server/model/request-log/kept.ts";
import { loggedEnvironments, purgeEffects, purgeItems, purgeOmissions, purgeRequests } from "../store/purge.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Rows deleted per statement: some milliseconds of work. */
const SLICE = 1_000;

/** The bounds, for tests. */
export type Bounds = { [Table in keyof typeof KEPT]: { ms: number; rows: number } };

/** Deletes expired rows of the log in slices; returns the number. `now` in epoch milliseconds, real time. */
export async function purgeLog({ sql }: Database, now: number, isStopping = () => false, bounds: Bounds = KEPT): Promise<number> {
  const { requests, items } = bounds;
  let total = 0;
  const slices = async (purge: () => Promise<number>): Promise<void> => {
    for (let count = SLICE; count === SLICE && !isStopping();) total += count = await purge();
  };
  for (const { id, days } of await loggedEnvironments(sql)) {
    const keptMs = days === null ? requests.ms : days * DAY_MS;
    await slices(() => purgeRequests(sql, id, firstIdAt(now - keptMs), requests.rows, SLICE));
    await slices(() => purgeItems(sql, id, firstIdAt(now - items.ms), items.rows, SLICE));
    await slices(() => purgeEffects(sql, id, now - items.ms, items.rows, SLICE));
    await purgeOmissions(sql, id, now - keptMs);
  }
  return total;
}

/** Purges the request log now and once a minute. */
export const startPurge = ({ database, logger, onLook }: PollingOptions): KindRunner =>
  startPolling({
    pollMs: 60_000,
    logger,
    onLook,
    fault: "the request log could not be purged; it is tried again in a minute",
    async look({ isStopping, count }) {
      count(await purgeLog(database, Date.now(), isStopping));
      return "nothing";
    },
  });
