import { OUT_OF_REACH_MS, type PollingOptions, startPolling } from "#db/polling.ts";
import type { KindRunner } from "#server/model/kernel/runner.ts";
import { compareCounts, countStep } from "./count.ts";

const POLL_MS = 2_000;
/** The interval of comparing all environments with their counts. */
const COMPARE_MS = 10_000;
/**
 * Counts the players of segments page by page. After each page it pauses for as long as the page took, so that requests and folds have the
 * database to themselves at least half of the time.
 */
export function startSegments(options: PollingOptions): KindRunner {
  let comparedAt = -Infinity;
  return startPolling(options, {
    pollMs: POLL_MS,
    fault: "counting segments failed; it is retried with the next poll",
    faultMs: OUT_OF_REACH_MS,
    async look({ database, isStopping, rest, isWanted, count }) {
      if (isWanted || performance.now() - comparedAt >= COMPARE_MS) {
        await compareCounts(database);
        comparedAt = performance.now();
      }
      // With many players a count takes hours; new and changed segments do not wait for its end.
      while (!isStopping() && performance.now() - comparedAt < COMPARE_MS) {
        const began = performance.now();
        if (!(await countStep(database))) return "nothing";
        count(1);
        await rest(performance.now() - began);
      }
      return "more";
    },
  });
}
