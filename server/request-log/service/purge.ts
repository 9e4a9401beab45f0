import type { Database } from "../../../db/client.ts";
import { Idle, type KindRunner, type Looking } from "../../kernel/runner.ts";
import { firstIdAt, KEPT } from "../kept.ts";
import { loggedEnvironments, purgeItems, purgeOmissions, purgeRequests } from "../store/purge.ts";

const POLL_MS = 60_000;
/** Rows deleted by one statement: some milliseconds of work. */
const SLICE = 1_000;

/** The bounds, for tests. */
export type Bounds = { [Table in keyof typeof KEPT]: { ms: number; rows: number } };

/** Deletes what the log keeps no longer, in slices; the number of rows. `now` in epoch milliseconds, real time. */
export async function purgeLog({ sql }: Database, now: number, isStopping = () => false, bounds: Bounds = KEPT): Promise<number> {
  const { requests, items } = bounds;
  let total = 0;
  const slices = async (purge: () => Promise<number>): Promise<void> => {
    for (let count = SLICE; count === SLICE && !isStopping();) total += count = await purge();
  };
  for (const id of await loggedEnvironments(sql)) {
    await slices(() => purgeRequests(sql, id, firstIdAt(now - requests.ms), requests.rows, SLICE));
    await slices(() => purgeItems(sql, id, firstIdAt(now - items.ms), items.rows, SLICE));
    await purgeOmissions(sql, id, now - requests.ms);
  }
  return total;
}

interface PurgeOptions extends Looking {
  database: Database;
  logger: { warn(fields: object, message: string): void };
}

/** Purges the log of requests now and once a minute. */
export function startPurge({ database, logger, onLook }: PurgeOptions): KindRunner {
  let isStopping = false;
  let isWoken = false;
  let done = 0;
  let nudge = () => {};
  const idle = new Idle(onLook);
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      nudge = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!isStopping) {
      isWoken = false;
      const isThrough = idle.look();
      try {
        done += await purgeLog(database, Date.now(), () => isStopping);
        isThrough();
      } catch (error) {
        logger.warn({ err: error }, "the request log could not be purged; it is tried again in a minute");
      }
      if (!isStopping && !isWoken) await pause();
    }
  };
  const running = run();
  return {
    wake: () => {},
    idle: () => {
      const through = idle.wait();
      isWoken = true;
      nudge();
      return through;
    },
    done: () => done,
    async stop() {
      isStopping = true;
      nudge();
      await running;
    },
  };
}
