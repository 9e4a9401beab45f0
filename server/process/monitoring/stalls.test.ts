import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { STALL_MS, watchStalls } from "./stalls.ts";

const sleepers = new Int32Array(new SharedArrayBuffer(4));

test("work that delays the event loop's timers is a stall; waiting for a processor is not", async () => {
  const { figures, stop } = watchStalls();
  await delay(50);
  Atomics.wait(sleepers, 0, 0, STALL_MS * 3);
  await delay(50);
  expect(figures.count).toBe(0);

  const { user } = process.threadCpuUsage();
  while (process.threadCpuUsage().user - user < STALL_MS * 2 * 1000);
  await delay(50);
  stop();
  expect([figures.count, figures.longestMs > STALL_MS]).toEqual([1, true]);
});
