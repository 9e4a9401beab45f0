import { describe, expect, it } from "vitest";
import { Decimal } from "#server/model/kernel/decimal.ts";
import { type ConditionDraft, conditionPhrase } from "#server/model/rules/condition.ts";
import type { FilterDraft } from "#server/model/rules/filter.ts";
import type { MeasureDraft } from "#server/model/rules/measure.ts";
import { type MeasuredObjectiveDraft, type ObjectiveDraft, objectivePhrase } from "#server/model/rules/objective.ts";
import { begun, textOf } from "#server/model/rules/phrase.ts";
import { COFFEE_BAR } from "../testing.ts";
import { scopeOf } from "../catalogue.ts";

const SCOPE = scopeOf(COFFEE_BAR);

const order = (changes: Partial<MeasuredObjectiveDraft> = {}): ObjectiveDraft => ({
  event: "order_placed",
  where: null,
  measure: { kind: "Count" },
  operator: "GreaterThanOrEqualTo",
  target: 5,
  ...changes,
});
const steps = (measure: MeasureDraft, changes: Partial<MeasuredObjectiveDraft> = {}): ObjectiveDraft => ({
  metric: "steps",
  where: null,
  measure,
  operator: "GreaterThanOrEqualTo",
  target: 10_000,
  ...changes,
});
const over10: FilterDraft = { property: "amount", operator: "GreaterThan", value: 10 };
const latte: FilterDraft = { property: "drink", operator: "EqualTo", value: "latte" };
const takeaway: FilterDraft = { property: "takeaway", operator: "EqualTo", value: true };

describe("an objective reads as a sentence", () => {
  it.each<[objective: ObjectiveDraft, sentence: string]>([
    [order(), "Order placed at least 5 times"],
    [order({ where: over10 }), "Order placed at least 5 times where amount is more than 10"],
    [order({ target: 1 }), "Order placed at least once"],
    [order({ operator: "LessThanOrEqualTo", target: 2 }), "Order placed at most 2 times"],
    [order({ operator: "EqualTo", target: 0 }), "Order placed never"],
    [order({ operator: "LessThan", target: 1 }), "Order placed never"],
    [order({ operator: "EqualTo", target: 3 }), "Order placed exactly 3 times"],
    [order({ operator: "In", target: [1, 2, 3] }), "Order placed 1, 2 or 3 times"],
    [order({ operator: "NotEqualTo", target: 1 }), "Order placed other than once"],
    [order({ measure: { kind: "Sum", property: "amount" }, target: 500 }), "Order placed with a total amount of at least 500"],
    [order({ measure: { kind: "Max", property: "amount" }, operator: "GreaterThan" }), "Order placed with a highest amount of more than 5"],
    [order({ measure: { kind: "Min", property: "amount" }, operator: "LessThan" }), "Order placed with a lowest amount of less than 5"],
    [
      order({ measure: { kind: "Latest", property: "drink" }, operator: "EqualTo", target: "flat white" }),
      "Order placed with a latest drink of “flat white”",
    ],
    [
      order({ measure: { kind: "Max", property: "pickup_at" }, operator: "GreaterThan", target: "2026-02-01T08:00:00.000Z" }),
      "Order placed with a highest pickup_at of after 1 Feb 2026, 09:00",
    ],
    [order({ measure: { kind: "DistinctCount", property: "drink" }, target: 3 }), "Order placed with at least 3 different values of drink"],
    [order({ measure: { kind: "DistinctDays" } }), "Order placed on at least 5 different days"],
    [order({ measure: { kind: "DistinctDays" }, target: 1 }), "Order placed on at least 1 different day"],
    [steps({ kind: "Sum" }), "Steps with a total value of at least 10,000"],
    [steps({ kind: "DistinctCount" }, { target: 2 }), "Steps with at least 2 different values"],
    [steps({ kind: "Count" }), "Steps at least 10,000 times"],
    [{ attribute: "tier", operator: "In", target: ["gold", "platinum"] }, "Tier is gold or platinum"],
    [{ attribute: "tier", operator: "NotIn", target: ["gold", "platinum"] }, "Tier is neither gold nor platinum"],
    [{ attribute: "tier", operator: "EqualTo", target: "42" }, "Tier is “42”"],
    [{ attribute: "age", operator: "GreaterThanOrEqualTo", target: 18 }, "Age is at least 18"],
    [
      { attribute: "age", operator: "LessThan", target: Decimal.parse("12345678901234567890.5")! },
      "Age is less than 12,345,678,901,234,567,890.5",
    ],
    [{ attribute: "gone", operator: "EqualTo", target: true }, "Gone is true"],
    [{ any: [order(), steps({ kind: "Sum" })] }, "Order placed at least 5 times or Steps with a total value of at least 10,000"],
    [
      { any: [order({ where: over10 }), { attribute: "tier", operator: "EqualTo", target: "gold" }] },
      "(Order placed at least 5 times where amount is more than 10) or Tier is gold",
    ],
    [{ not: order({ target: 1 }) }, "Not (Order placed at least once)"],
    [
      {
        all: [
          order({ target: 1 }),
          {
            any: [
              { attribute: "tier", operator: "EqualTo", target: "gold" },
              { attribute: "age", operator: "GreaterThan", target: 60 },
            ],
          },
        ],
      },
      "Order placed at least once and (Tier is gold or Age is more than 60)",
    ],
    [
      order({ where: { all: [over10, latte, { not: takeaway }] } }),
      "Order placed at least 5 times where amount is more than 10, and drink is latte, and not (takeaway is true)",
    ],
    [
      order({ where: { any: [over10, { all: [latte, takeaway] }] } }),
      "Order placed at least 5 times where amount is more than 10 or (drink is latte and takeaway is true)",
    ],
    [
      order({ where: { when: { weekdays: ["Saturday", "Friday"], from: "17:00", until: "19:00" } } }),
      "Order placed at least 5 times where it happens on Friday or Saturday from 17:00 to 19:00",
    ],
    [
      order({ where: { all: [latte, { when: { weekdays: ["Monday", "Tuesday", "Wednesday"], from: "17:00" } }] } }),
      "Order placed at least 5 times where drink is latte and it happens on Monday to Wednesday from 17:00 on",
    ],
    [order({ where: { when: { until: "12:00" } } }), "Order placed at least 5 times where it happens until 12:00"],
    [order({ where: { when: {} } }), "Order placed at least 5 times where it happens …"],
    [order({ event: null, target: null }), "An event at least … times"],
    [order({ measure: { kind: "Sum", property: null } }), "Order placed with a total property of at least 5"],
    [{ all: [] }, "No condition yet"],
  ])("%j", (objective, sentence) => expect(textOf(begun(objectivePhrase(objective, SCOPE)))).toBe(sentence));
});

describe("a condition reads as a sentence", () => {
  it.each<[condition: ConditionDraft, sentence: string]>([
    [{ segment: "vip" }, "They are in the segment VIP"],
    [{ missionCompleted: "first_order" }, "They have completed First order"],
    [{ points: "Balance", operator: "GreaterThanOrEqualTo", value: 500 }, "Their points balance is at least 500"],
    [{ streak: "daily_coffee", operator: "GreaterThanOrEqualTo", value: 7 }, "They have a streak of at least 7 in Daily coffee"],
    [
      {
        event: "order_placed",
        where: over10,
        measure: { kind: "Sum", property: "amount" },
        operator: "GreaterThan",
        value: 500,
        lastDays: 30,
      },
      "Order placed with a total amount of more than 500 in the last 30 days where amount is more than 10",
    ],
    [
      { metric: "steps", where: null, measure: { kind: "Sum" }, operator: "LessThan", value: 100, lastDays: 1 },
      "Steps with a total value of less than 100 today",
    ],
    [{ attribute: "tier", operator: "NotEqualTo", value: "blocked" }, "Tier is not blocked"],
    [
      { all: [{ missionCompleted: "first_order" }, { not: { attribute: "tier", operator: "EqualTo", value: "blocked" } }] },
      "They have completed First order and not (Tier is blocked)",
    ],
    [{ share: 25, salt: null }, "They are in a share of 25% of players"],
    [{ share: 12.5, salt: "spring" }, "They are in a share of 12.5% of players with the salt spring"],
    [{ share: null, salt: null }, "They are in a share of … of players"],
    [{ segment: null }, "They are in the segment …"],
  ])("%j", (condition, sentence) => expect(textOf(begun(conditionPhrase(condition, SCOPE)))).toBe(sentence));
});
