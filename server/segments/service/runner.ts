import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../../db/client.ts";
import { isConflict, isUnavailable } from "../../../db/errors.ts";
import { Idle, type KindRunner, type Looking } from "../../kernel/runner.ts";
import { compareCounts, countStep } from "./count.ts";

const POLL_MS = 2_000;
/** How often environments are compared with their counts, which looks at all of them. */
const COMPARE_MS = 10_000;
const OUT_OF_REACH_MS = 500;

export interface SegmentsOptions extends Looking {
  database: Database;
  logger: { error: LogLine; warn: LogLine };
}

type LogLine = (fields: object, message: string) => void;

/**
 * Counts the players of segments, one page after the other. After each page it pauses for as long as the page took: requests and folds have
 * the database for themselves at least half of the time.
 */
export function startSegments({ database, logger, onLook }: SegmentsOptions): KindRunner {
  let isStopping = false;
  let done = 0;
  let isWoken = false;
  let comparedAt = -Infinity;
  let nudge = () => {};
  const idle = new Idle(onLook);

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      nudge = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!isStopping) {
      const foundNothing = idle.look();
      const compares = isWoken || performance.now() - comparedAt >= COMPARE_MS;
      isWoken = false;
      let isDue = false;
      try {
        if (compares) await compareCounts(database);
        if (compares) comparedAt = performance.now();
        isDue = true;
        // A count takes hours where players are many: new and changed segments do not wait for its end.
        while (isDue && !isStopping && performance.now() - comparedAt < COMPARE_MS) {
          const began = performance.now();
          isDue = await countStep(database);
          if (isDue) done++;
          if (isDue && !isStopping) await delay(performance.now() - began);
        }
        if (!isDue) foundNothing();
      } catch (error) {
        const isPassing = isUnavailable(error) || isConflict(error);
        logger[isPassing ? "warn" : "error"]({ err: error }, "counting segments broke off; it goes on with the next look");
        if (!isStopping) await delay(OUT_OF_REACH_MS);
        continue;
      }
      if (!isDue && !isWoken && !isStopping) await pause(POLL_MS);
    }
  };
  const running = run();
  return {
    wake() {
      isWoken = true;
      nudge();
    },
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
