import { type Database, isConflict, isTimeout, isUnavailable } from "#db/client.ts";
import { type PollingOptions, startPolling } from "#db/polling.ts";
import { loadEnvironment } from "#server/engine/environment.ts";
import type { BacktestedKind } from "#server/model/backtests/result.ts";
import { parseJson } from "#server/model/kernel/json.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import type { KindRunner } from "#server/model/kernel/runner.ts";
import type { Documents } from "../../definitions/service/read-one.ts";
import type { Entry } from "../shapes.ts";
import { type DueBacktest, finishBacktest, releaseLease, noteProgress, takeDue } from "../store/rows.ts";
import { Ended, runBacktest } from "./run.ts";

const POLL_MS = 1_000;
/** Longer than any pause between two progress updates. */
const LEASE_SECONDS = 60;
/** Limited, so that a backtest that kills its process does not kill them all. */
const MAX_ATTEMPTS = 3;

const BUSY = "The database took too long to answer. Try again later, or with fewer days.";
const UNFORESEEN = "Something unforeseen went wrong. It is in the service's log.";

/** Runs waiting backtests, one at a time in this process. */
export const startBacktests = (options: PollingOptions): KindRunner =>
  startPolling(options, {
    pollMs: POLL_MS,
    fault: "a backtest failed",
    async look({ database, isStopping, count }) {
      while (!isStopping()) {
        if (!(await runDue(database, isStopping))) return "nothing";
        count(1);
      }
      return "later";
    },
  });

/** Runs the backtest that has waited longest; false if none is waiting. An unexpected error ends it and is rethrown. */
export async function runDue(database: Database, isStopping: () => boolean = () => false): Promise<boolean> {
  const due = await takeDue(database.sql, LEASE_SECONDS);
  if (due === null) return false;
  let isHeld = true;
  try {
    if (due.attempts > MAX_ATTEMPTS) throw new OperatorError("It was interrupted several times. Try fewer days, or fewer players.");
    const environment = await loadEnvironment(database.sql, due.environmentId);
    if (environment === null) throw new OperatorError("The environment no longer exists.");
    const result = await runBacktest(database, environment, askedOf(due), {
      async onProgress(done, planned) {
        isHeld = await noteProgress(database.sql, due, { done, planned }, LEASE_SECONDS);
        return isHeld && !isStopping();
      },
    });
    await finishBacktest(database.sql, due, { status: "Done", result });
  } catch (error) {
    if (error instanceof Ended) {
      // If another process has taken it over, neither statement changes anything. A stop counts as an attempt: the next run may be
      // as short.
      await (isHeld ? releaseLease(database.sql, due, true) : finishBacktest(database.sql, due, { status: "Cancelled" }));
    } else if (isTimeout(error)) {
      await finishBacktest(database.sql, due, { status: "Failed", error: BUSY });
    } else if (error instanceof OperatorError) {
      await finishBacktest(database.sql, due, { status: "Failed", error: error.problems.join("\n") });
    } else {
      if (isUnavailable(error) || isConflict(error)) await releaseLease(database.sql, due, false).catch(() => {});
      else await finishBacktest(database.sql, due, { status: "Failed", error: UNFORESEEN });
      throw error;
    }
  }
  return true;
}

const askedOf = ({ kind, document, along, days, entry, sample }: DueBacktest) => ({
  document,
  days,
  sample,
  kind: kind as BacktestedKind,
  entry: entry as Entry,
  along: parseJson(along) as Documents,
});
