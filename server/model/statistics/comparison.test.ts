import { expect, test } from "vitest";
import {
  chiSquare,
  differenceOf,
  EMPTY_GROUP,
  type Group,
  isMismatch,
  relativeOf,
  relativeOfPairs,
  verdictOf,
  withValue,
} from "./comparison.ts";

const groupOf = (values: readonly number[]): Group => values.reduce(withValue, EMPTY_GROUP);
/** A group in which `some` of the members did something once. */
const shareOf = (some: number, members: number): Group => ({ members, sum: some, squares: some, some });

test("Welch's t of the example in the literature: means of 20.8 and 23.0, t of −2.46", () => {
  const one = groupOf([27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4]);
  const other = groupOf([27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4]);
  const { value, standardError } = differenceOf(one, other);
  expect(one.sum / one.members).toBeCloseTo(20.82, 2);
  expect(value / standardError).toBeCloseTo(-2.46, 1);
});

test("the relative risk of the Physicians' Health Study is 1.8178, from 1.4330 to 2.3059", () => {
  // 189 of 11,034 on placebo and 104 of 11,037 on aspirin had a heart attack (Agresti, Categorical Data Analysis, 2.2).
  const { value, low, high } = relativeOf(shareOf(189, 11_034), shareOf(104, 11_037))!;
  expect([value, low, high].map((one) => (1 + one).toFixed(4))).toEqual(["1.8178", "1.4330", "2.3059"]);
});

test("the chi-square of Mendel's peas is 0.470", () => {
  const peas = [315, 101, 108, 32];
  expect(
    chiSquare(
      peas,
      [9, 3, 3, 1].map((part) => (556 * part) / 16),
    ),
  ).toBeCloseTo(0.47, 3);
});

test("group sizes are a mismatch if chance makes their difference less than once in a thousand", () => {
  // 10,000 players, half and half: chi-square is 10.828 at 164.5 more on one side than on the other, twice.
  expect(isMismatch(5_164, 4_836, 0.5)).toBe(false);
  expect(isMismatch(5_165, 4_835, 0.5)).toBe(true);
  expect(isMismatch(1_000, 9_000, 0.1)).toBe(false);
});

test("pairs that move together have a narrower interval than two groups", () => {
  const before = Array.from({ length: 50 }, (_, at) => 1 + (at % 10));
  const now = before.map((value, at) => value * 1.1 + (at % 2) * 0.2);
  const products = now.reduce((sum, value, at) => sum + value * before[at]!, 0);
  const paired = relativeOfPairs({ now: groupOf(now), before: groupOf(before), products })!;
  const apart = relativeOf(groupOf(now), groupOf(before))!;
  expect(paired.value).toBeCloseTo(apart.value);
  expect(paired.high - paired.low).toBeLessThan((apart.high - apart.low) / 5);
  // Every value doubles exactly.
  const doubled = relativeOfPairs({ now: groupOf([2, 4, 6]), before: groupOf([1, 2, 3]), products: 28 })!;
  expect([doubled.low, doubled.value, doubled.high].map((one) => one.toFixed(6))).toEqual(["1.000000", "1.000000", "1.000000"]);
});

test("with too little data or an unclear difference, the verdict is how many more days are needed", () => {
  const relative = (low: number, high: number) => ({ value: Math.sqrt((1 + low) * (1 + high)) - 1, low, high });
  const groups = (some: number) => [shareOf(some, 1_000), shareOf(some + 5, 1_000)];
  expect(verdictOf(relative(0.02, 0.14), groups(10), 10)).toEqual({ kind: "tooEarly", moreDays: 20 });
  expect(verdictOf(relative(0.02, 0.14), groups(200), 3)).toEqual({ kind: "tooEarly", moreDays: 4 });
  expect(verdictOf(null, groups(0), 20)).toEqual({ kind: "tooEarly", moreDays: null });
  expect(verdictOf(relative(0.02, 0.14), groups(200), 14)).toEqual({ kind: "clear" });
  expect(verdictOf(relative(-0.2, -0.01), groups(200), 14)).toEqual({ kind: "clear" });
  expect(verdictOf(relative(-0.02, 0.3), groups(200), 14)).toMatchObject({ kind: "unclear", moreDays: expect.any(Number) });
  expect(verdictOf(relative(-0.1, 0.105), groups(200), 14)).toEqual({ kind: "unclear", moreDays: null });
});
