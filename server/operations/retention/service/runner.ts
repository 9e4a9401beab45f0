import { type PollingOptions, startPolling } from "#db/polling.ts";
import type { KindRunner } from "#server/model/kernel/runner.ts";
import { purgeEvents } from "./purge.ts";

/** Purges old events: checks now and once a minute whether a pass is due or under way. */
export const startRetention = ({ database, logger, onLook }: PollingOptions): KindRunner =>
  startPolling({
    pollMs: 60_000,
    logger,
    onLook,
    fault: "old events could not be purged; it is tried again in a minute",
    async look({ isStopping, count }) {
      count(await purgeEvents(database, isStopping));
      return "nothing";
    },
  });
