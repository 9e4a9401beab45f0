import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { groupOfSeat, type LeagueRules, outcomes } from "./ranking.ts";

const rules: LeagueRules = { groupSize: 6, tiers: 3, promotes: 2, relegates: 2 };
/** Scores of a group, best first; the result has a letter for each player: up, down, stays. */
const moves = (scores: readonly number[], tier: number, more: Partial<LeagueRules> = {}): string =>
  outcomes(
    scores.map((score, reachedSeq) => ({ sortScore: -score, reachedSeq })),
    tier,
    { ...rules, ...more },
  )
    .map(({ outcome }) => outcome[0])
    .join("");

describe("when a period settles", () => {
  test.each([
    ["a full group of a middle tier", [9, 8, 7, 6, 5, 4], 1, "PPSSRR"],
    ["the lowest tier has nothing below it", [9, 8, 7, 6, 5, 4], 0, "PPSSSS"],
    ["the highest has nothing above it", [9, 8, 7, 6, 5, 4], 2, "SSSSRR"],
    ["a group just half full still relegates, of those that are not promoted", [9, 8, 7], 1, "PPR"],
    ["a group less than half full does not", [9, 8], 1, "PP"],
    ["nor does a single player fall", [9], 2, "S"],
    ["equal scores go by who was there first", [5, 5, 5, 5, 5, 5], 1, "PPSSRR"],
  ])("%s", (_, scores, tier, expected) => expect(moves(scores, tier)).toBe(expected));

  test("no player moves in a league of one tier", () => expect(moves([3, 2, 1, 0, 0, 0], 0, { tiers: 1 })).toBe("SSSSSS"));

  test("promotions and relegations together may cover the whole group", () =>
    expect(moves([4, 3, 2, 1], 1, { groupSize: 4, promotes: 2, relegates: 2 })).toBe("PPRR"));

  test("ranks are competition ranks in the group", () => {
    const ranked = outcomes(
      [3, 3, 1].map((score, reachedSeq) => ({ sortScore: -score, reachedSeq })),
      0,
      rules,
    );
    expect(ranked.map(({ rank }) => rank)).toEqual([1, 1, 3]);
  });

  test("no promoted player ranks behind one who is not, and tiers change by one at most", () => {
    const anyRules = fc
      .record({ tiers: fc.integer({ min: 1, max: 4 }), promotes: fc.nat(4), relegates: fc.nat(4), more: fc.nat(4) })
      .map(({ more, ...one }) => ({ ...one, groupSize: Math.max(2, one.promotes + one.relegates + more) }));
    fc.assert(
      fc.property(anyRules, fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 12 }), fc.nat(3), (one, scores, nth) => {
        const tier = nth % one.tiers;
        const group = scores.slice(0, one.groupSize).map((sortScore, reachedSeq) => ({ sortScore, reachedSeq }));
        const moved = outcomes(group, tier, one);
        const order = moved.map(({ outcome }) => ["Promoted", "Stayed", "Relegated"].indexOf(outcome));
        expect(order).toEqual([...order].sort());
        for (const { outcome, tier: next } of moved) expect(next - tier).toBe({ Promoted: 1, Stayed: 0, Relegated: -1 }[outcome]);
        for (const { tier: next } of moved) expect(next >= 0 && next < one.tiers).toBe(true);
        if (group.length * 2 < one.groupSize) expect(moved.some(({ outcome }) => outcome === "Relegated")).toBe(false);
      }),
    );
  });
});

test("seats are filled group by group", () => {
  expect([0, 1, 2, 3, 4, 5, 6].map((seat) => groupOfSeat(seat, 3))).toEqual([0, 0, 0, 1, 1, 1, 2]);
});
