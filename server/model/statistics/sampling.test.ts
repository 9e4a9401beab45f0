import fc from "fast-check";
import { expect, test } from "vitest";
import { allocate, estimateTotal, type Measured, quantileOf, standardErrorOfTotal, varianceOf } from "./sampling.ts";

/** The sizes of 64 cities in 1930: the 16 largest and the 48 others (Cochran, Sampling Techniques, 3rd ed., table 5.1). */
const LARGE = { size: 16, variance: 53_843 };
const OTHER = { size: 48, variance: 5_581 };

test("has the standard errors of Cochran's 64 cities, with proportional and with equal allocation", () => {
  const errorOf = (large: number, other: number) =>
    standardErrorOfTotal([
      { ...LARGE, sampled: large },
      { ...OTHER, sampled: other },
    ]);
  expect(Math.round(errorOf(6, 18))).toBe(1_372);
  expect(Math.round(errorOf(12, 12))).toBe(1_044);
});

const measured = (size: number, values: readonly number[]): Measured => ({
  size,
  sampled: values.length,
  sum: values.reduce((sum, value) => sum + value, 0),
  squares: values.reduce((sum, value) => sum + value * value, 0),
});

test("a total of all members is exact, without an interval", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 4 }),
      (strata) => {
        const { value, low, high } = estimateTotal(strata.map((values) => measured(values.length, values)));
        expect(value).toBeCloseTo(strata.flat().reduce((sum, one) => sum + one, 0));
        expect([low, high]).toEqual([value, value]);
      },
    ),
  );
});

test("the interval holds the true total of a skewed population in about 95 of 100 samples", () => {
  // Few players make most of the total, in a stratum of their own.
  const random = generator(7);
  const strata = [
    Array.from({ length: 9_000 }, () => (random() < 0.05 ? 1 : 0)),
    Array.from({ length: 400 }, () => Math.floor(random() * 40)),
  ];
  const truth = strata.flat().reduce((sum, one) => sum + one, 0);
  let held = 0;
  for (let round = 0; round < 1_000; round++) {
    const { low, high } = estimateTotal(strata.map((all) => measured(all.length, drawn(all, 200, random))));
    if (low <= truth && truth <= high) held++;
  }
  expect(held).toBeGreaterThan(915);
  expect(held).toBeLessThan(985);
});

test("with sizes from a first sample the interval is wider", () => {
  const strata = [
    measured(
      900,
      Array.from({ length: 90 }, () => 0),
    ),
    measured(
      100,
      Array.from({ length: 10 }, () => 10),
    ),
  ];
  expect(estimateTotal(strata)).toEqual({ value: 1_000, low: 1_000, high: 1_000 });
  // p (1 − p) of ten points each, in a first sample of 500 of 1,000: 1.96 × √(1000 × 500 / 500 × 0.09) × 10.
  const { low, high } = estimateTotal(strata, { players: 500 });
  expect((high - low) / 2).toBeCloseTo(1.959964 * Math.sqrt(90) * 10, 6);
});

test("a stratum with one sampled member has no variance, and one without samples adds nothing", () => {
  expect(varianceOf(measured(5, [3]))).toBe(0);
  expect(varianceOf(measured(9, [2, 4, 4, 4, 5, 5, 7, 9]))).toBeCloseTo(32 / 7);
  expect(estimateTotal([measured(5, [])])).toEqual({ value: 0, low: 0, high: 0 });
});

test("small strata are sampled too, and no stratum beyond its size", () => {
  expect(allocate([50, 20], 100, 10)).toEqual([50, 20]);
  expect(allocate([100_000, 30, 900], 1_000, 100)).toEqual([863, 30, 106]);
  fc.assert(
    fc.property(fc.array(fc.nat(5_000), { minLength: 1, maxLength: 5 }), fc.integer({ min: 10, max: 3_000 }), (sizes, most) => {
      const parts = allocate(sizes, most, 200);
      expect(parts.every((part, at) => part <= sizes[at]! && (sizes[at] === 0 || part > 0))).toBe(true);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(Math.max(most, 0));
    }),
  );
});

test("quantiles take the weights into account", () => {
  const even = [7, 1, 3, 5].map((value) => ({ value, weight: 1 }));
  expect([0.25, 0.5, 0.75].map((part) => quantileOf(even, part))).toEqual([1, 3, 5]);
  expect(
    quantileOf(
      [
        { value: 10, weight: 9 },
        { value: 1, weight: 1 },
      ],
      0.5,
    ),
  ).toBe(10);
  expect(quantileOf([], 0.5)).toBeNull();
});

/** Draws `count` of the values, each at most once. */
function drawn(values: readonly number[], count: number, random: () => number): number[] {
  const all = [...values];
  for (let at = 0; at < count; at++) {
    const other = at + Math.floor(random() * (all.length - at));
    [all[at], all[other]] = [all[other]!, all[at]!];
  }
  return all.slice(0, count);
}

/** Numbers from 0 to 1, the same on every run (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
