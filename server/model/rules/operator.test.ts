import { describe, expect, test } from "vitest";
import { Decimal } from "../kernel/decimal.ts";
import type { Scalar, ScalarType } from "../kernel/values.ts";
import {
  beingPhrase,
  checkComparison,
  comparison,
  holds,
  type Operator,
  operatorInMenu,
  OPERATORS,
  operatorsOf,
  quantity,
  counterText,
  standingText,
  type Target,
  timesPhrase,
} from "./operator.ts";
import { textOf } from "./phrase.ts";

const wide = Decimal.parse("12345678901234567890.5")!;

describe("an operator accepts", () => {
  test.each<[actual: Scalar | null, operator: Operator, target: Target, expected: boolean]>([
    [5, "EqualTo", 5, true],
    [5, "EqualTo", "5", false],
    [5, "NotEqualTo", 6, true],
    [5, "GreaterThan", 5, false],
    [5, "GreaterThanOrEqualTo", 5, true],
    [wide, "GreaterThan", 5, true],
    [5, "LessThan", wide, true],
    [5, "LessThanOrEqualTo", 5, true],
    // Values of different types have no order.
    ["a", "LessThan", 5, false],
    ["a", "GreaterThanOrEqualTo", 5, false],
    ["a", "LessThanOrEqualTo", 5, false],
    [true, "In", [true], true],
    [false, "In", [true], false],
    [false, "NotIn", [true], true],
    ["2026-01-01T00:00:00.000Z", "LessThan", "2026-01-02T00:00:00.000Z", true],
    // Without a value only the negated operators hold.
    [null, "EqualTo", 5, false],
    [null, "NotEqualTo", 5, true],
    [null, "LessThan", 5, false],
    [null, "In", [5], false],
    [null, "NotIn", [5], true],
  ])("%s %s %j: %s", (actual, operator, target, expected) => expect(holds(actual, operator, target)).toBe(expected));
});

test.each<[ScalarType | undefined, number]>([
  ["Number", 8],
  ["DateTime", 8],
  ["String", 4],
  ["Boolean", 4],
  [undefined, 4],
])("a %s is offered %d operators, and each of them passes the check", (type, count) => {
  expect(operatorsOf(type)).toHaveLength(count);
  for (const operator of operatorsOf(type)) {
    expect(checkComparison(type, { operator, value: undefined, path: [], member: "value" })).toEqual([]);
  }
});

test.each<[operator: Operator, value: Scalar | Scalar[], type: ScalarType, codes: string[]]>([
  ["GreaterThan", "tea", "String", ["operator.does_not_fit"]],
  ["In", [], "Number", ["value.list_wanted"]],
  ["In", 5, "Number", ["value.list_wanted"]],
  ["EqualTo", [5], "Number", ["value.single_wanted"]],
  ["EqualTo", "5", "Number", ["value.type_wanted"]],
  ["NotIn", [true, 5], "Boolean", ["value.type_wanted"]],
  ["In", [true, false], "Boolean", []],
])("%s %j of a %s: %j", (operator, value, type, codes) => {
  const findings = checkComparison(type, { operator, value, path: ["a"], member: "value" });
  expect(findings.map(({ code }) => code)).toEqual(codes);
});

describe("an operator reads", () => {
  const at = { timeZone: "UTC" };
  test.each<[Operator, Scalar | Scalar[], ScalarType, is: string, amount: string]>([
    ["GreaterThan", 10, "Number", "is more than 10", "more than 10"],
    ["GreaterThanOrEqualTo", 10, "Number", "is at least 10", "at least 10"],
    ["LessThan", 10, "Number", "is less than 10", "less than 10"],
    ["EqualTo", 10, "Number", "is 10", "exactly 10"],
    ["NotEqualTo", "tea", "String", "is not tea", "other than tea"],
    ["EqualTo", "tea", "String", "is tea", "tea"],
    ["In", ["tea", "latte"], "String", "is tea or latte", "tea or latte"],
    ["NotIn", ["tea", "latte"], "String", "is neither tea nor latte", "other than tea or latte"],
    ["NotIn", ["tea"], "String", "is not tea", "other than tea"],
    ["NotIn", [false, false], "Boolean", "is not false", "other than false"],
    ["GreaterThan", "2026-02-01T08:00:00.000Z", "DateTime", "is after 1 Feb 2026, 08:00", "after 1 Feb 2026, 08:00"],
    ["LessThanOrEqualTo", "2026-02-01T08:00:00.000Z", "DateTime", "is at or before 1 Feb 2026, 08:00", "at or before 1 Feb 2026, 08:00"],
  ])("%s %j of a %s: %s, %s", (operator, value, type, is, amount) => {
    expect(textOf(comparison({ operator, value, type, ...at }))).toBe(is);
    expect(textOf(quantity({ operator, value, type, ...at }))).toBe(amount);
  });

  test("has the same words in a menu, a sentence and an explanation", () => {
    expect(operatorInMenu("GreaterThan", "Number", false)).toBe("is more than");
    const compared = { operator: "GreaterThan", value: 10, type: "Number", ...at } as const;
    expect(textOf(beingPhrase(compared))).toBe("more than 10");
    expect(standingText(8, compared)).toBe("is 8, needs to be more than 10");
    expect(standingText(null, compared)).toBe("is missing, needs to be more than 10");
    expect(counterText(3, { ...compared, operator: "GreaterThanOrEqualTo", value: 5 })).toBe("3 of 5");
    expect(counterText(5, { ...compared, operator: "GreaterThanOrEqualTo", value: 5 })).toBe("5 of 5");
    expect(counterText(6, { ...compared, operator: "GreaterThanOrEqualTo", value: 5 })).toBe("6, needs at least 5");
  });

  test("has words for menus and for counts", () => {
    for (const operator of OPERATORS) {
      expect(operatorInMenu(operator, "Number", true)).not.toBe("");
      expect(operatorInMenu(operator, "DateTime", false)).toMatch(/^is/);
      expect(textOf(timesPhrase({ operator, value: 1, ...at }))).not.toContain("  ");
    }
  });
});
