import fc from "fast-check";
import { expect, test } from "vitest";
import type { ScoreChange } from "../rules/effects.ts";
import { Decimal, type Numeric } from "../kernel/decimal.ts";
import { changed, numberOf, type Score, sortScore } from "./scores.ts";

const change = (by: ScoreChange["by"], value: Numeric, at = 0): ScoreChange => ({ by, value, at });
const after = (...changes: ScoreChange[]): Score | null =>
  changes.reduce<Score | null>((score, one, at) => changed(score, one, at + 1), null);

test.each([
  ["a sum", [change("Sum", 2), change("Sum", 3)], 5, 2],
  ["a sum that adds nothing was there before", [change("Sum", 2), change("Sum", 0)], 2, 1],
  ["the best", [change("Max", 2), change("Max", 5), change("Max", 5), change("Max", 1)], 5, 2],
  ["the least", [change("Min", 2), change("Min", 1), change("Min", 1)], 1, 2],
  ["the latest, by when it happened", [change("Latest", 7, 20), change("Latest", 3, 10)], 7, 1],
  ["of two at one instant the later received", [change("Latest", 7, 20), change("Latest", 3, 20)], 3, 2],
  ["the same value again was reached before", [change("Latest", 7, 20), change("Latest", 7, 30)], 7, 1],
  ["what the player has", [change("Set", 7), change("Set", 3)], 3, 2],
  ["a carried value does not replace an existing one", [change("Set", 7), change("Carry", 3)], 7, 1],
] as const)("%s", (_, changes, score, reachedSeq) => expect(after(...changes)).toMatchObject({ score, reachedSeq }));

test("sums are exact", () => {
  const wide = Decimal.parse("12345678901234567890.12345678")!;
  expect(String(after(change("Sum", wide), change("Sum", 0.1), change("Sum", 0.2))?.score)).toBe("12345678901234567890.42345678");
});

test("the smaller sort score is better, and a score is read back unchanged", () => {
  const numeric = fc.oneof(
    fc.integer(),
    fc.bigInt({ min: -(10n ** 28n), max: 10n ** 28n }).map((units) => Decimal.of(units).dividedBy(100_000_000, 8) as Numeric),
  );
  fc.assert(
    fc.property(numeric, numeric, (a, b) => {
      const better = Decimal.of(a).compare(b) > 0;
      expect(Decimal.of(sortScore(a, "HighestFirst")).compare(sortScore(b, "HighestFirst")) < 0).toBe(better);
      expect(String(sortScore(sortScore(a, "HighestFirst"), "HighestFirst"))).toBe(String(numberOf(String(a))));
    }),
  );
});
