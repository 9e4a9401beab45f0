import { setTimeout as delay } from "node:timers/promises";

/** Waits for something that other work brings about. Tests that never see it end by their time-out. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(10);
}
