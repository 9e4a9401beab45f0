import { expect, it } from "vitest";
import { adjustmentOf } from "./adjust-points.tsx";

it.each([
  ["", 10, null, null],
  ["-", 10, null, null],
  ["50", 10, 50, null],
  ["+50", 10, 50, null],
  ["−10", 10, -10, null],
  ["-11", 10, -11, "The balance would be below 0."],
  ["1.5", 10, null, "Enter a whole number."],
  ["many", 10, null, "Enter a whole number."],
  ["0", 10, null, "Enter a number other than 0."],
  ["9007199254740991", 10, 9007199254740991, "The balance would be too large."],
])("%j on a balance of %i is %j points, and wrong: %j", (typed, balance, points, problem) =>
  expect(adjustmentOf(typed, balance)).toEqual({ points, problem }),
);
