import { expect, test } from "vitest";
import { shareBefore } from "./service/read.ts";

test.each([
  ["nothing is older than the first bound", { frequent: [], shares: [], bounds: [10, 20, 30] }, 10, 0],
  ["half lies before the middle bound", { frequent: [], shares: [], bounds: [10, 20, 30] }, 20, 0.5],
  ["between two bounds it is taken as even", { frequent: [], shares: [], bounds: [10, 20, 30] }, 25, 0.75],
  ["everything is older than what comes after the last bound", { frequent: [], shares: [], bounds: [10, 20, 30] }, 31, 1],
  ["frequent values count by their share", { frequent: [5, 50], shares: [0.2, 0.4], bounds: [10, 20, 30] }, 20, 0.4],
  ["frequent values may be all there are", { frequent: [5, 50], shares: [0.25, 0.75], bounds: [] }, 20, 0.25],
])("%s", (_, sample, instant, share) => expect(shareBefore(sample, instant)).toBeCloseTo(share));
