import { nudgedPauses, OUT_OF_REACH_MS } from "#db/polling.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "#db/client.ts";
import { type Attempt, recordAttempts } from "./sending.ts";

/**
 * How long results are collected for one set. A set of one or of ten costs the database 0.8 ms, a large one 35 µs for each delivery
 * (measured under load). Once a set has had `MANY` results, they are collected for longer, until there are `ENOUGH`: deliveries whose
 * results are lost in a crash are sent again.
 */
const COLLECT_MS = 10;
const COLLECT_UNDER_LOAD_MS = 50;
const MANY = 10;
const ENOUGH = 500;
/** The size of a set, and how far recording may fall behind. */
const AT_MOST = 1000;
const BEHIND = 4000;

/** Bytes of responses per set, and bytes that may wait for recording: a failure has up to 16 KiB. */
const BYTES_AT_MOST = 1024 * 1024;
const BYTES_BEHIND = 32 * 1024 * 1024;

/**
 * Records the results of webhook attempts in sets: a commit for each would cost more than the attempt. While the database is unreachable
 * they are kept and retried.
 */
export function startRecorder(database: Database, logger: { warn(fields: object, message: string): void }) {
  const waiting: Attempt[] = [];
  let bytes = 0;
  /** The size of the last set. */
  let previous = 0;
  let running: Promise<void> | null = null;
  let hasFailed = false;
  let isFinishing = false;
  const { pause: collect, nudge: endCollecting } = nudgedPauses();

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
      bytes += bytesOf(attempts);
      await delay(OUT_OF_REACH_MS);
    }
  };
  const run = async () => {
    while (waiting.length > 0) {
      if (waiting.length < ENOUGH && !isFinishing) await collect(previous < MANY ? COLLECT_MS : COLLECT_UNDER_LOAD_MS);
      const set = waiting.splice(0, countToRecord(waiting));
      previous = set.length;
      bytes -= bytesOf(set);
      await record(set);
    }
    running = null;
  };

  return {
    add(attempt: Attempt) {
      waiting.push(attempt);
      bytes += sizeOf(attempt);
      running ??= run();
      if (waiting.length >= ENOUGH) endCollecting();
    },
    /** Whether to pause claiming: unrecorded deliveries are sent again once their lease has run out. */
    isBehind: () => hasFailed || waiting.length > BEHIND || bytes > BYTES_BEHIND,
    /** Whether everything added is recorded. */
    isThrough: () => running === null,
    /** Records the rest. If the database is unreachable it is dropped, and the next claimant resends those deliveries. */
    async finish() {
      isFinishing = true;
      endCollecting();
      await running;
    },
  };
}

const sizeOf = ({ answer }: Attempt): number => answer?.body.length ?? 0;

const bytesOf = (attempts: readonly Attempt[]): number => attempts.reduce((sum, attempt) => sum + sizeOf(attempt), 0);

/** The size of the next set, at least one. */
function countToRecord(waiting: readonly Attempt[]): number {
  let bytes = 0;
  let count = 0;
  for (const attempt of waiting) {
    bytes += sizeOf(attempt);
    if (count > 0 && (count === AT_MOST || bytes > BYTES_AT_MOST)) break;
    count++;
  }
  return count;
}
