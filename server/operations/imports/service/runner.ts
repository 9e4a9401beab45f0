import { setTimeout as delay } from "node:timers/promises";
import { type PollingOptions, startPolling } from "#db/polling.ts";
import type { KindRunner } from "#server/model/kernel/runner.ts";
import { forgetOld } from "../store.ts";
import { isPassing } from "./apply.ts";
import { importStep } from "./step.ts";

const POLL_MS = 1_000;
/** The pause when an import adds facts faster than they are applied. */
const FULL_MS = 100;
const FORGET_MS = 10 * 60_000;
const OUT_OF_REACH_MS = 500;

/**
 * Checks and applies imports step by step. After each step it pauses for as long as the step took, so that requests and folds have the
 * database at least half of the time.
 */
export function startImports({ database, logger, onLook }: PollingOptions): KindRunner {
  let forgottenAt = -Infinity;
  return startPolling({
    pollMs: POLL_MS,
    logger,
    onLook,
    fault: "a step of an import broke off",
    faultMs: OUT_OF_REACH_MS,
    isPassing,
    async look({ isStopping, count }) {
      if (performance.now() - forgottenAt >= FORGET_MS) {
        await forgetOld(database.sql);
        forgottenAt = performance.now();
      }
      while (!isStopping()) {
        const began = performance.now();
        const step = await importStep(database);
        if (step === null) break;
        count(1);
        if (!isStopping()) await delay(step === "waiting" ? FULL_MS : performance.now() - began);
      }
      return "nothing";
    },
  });
}
