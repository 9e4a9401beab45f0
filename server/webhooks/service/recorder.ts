import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../../db/client.ts";
import { type Attempt, recordAttempts } from "../service.ts";

/** How long answers are collected to be recorded together, how many at most, and how far recording may fall behind. */
const COLLECT_MS = 10;
const AT_MOST = 1000;
const BEHIND = 4000;

/** The pause after the database has failed. */
const OUT_OF_REACH_MS = 500;

/**
 * Writes down what came of webhook attempts, a set at a time: a commit of its own for each would cost more than the
 * attempt. While the database is out of reach they are kept and tried again.
 */
export function startRecorder(database: Database, logger: { warn(fields: object, message: string): void }) {
  const waiting: Attempt[] = [];
  let running: Promise<void> | null = null;
  let hasFailed = false;
  let isFinishing = false;

  const record = async (attempts: Attempt[]) => {
    try {
      const switchedOff = await recordAttempts(database, attempts);
      hasFailed = false;
      for (const endpoint of switchedOff)
        logger.warn({ endpoint }, "a webhook endpoint is switched off: every attempt has failed for days");
    } catch (error) {
      hasFailed = true;
      logger.warn({ err: error, count: attempts.length }, "attempts cannot be recorded: the database did not take them");
      if (isFinishing) return;
      waiting.unshift(...attempts);
      await delay(OUT_OF_REACH_MS);
    }
  };
  const run = async () => {
    while (waiting.length > 0) {
      await delay(COLLECT_MS);
      await record(waiting.splice(0, AT_MOST));
    }
    running = null;
  };

  return {
    add(attempt: Attempt) {
      waiting.push(attempt);
      running ??= run();
    },
    /** Whether to stop claiming for now: unrecorded deliveries are sent again once their lease has run out. */
    isBehind: () => hasFailed || waiting.length > BEHIND,
    /** Whether everything added is recorded. */
    isThrough: () => running === null,
    /** Records the rest. Without the database it is dropped, and the next claimant sends it again. */
    async finish() {
      isFinishing = true;
      await running;
    },
  };
}
