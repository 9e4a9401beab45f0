import { expect, test } from "vitest";
import { KEYS_ALONE, operatorInWords, partInWords, ruleInWords } from "./describe.ts";

const OVER_10 = { property: "amount", operator: "GreaterThan", value: 10 };

test.each<[what: string, rule: unknown, words: string | null]>([
  ["a filter", OVER_10, "amount is more than 10"],
  [
    "an objective",
    { description: null, event: "order_placed", where: OVER_10, measure: { kind: "Count" }, operator: "GreaterThanOrEqualTo", target: 5 },
    "Order_placed at least 5 times where amount is more than 10",
  ],
  [
    "days compared with a list of one",
    { description: null, event: "order_placed", measure: { kind: "DistinctDays" }, operator: "In", target: [1] },
    "Order_placed on 1 different day",
  ],
  [
    "a count compared with a list of one",
    { description: null, event: "order_placed", measure: { kind: "Count" }, operator: "NotIn", target: [1] },
    "Order_placed other than once",
  ],
  ["a condition", { not: { attribute: "tier", operator: "EqualTo", value: "gold" } }, "Not (tier is gold)"],
  ["a reward", { kind: "Points", points: 5 }, null],
  ["a half-written rule", { property: "amount", operator: "GreaterThan" }, null],
  ["a list", [OVER_10], null],
  ["nothing", null, null],
])("%s in words", (_, rule, words) => expect(ruleInWords(rule, KEYS_ALONE)).toBe(words));

test("a known operator has words, an unknown one none", () => {
  expect([operatorInWords("GreaterThan"), operatorInWords("In"), operatorInWords("Points")]).toEqual(["is more than", "is one of", null]);
});

test.each<[path: (string | number)[], value: unknown, words: string | null]>([
  [["audience"], { rule: { segment: "vip" }, otherwise: "Hidden" }, "Specific players: they are in the segment vip; others do not see it"],
  [["rewards", 0], { kind: "Points", points: 45 }, "45 points"],
  [["prizes", 1, "rewards", 0], { kind: "Points", points: 1 }, "1 point"],
  [["onSale"], { startsAt: null, endsAt: null }, "Always"],
  [["recurrence"], { kind: "Calendar", every: "Week" }, "Every week"],
  [["objectives", 0, "where"], OVER_10, "amount is more than 10"],
  [["name"], { default: "en", texts: { en: "Rewards" } }, null],
  [["period"], "Week", null],
  [["properties", "audience"], { key: "audience", type: "String" }, null],
  [["properties", "constructor"], { key: "constructor", type: "String" }, null],
  [["league", "tiers", "rewards", "name"], { default: "en", texts: { en: "Gold" } }, null],
  [["rewards"], [{ kind: "Points", points: 1 }], null],
])("the part %j of a definition as a sentence", (path, value, words) => expect(partInWords(path, value, KEYS_ALONE)).toBe(words));
