import { type PollingOptions, startPolling } from "#db/polling.ts";
import type { KindRunner } from "#server/model/kernel/runner.ts";
import { environmentsWithDueChanges } from "../store/scheduled.ts";
import { applyDueChanges } from "./scheduling.ts";

/** A reset locks its environment for up to a minute; other environments' changes do not wait for it. */
const PATIENCE_MS = 1_000;

interface ScheduleOptions extends PollingOptions {
  /** A change was saved: boards may be due to be filled. */
  onEffects(): void;
}

/** Saves scheduled changes as they fall due, in any number of processes. */
export const startSchedule = ({ database, logger, onLook, onEffects }: ScheduleOptions): KindRunner =>
  startPolling({
    pollMs: 1_000,
    logger,
    onLook,
    fault: "scheduled changes could not be looked for; the next look does",
    async look({ isStopping, count }) {
      let saved = 0;
      let isThrough = true;
      for (const environment of await environmentsWithDueChanges(database.sql)) {
        if (isStopping()) break;
        const onFault = (error: unknown, change: string) =>
          logger.error({ err: error, environment, change }, "a scheduled change could not be saved");
        try {
          saved += await applyDueChanges(database, environment, { isStopping, patienceMs: PATIENCE_MS, onFault });
        } catch (error) {
          isThrough = false;
          logger.warn({ err: error, environment }, "scheduled changes of an environment were put off");
        }
      }
      count(saved);
      if (saved > 0) onEffects();
      return saved > 0 ? "more" : isThrough ? "nothing" : "later";
    },
  });
