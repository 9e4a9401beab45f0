import { setTimeout as delay } from "node:timers/promises";
import { DEFAULT_LANES, fineLaneOf, type Lane, lanesOf } from "../../server/model/kernel/lanes.ts";

/** Polls for a condition that other work will meet; limited by the test's timeout. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(10);
}

const LANES = lanesOf(DEFAULT_LANES);

/** The lane of a part, with the default number of lanes. */
export const laneOf = (part: number): Lane => LANES.find(({ first, last }) => fineLaneOf(part) >= first && fineLaneOf(part) <= last)!;
