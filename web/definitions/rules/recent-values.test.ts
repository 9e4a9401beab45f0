import { expect, it } from "vitest";
import type { PropertyTestDraft } from "#server/model/rules/filter.ts";
import type { ScalarType } from "#server/model/kernel/values.ts";
import { neverCame, type Recent, suggestionsFor } from "./recent-values.ts";

const RECENT: Recent = {
  ...{ events: 812, since: "2026-11-19T10:00:00.000Z", areAll: true },
  properties: [
    { key: "shop", values: ['"Utrecht"', '"Amsterdam"'], areAll: true },
    { key: "amount", values: ["3", "12345678901234567890.5"], areAll: true },
    { key: "gift", values: ["true"], areAll: true },
    { key: "product", values: ['"a"'], areAll: false },
  ],
};
const TYPES: Record<string, ScalarType> = { shop: "String", amount: "Number", gift: "Boolean", product: "String" };
const hintOf = (property: string, operator: PropertyTestDraft["operator"], value: PropertyTestDraft["value"], recent = RECENT) =>
  neverCame(recent, { property, operator, value }, { source: "Order placed", type: TYPES[property], timeZone: "UTC" });

it("suggests values as they are typed, digit for digit", () => {
  expect(suggestionsFor(RECENT, "shop")).toEqual(["Utrecht", "Amsterdam"]);
  expect(suggestionsFor(RECENT, "amount")).toEqual(["3", "12345678901234567890.5"]);
  expect(suggestionsFor(RECENT, "gift")).toEqual([]);
  expect(suggestionsFor(RECENT, "email")).toEqual([]);
});

it("says that a condition was never met", () => {
  expect(hintOf("shop", "EqualTo", "Berlin")).toBe("No Order placed since 19 Nov where shop is Berlin.");
  expect(hintOf("shop", "In", ["Utrecht", "Berlin", "Bern"])).toBe("No Order placed since 19 Nov where shop is Berlin or Bern.");
  expect(hintOf("amount", "LessThan", 3)).toBe("No Order placed since 19 Nov where amount is less than 3.");
  expect(hintOf("gift", "EqualTo", false)).toMatch(/^No Order placed since 19 Nov where gift is/);
  expect(hintOf("shop", "EqualTo", "Berlin", { ...RECENT, areAll: false })).toBe(
    "No Order placed since 19 Nov where shop is Berlin, among 812 in the log.",
  );
});

it("says nothing where the condition was met, or where that is unknown", () => {
  expect(hintOf("shop", "EqualTo", "Utrecht")).toBeNull();
  expect(hintOf("amount", "GreaterThan", 1_000)).toBeNull();
  expect(hintOf("shop", "NotEqualTo", "Utrecht")).toBeNull();
  expect(hintOf("shop", "NotIn", ["Utrecht", "Amsterdam"])).toBeNull();
  expect(hintOf("shop", "EqualTo", null)).toBeNull();
  expect(hintOf("amount", "EqualTo", NaN)).toBeNull();
  expect(hintOf("product", "EqualTo", "b")).toBeNull();
  expect(hintOf("email", "EqualTo", "b")).toBeNull();
  expect(hintOf("shop", "EqualTo", "Berlin", { ...RECENT, events: 0 })).toBeNull();
});
