import { setTimeout as delay } from "node:timers/promises";
import { Idle, type KindRunner, type Looking, type WorkLog } from "../server/model/kernel/runner.ts";
import type { Database } from "./client.ts";
import { isConflict, isUnavailable } from "./errors.ts";

/** A look's result: nothing is due; look again at once; or what is left waits for the next look. */
export type Found = "nothing" | "more" | "later";

export interface Look {
  isStopping(): boolean;
  /** Whether `wake` or `idle` called for this look. */
  isWanted: boolean;
  /** Whether somebody waits for the runner to be idle. */
  isAwaited(): boolean;
  /** Adds to what the runner has done. */
  count(done: number): void;
}

/** The options of a runner that polls. */
export interface PollingOptions extends Looking {
  database: Database;
  logger: WorkLog;
}

interface Polling extends Looking {
  look(look: Look): Promise<Found>;
  pollMs: number;
  logger: WorkLog;
  /** The words in the log for a look that failed. */
  fault: string;
  /** The pause after it, which nothing but a stop ends; `pollMs` when left out. */
  faultMs?: number;
  /** Faults that pass, beside those of the database: they are warnings in the log, the others are errors. */
  isPassing?(error: unknown): boolean;
}

/** Whether a fault of the database passes without anybody's help. */
export const passes = (error: unknown): boolean => isUnavailable(error) || isConflict(error);

/** Looks for due work now, `pollMs` after a look that found nothing more, and when woken. */
export function startPolling({ look, pollMs, logger, fault, faultMs = pollMs, isPassing = () => false, onLook }: Polling): KindRunner {
  const idle = new Idle(onLook);
  const stopping = new AbortController();
  const { signal } = stopping;
  let isWoken = false;
  let done = 0;
  let nudge = () => {};

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      nudge = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!signal.aborted) {
      const foundNothing = idle.look();
      const isWanted = isWoken;
      isWoken = false;
      try {
        const found = await look({
          isStopping: () => signal.aborted,
          isWanted,
          isAwaited: () => idle.isAwaited,
          count: (more) => (done += more),
        });
        if (found === "nothing") foundNothing();
        if (found !== "more" && !isWoken && !signal.aborted) await pause();
      } catch (error) {
        logger[passes(error) || isPassing(error) ? "warn" : "error"]({ err: error }, fault);
        await delay(faultMs, undefined, { signal }).catch(() => {});
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
