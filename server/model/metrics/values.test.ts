import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Definitions, MetricDefinition } from "../definitions/compiled.ts";
import { definitionsWith } from "../missions/testing.ts";
import { Decimal } from "../kernel/decimal.ts";
import { parseJson, writeJson } from "../kernel/json.ts";
import { atOnce } from "../kernel/steps.ts";
import { judgeReport, type MetricReport } from "./values.ts";

const metric = (parts: Partial<MetricDefinition>): MetricDefinition => ({
  id: 1,
  key: "spend",
  active: true,
  kind: "Currency",
  budget: null,
  properties: new Map([["channel", { key: "channel", type: "String", required: false }]]),
  ...parts,
});

const METRICS = [metric({}), metric({ id: 2, key: "steps", kind: "Number" }), metric({ id: 3, key: "off", active: false })];
const DEFINITIONS: Definitions = {
  ...definitionsWith([]),
  metricsByKey: new Map(METRICS.map((one) => [one.key, one])),
  baseCurrency: "EUR",
  exchangeRates: new Map([["USD", 0.92]]),
};

const NOW = Date.UTC(2026, 0, 31, 9);
const DAY = 24 * 60 * 60 * 1000;

const report = (parts: Partial<MetricReport> = {}): MetricReport => ({
  metricKey: "spend",
  value: 10,
  currencyCode: "USD",
  exchangeRate: null,
  occurredAt: NOW,
  properties: {},
  ...parts,
});
const amountOf = (parts: Partial<MetricReport>) => {
  const judged = atOnce(judgeReport(report(parts), DEFINITIONS, NOW));
  return "amount" in judged ? judged.amount : judged.problems.listed.map(({ code }) => code);
};

describe("an amount of money", () => {
  test("is normalised at the stored rate, at the given one, or not at all in the base currency", () => {
    expect(amountOf({})).toMatchObject({ currencyCode: "USD", exchangeRate: 0.92, normalizedValue: 9.2 });
    expect(amountOf({ exchangeRate: 2 })).toMatchObject({ exchangeRate: 2, normalizedValue: 20 });
    expect(amountOf({ currencyCode: "eur" })).toMatchObject({ currencyCode: "EUR", exchangeRate: 1, normalizedValue: 10 });
    expect(amountOf({ currencyCode: "GBP", exchangeRate: 1.5 })).toMatchObject({ currencyCode: "GBP", normalizedValue: 15 });
  });

  test("needs a currency with a rate", () => {
    expect(amountOf({ currencyCode: null })).toEqual(["metric.currency_code_required"]);
    expect(amountOf({ currencyCode: "GBP" })).toEqual(["metric.exchange_rate_not_found"]);
    expect(amountOf({ currencyCode: null, exchangeRate: 2 })).toEqual(["metric.currency_code_required", "request.invalid"]);
  });

  test("rounds half-even to 8 decimals, digit for digit", () => {
    const product = (value: string, rate: string) => {
      const judged = amountOf({ value: parseJson(value) as number, exchangeRate: parseJson(rate) as number });
      return "normalizedValue" in judged ? writeJson(judged.normalizedValue) : judged;
    };
    expect(product("0.00000001", "0.5")).toBe("0");
    expect(product("0.00000003", "0.5")).toBe("0.00000002");
    expect(product("12345678901234567890.12345678", "1")).toBe("12345678901234567890.12345678");
    expect(product("99999999999999999999", "2")).toEqual(["metric.value_out_of_range"]);
  });

  test("is the product of value and rate, never of their doubles", () => {
    const digits = (most: number) => fc.bigInt({ min: 1n, max: 10n ** BigInt(most) });
    fc.assert(
      fc.property(digits(12), digits(9), (value, rate) => {
        const amount = amountOf({ value: Decimal.of(value).dividedBy(100, 2), exchangeRate: Decimal.of(rate).dividedBy(1_000_000, 6) });
        const exact = Decimal.of(value).times(Decimal.of(rate)).dividedBy(100_000_000, 8);
        expect("normalizedValue" in amount && Decimal.of(amount.normalizedValue).equals(exact)).toBe(true);
      }),
    );
  });
});

test("a plain number accepts no currency", () => {
  expect(amountOf({ metricKey: "steps", currencyCode: null })).toMatchObject({
    currencyCode: null,
    exchangeRate: null,
    normalizedValue: 10,
  });
  expect(amountOf({ metricKey: "steps" })).toEqual(["metric.currency_code_not_allowed"]);
  expect(amountOf({ metricKey: "steps", currencyCode: null, exchangeRate: 1 })).toEqual(["request.invalid"]);
});

test("an instant more than 24 hours ahead is refused, whatever its other problems", () => {
  expect(amountOf({ occurredAt: NOW + DAY })).toHaveProperty("normalizedValue");
  expect(amountOf({ occurredAt: NOW + DAY + 1 })).toEqual(["request.invalid"]);
  expect(amountOf({ metricKey: "nothing", occurredAt: NOW + DAY + 1, properties: { x: 1 } })).toEqual([
    "metric.not_found",
    "request.invalid",
  ]);
});

test("of many problems the first hundred are listed, and the others counted", () => {
  const properties = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`unknown_${at}`, 1]));
  const judged = atOnce(judgeReport(report({ properties }), DEFINITIONS, NOW));
  if ("amount" in judged) throw new Error("It was taken.");
  expect([judged.problems.listed.length, judged.problems.more]).toEqual([100, 199_900]);
});

test("values that do not fit the definition are refused, and all problems reported together", () => {
  expect(amountOf({ metricKey: "nothing" })).toEqual(["metric.not_found"]);
  expect(amountOf({ metricKey: "off" })).toEqual(["metric.inactive"]);
  const wide = parseJson("0.000000001") as number;
  expect(amountOf({ value: wide, currencyCode: null, properties: { channel: 1, other: 2 } })).toEqual([
    "metric.value_out_of_range",
    "metric.currency_code_required",
    "metric.property_type_mismatch",
    "metric.unknown_property",
  ]);
});
