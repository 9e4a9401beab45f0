import fc from "fast-check";
import { expect, test } from "vitest";
import { byRank, ranks } from "./ranking.ts";

const board = fc
  .array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 40 })
  .map((scores) => scores.map((sortScore, reachedSeq) => ({ sortScore, reachedSeq })).sort(byRank));

/** By the definition: one more than the number of better ones. */
const rankOf = (rows: readonly { sortScore: number }[], { sortScore }: { sortScore: number }): number =>
  1 + rows.filter((other) => other.sortScore < sortScore).length;

test("a rank is one more than the number of better rows", () => {
  fc.assert(
    fc.property(board, (rows) => {
      expect(ranks(rows)).toEqual(rows.map((row) => rankOf(rows, row)));
    }),
  );
});

test("a stretch of the board is ranked from the ranks of its first two scores", () => {
  fc.assert(
    fc.property(board, fc.nat(39), fc.nat(39), (rows, from, length) => {
      const stretch = rows.slice(from % rows.length, (from % rows.length) + 1 + length);
      const [first] = stretch;
      const second = stretch.find(({ sortScore }) => sortScore !== first!.sortScore);
      const found = ranks(stretch, rankOf(rows, first!), second === undefined ? null : rankOf(rows, second));
      expect(found).toEqual(stretch.map((row) => rankOf(rows, row)));
    }),
  );
});

test("of equal scores, the one reached first ranks first", () => {
  const rows = [
    { sortScore: 2, reachedSeq: 7 },
    { sortScore: 2, reachedSeq: 3 },
    { sortScore: 1, reachedSeq: 9 },
  ];
  expect(rows.sort(byRank).map(({ reachedSeq }) => reachedSeq)).toEqual([9, 3, 7]);
});
