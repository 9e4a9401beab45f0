import { type PollingOptions, startPolling } from "#db/polling.ts";
import type { KindRunner } from "#server/model/kernel/runner.ts";
import { deleteOldHours, environmentsToCount } from "../store/counting.ts";
import { compactAll, countHistory, deleteAllOldSums } from "./counting.ts";
import { countMovements, takeSnapshots } from "./snapshots.ts";

/** Reports include deltas that are not compacted yet, so compaction is not urgent. */
const POLL_MS = 5_000;
/** Pages of one environment's history before the next environment's turn. */
const HISTORY_PAGES = 10;

/** The interval of deleting old sums by hour, and how many go at a time. */
const FORGET_MS = 60_000;
const FORGOTTEN = 20_000;

/**
 * Counts history outside the current epoch, compacts deltas, deletes sums of earlier epochs, takes daily distributions, and compares
 * settled standings.
 */
export const startAnalytics = (options: PollingOptions): KindRunner =>
  startPolling(options, {
    pollMs: POLL_MS,
    fault: "analytics failed; they are retried with the next poll",
    forget: { everyMs: FORGET_MS, run: (sql) => deleteOldHours(sql, FORGOTTEN) },
    async look({ database, isStopping, isAwaited, count, attempt }) {
      const players = await attempt("counting history", async () => {
        let counted = 0;
        for (const id of await environmentsToCount(database.sql)) counted += await countHistory(database, id, HISTORY_PAGES, isStopping);
        return counted;
      });
      const added = await attempt("adding up analytics", () => compactAll(database, isStopping));
      const deleted = await attempt("deleting old sums", () => deleteAllOldSums(database, isStopping));
      await attempt("taking the day's distributions", () => takeSnapshots(database, isStopping));
      await attempt("comparing standings", () => countMovements(database, isStopping));
      const sums = added + deleted;
      count(players + sums);
      if (players + sums === 0) return "nothing";
      // History is counted without a pause. Deltas may accumulate, unless a caller waits for them.
      return players > 0 || isAwaited() ? "more" : "later";
    },
  });
