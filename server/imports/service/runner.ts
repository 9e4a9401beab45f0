import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../../db/client.ts";
import { isConflict, isUnavailable } from "../../../db/errors.ts";
import { Idle, type KindRunner, type Looking } from "../../kernel/runner.ts";
import { forgetOld } from "../store.ts";
import { isPassing } from "./apply.ts";
import { importStep } from "./step.ts";

const POLL_MS = 1_000;
/** How long to wait where the facts of an environment are not applied as fast as an import adds to them. */
const FULL_MS = 100;
const FORGET_MS = 10 * 60_000;
const OUT_OF_REACH_MS = 500;

interface ImportsOptions extends Looking {
  database: Database;
  logger: { error: LogLine; warn: LogLine };
}

type LogLine = (fields: object, message: string) => void;

/**
 * Checks and applies imports, a step after the other. After each it pauses for as long as the step took: requests and folds have the
 * database for themselves at least half of the time.
 */
export function startImports({ database, logger, onLook }: ImportsOptions): KindRunner {
  let isStopping = false;
  let isWoken = false;
  let done = 0;
  let forgottenAt = -Infinity;
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
  const work = async (): Promise<void> => {
    const foundNothing = idle.look();
    isWoken = false;
    if (performance.now() - forgottenAt >= FORGET_MS) {
      await forgetOld(database.sql);
      forgottenAt = performance.now();
    }
    while (!isStopping) {
      const began = performance.now();
      const step = await importStep(database);
      if (step === null) break;
      done++;
      if (!isStopping) await delay(step === "waiting" ? FULL_MS : performance.now() - began);
    }
    foundNothing();
  };
  const run = async () => {
    while (!isStopping) {
      try {
        await work();
      } catch (error) {
        const passes = isUnavailable(error) || isConflict(error) || isPassing(error);
        logger[passes ? "warn" : "error"]({ err: error }, "a step of an import broke off");
        if (!isStopping) await delay(OUT_OF_REACH_MS);
        continue;
      }
      if (!isWoken && !isStopping) await pause(POLL_MS);
    }
  };
  const wake = () => {
    isWoken = true;
    nudge();
  };
  const running = run();
  return {
    wake,
    idle() {
      const through = idle.wait();
      wake();
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
