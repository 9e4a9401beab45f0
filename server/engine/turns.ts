import { setImmediate } from "node:timers/promises";
import type { Steps } from "../model/kernel/steps.ts";

/** How long other work may be blocked. */
const TURN_MS = 10;

/** Runs all steps of a long piece of work, and yields to the event loop whenever some milliseconds have passed. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  let began = performance.now();
  let step = steps.next();
  while (step.done !== true) {
    if (performance.now() - began > TURN_MS) {
      await setImmediate();
      began = performance.now();
    }
    step = steps.next();
  }
  return step.value;
}
