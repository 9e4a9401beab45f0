import fc from "fast-check";
import { expect, test } from "vitest";
import { LIMIT, type Share, shareOf } from "./shares.ts";

const sharesOf = (processes: number): Share[] => Array.from({ length: processes }, (_, place) => shareOf(place, processes));
const total = (shares: readonly Share[], part: keyof Share): number => shares.reduce((sum, share) => sum + share[part], 0);

test("the parts of any number of processes up to 16 add up to 16 in flight and 8 waiting, and differ by one at most", () => {
  const processes = fc.integer({ min: 1, max: 16 });
  fc.assert(
    fc.property(processes, (count) => {
      const shares = sharesOf(count);
      for (const part of ["inFlight", "waiting"] as const) {
        const parts = shares.map((share) => share[part]);
        expect(total(shares, part)).toBe(LIMIT[part]);
        expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test.each<[number, Share[]]>([
  [1, [{ inFlight: 16, waiting: 8 }]],
  [2, Array<Share>(2).fill({ inFlight: 8, waiting: 4 })],
  [3, [{ inFlight: 6, waiting: 3 }, { inFlight: 5, waiting: 3 }, { inFlight: 5, waiting: 2 }]], // prettier-ignore
])("among %d", (processes, shares) => {
  expect(sharesOf(processes)).toEqual(shares);
});

test("with more processes than places each still takes one request at a time", () => {
  const shares = sharesOf(40);
  expect(new Set(shares.map(({ inFlight }) => inFlight))).toEqual(new Set([1]));
  expect(total(shares, "waiting")).toBe(8);
});
