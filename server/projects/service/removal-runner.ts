import type { Database } from "../../../db/client.ts";
import { startPolling } from "../../../db/polling.ts";
import type { KindRunner, WorkLog } from "../../kernel/runner.ts";
import { removeData } from "./remove-data.ts";

/** Removes test projects now and once a minute. */
export const startRemoval = ({ database, logger }: { database: Database; logger: WorkLog }): KindRunner =>
  startPolling({
    pollMs: 60_000,
    logger,
    fault: "test projects could not be removed; it is tried again in a minute",
    async look({ isStopping, count }) {
      count(await removeData(database, isStopping));
      return "nothing";
    },
  });
