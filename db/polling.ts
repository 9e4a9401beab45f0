import { setTimeout as delay } from "node:timers/promises";
import { Idle, type KindRunner, type Looking, type WorkLog } from "../server/model/kernel/runner.ts";
import { type Database, isConflict, isUnavailable } from "./client.ts";

/** The pause after the database could not be reached, for work that may not wait for the next poll. */
export const OUT_OF_REACH_MS = 500;

/** A poll's result: nothing is due; poll again immediately; or leave the rest for the next poll. */
export type Found = "nothing" | "more" | "later";

export interface Look extends PollingOptions {
  isStopping(): boolean;
  /** Waits; a stop ends the wait. */
  rest(ms: number): Promise<void>;
  /** Whether `wake` or `idle` triggered this poll. */
  isWanted: boolean;
  /** Whether a caller waits for the runner to be idle. */
  isAwaited(): boolean;
  /** Adds to the runner's count of finished work. */
  count(done: number): void;
  /** Runs a part of the poll and returns its count. If it fails, the fault is logged and the other parts continue; 0 while stopping. */
  attempt(what: string, work: () => Promise<number>): Promise<number>;
}

export interface PollingOptions extends Looking {
  database: Database;
  logger: WorkLog;
}

interface Polling {
  look(look: Look): Promise<Found>;
  pollMs: number;
  /** The log message of a failed poll. */
  fault: string;
  /** The pause after a failed poll, which only a stop ends early; `pollMs` when left out. */
  faultMs?: number;
  /** Transient faults besides those of the database: logged as warnings, all others as errors. */
  isPassing?(error: unknown): boolean;
  /** Deletes old rows, once per interval. */
  forget?: { everyMs: number; run(sql: Database["sql"]): Promise<unknown> };
}

/** Whether a fault of the database is transient. */
const isTransientFault = (error: unknown): boolean => isUnavailable(error) || isConflict(error);

/** A `pause`, and a `nudge` that ends it early. */
export function nudgedPauses() {
  let nudge = () => {};
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      nudge = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  return { pause, nudge: () => nudge() };
}

/** Polls for due work: now, `pollMs` after a poll that found nothing more, and when woken. */
export function startPolling(
  options: PollingOptions,
  { look, pollMs, fault, faultMs = pollMs, isPassing = () => false, forget }: Polling,
): KindRunner {
  const { database, logger, onLook } = options;
  const idle = new Idle(onLook);
  const stopping = new AbortController();
  const { signal } = stopping;
  let forgetAt = 0;
  let isWoken = false;
  let done = 0;
  const { pause, nudge } = nudgedPauses();

  const attempt = async (what: string, work: () => Promise<number>): Promise<number> => {
    if (signal.aborted) return 0;
    try {
      return await work();
    } catch (error) {
      logger[isTransientFault(error) ? "warn" : "error"]({ err: error }, `${what} failed; it is retried with the next poll`);
      return 0;
    }
  };
  const rest = (ms: number) => delay(ms, undefined, { signal }).catch(() => {});
  const run = async () => {
    while (!signal.aborted) {
      const foundNothing = idle.look();
      const isWanted = isWoken;
      isWoken = false;
      try {
        if (forget !== undefined && performance.now() >= forgetAt) {
          await attempt("deleting old rows", async () => (await forget.run(database.sql), 0));
          forgetAt = performance.now() + forget.everyMs;
        }
        const found = await look({
          ...options,
          isStopping: () => signal.aborted,
          rest,
          isWanted,
          isAwaited: () => idle.isAwaited,
          count: (more) => (done += more),
          attempt,
        });
        if (found === "nothing") foundNothing();
        if (found !== "more" && !isWoken && !signal.aborted) await pause(pollMs);
      } catch (error) {
        logger[isTransientFault(error) || isPassing(error) ? "warn" : "error"]({ err: error }, fault);
        await rest(faultMs);
      }
    }
  };
  const running = run();
  const wake = () => {
    isWoken = true;
    nudge();
  };
  return {
    wake,
    done: () => done,
    idle() {
      const through = idle.wait();
      wake();
      return through;
    },
    async stop() {
      stopping.abort();
      nudge();
      await running;
    },
  };
}

/** Does work once a minute, and whenever a caller waits for it. `what` names it in the log. */
export const startEveryMinute = (
  what: string,
  options: PollingOptions,
  work: (database: Database, isStopping: () => boolean) => Promise<number>,
): KindRunner =>
  startPolling(options, {
    pollMs: 60_000,
    fault: `${what} failed; it is tried again in a minute`,
    async look({ database, isStopping, count }) {
      count(await work(database, isStopping));
      return "nothing";
    },
  });
