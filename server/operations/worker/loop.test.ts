import { afterEach, expect, test, vi } from "vitest";
import { gathered } from "./loop.ts";

afterEach(() => void vi.useRealTimers());

test("of many slices the first wakes the other jobs immediately, the rest no more than every tenth of a second, and none is forgotten", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const woken: number[] = [];
  const wake = gathered(() => woken.push(performance.now()));
  const began = performance.now();
  for (let slice = 0; slice < 25; slice++) {
    wake();
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(1_000);
  expect(woken.map((at) => at - began)).toEqual([0, 100, 200, 300]);
  wake();
  expect(woken).toHaveLength(5);
});
