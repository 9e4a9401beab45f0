import { type PollingOptions, startPolling } from "#db/polling.ts";
import type { KindRunner } from "#server/model/kernel/runner.ts";
import { removeData } from "./remove-data.ts";

/** Removes test projects now and once a minute. */
export const startRemoval = ({ database, logger, onLook }: PollingOptions): KindRunner =>
  startPolling({
    pollMs: 60_000,
    logger,
    onLook,
    fault: "test projects could not be removed; it is tried again in a minute",
    async look({ isStopping, count }) {
      count(await removeData(database, isStopping));
      return "nothing";
    },
  });
