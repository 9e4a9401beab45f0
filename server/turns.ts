import { setImmediate } from "node:timers/promises";

/** How long somebody else may have to wait for their turn. */
const TURN_MS = 10;

/** Takes all steps of a long piece of work, and lets others have their turn whenever it has taken some milliseconds. */
export async function inTurns<Result>(steps: Generator<void, Result>): Promise<Result> {
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
