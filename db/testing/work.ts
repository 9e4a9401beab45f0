import { setTimeout as delay } from "node:timers/promises";
import { DEFAULT_LANES, fineLaneOf, type Lane, lanesOf } from "../../server/model/kernel/lanes.ts";

/** Waits for something that other work brings about. Tests that never see it end by their time-out. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(10);
}

const LANES = lanesOf(DEFAULT_LANES);

/** The lane of a part, where nobody has set their number. */
export const laneOf = (part: number): Lane => LANES.find(({ first, last }) => fineLaneOf(part) >= first && fineLaneOf(part) <= last)!;
