import { expect, test } from "vitest";
import { costWords, effectHeadline, effectWords, type EffectRow } from "./effect-words.ts";

const relative = { value: 0.08, low: 0.02, high: 0.14 };
const row = (more: Partial<EffectRow>): EffectRow => ({
  ...{ measure: "chosen", inside: { sum: 108, mean: 1.08 }, outside: { sum: 100, mean: 1 }, relative, verdict: { kind: "clear" } },
  ...more,
});

test("a difference has its interval, or the time until it is clear", () => {
  expect(effectWords(row({}))).toBe("+8% (+2 to +14)");
  expect(effectWords(row({ verdict: { kind: "tooEarly", moreDays: 9 } }))).toBe("Can't be told yet: about 9 more days");
  expect(effectWords(row({ verdict: { kind: "tooEarly", moreDays: null }, relative: null }))).toBe("Not enough data");
  const unclear = { relative: { value: -0.03, low: -0.094, high: 0.035 }, verdict: { kind: "unclear", moreDays: 1 } } as const;
  expect(effectWords(row(unclear))).toBe("No clear difference: −3% (−9.4 to +3.5). If it stays like this, about 1 more day");
});

test("one sentence names the change and the comparison", () => {
  const effect = { basis: "Share", days: 10, groups: { inside: 50, outside: 50, share: 0.5, isMismatch: false }, rows: [row({})] } as const;
  const of = (more: object) => effectHeadline({ ...effect, rows: [row({})], ...more }, "Order placed");
  expect(of({})).toBe("Order placed: 8% more than players held out.");
  expect(of({ basis: "Before" })).toBe("Order placed: 8% more than before.");
  expect(of({ rows: [row({ verdict: { kind: "tooEarly", moreDays: 9 } })] })).toBe("Order placed: can't be told yet, about 9 more days.");
  const nobody = { groups: { ...effect.groups, inside: 0, outside: 0 } };
  expect(of(nobody)).toBe("No players yet.");
  expect(of({ ...nobody, basis: "Before" })).toBe("No player has enough earlier history to compare with.");
  expect(of({ days: 0 })).toBe("The comparison begins with the first whole day.");
});

test("the cost is points and items, and both per additional event", () => {
  const cost = { points: 4_000, items: 100, perAdditional: { points: 133.33, items: 3.333 } };
  expect(costWords(cost, "Order placed")).toBe("Cost: 4,000 points and 100 items; 133 points and 3.3 items per additional Order placed.");
  expect(costWords({ points: 0, items: 1, perAdditional: null }, "Order placed")).toBe("Cost: 1 item.");
  expect(costWords({ points: 0, items: 0, perAdditional: null }, "Order placed")).toBeNull();
});
