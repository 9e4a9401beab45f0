import type { Database } from "../../../db/client.ts";
import { isConflict, isUnavailable } from "../../../db/errors.ts";
import { Idle, type KindRunner, type Looking } from "../../kernel/runner.ts";
import { environmentsToCount } from "../store/counting.ts";
import { compactAll, deleteAllOldSums } from "./compaction.ts";
import { countHistory } from "./counting.ts";
import { countMovements } from "./movement.ts";
import { takeSnapshots } from "./snapshots.ts";

/** Reports add up what is not compacted yet, so nobody waits for it. */
const POLL_MS = 5_000;
/** Pages of one environment's history before the next environment has its turn. */
const HISTORY_PAGES = 10;

interface AnalyticsOptions extends Looking {
  database: Database;
  logger: { error: LogLine; warn: LogLine };
}

type LogLine = (fields: object, message: string) => void;

/** Counts history that is in no count yet, adds deltas up into sums, deletes sums that are over, takes the day's distributions, and compares settled standings. */
export function startAnalytics({ database, logger, onLook }: AnalyticsOptions): KindRunner {
  let isStopping = false;
  let isAwaited = false;
  let done = 0;
  let nudge = () => {};
  const idle = new Idle(onLook);
  const isOver = () => isStopping;

  const attempt = async (what: string, work: () => Promise<number>): Promise<number> => {
    if (isStopping) return 0;
    try {
      return await work();
    } catch (error) {
      const isPassing = isUnavailable(error) || isConflict(error);
      logger[isPassing ? "warn" : "error"]({ err: error }, `${what} broke off; it goes on with the next look`);
      return 0;
    }
  };
  const look = async (): Promise<{ players: number; sums: number }> => {
    const players = await attempt("counting history", async () => {
      let counted = 0;
      for (const id of await environmentsToCount(database.sql)) counted += await countHistory(database, id, HISTORY_PAGES, isOver);
      return counted;
    });
    const added = await attempt("adding up analytics", () => compactAll(database, isOver));
    const deleted = await attempt("deleting old sums", () => deleteAllOldSums(database, isOver));
    await attempt("taking the day's distributions", () => takeSnapshots(database, isOver));
    await attempt("comparing standings", () => countMovements(database, isOver));
    return { players, sums: added + deleted };
  };
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
      const foundNothing = idle.look();
      const { players, sums } = await look();
      done += players + sums;
      if (players + sums === 0) {
        isAwaited = false;
        foundNothing();
      }
      // History is counted without a pause. Deltas are let come together, unless somebody waits.
      if (players === 0 && !isAwaited && !isStopping) await pause();
    }
  };
  const running = run();
  return {
    wake: () => {},
    idle: () => {
      isAwaited = true;
      const through = idle.wait();
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
