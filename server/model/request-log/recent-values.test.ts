import { expect, test } from "vitest";
import { Decimal } from "../kernel/decimal.ts";
import type { Properties, Scalar } from "../kernel/values.ts";
import { MAX_VALUES, recentValues } from "./recent-values.ts";

const property = (key: string, type: "String" | "Number" | "Boolean" | "DateTime" = "String") => ({ key, type, required: false });
const of = (shop: Scalar) => ({ shop });

test("values are the most frequent first, of the property's type alone, and never of private ones or instants", () => {
  const wide = Decimal.parse("12345678901234567890.5")!;
  const events: Properties[] = [
    { shop: "Utrecht", amount: 3, email: "ann@example.com", at: "2026-01-01T00:00:00.000Z", gift: true },
    { shop: "Amsterdam", amount: wide, email: "bob@example.com", at: "2026-01-02T00:00:00.000Z" },
    { shop: "Amsterdam", amount: "3" },
    {},
  ];
  const properties = [
    property("shop"),
    property("amount", "Number"),
    property("gift", "Boolean"),
    { ...property("email"), private: true as const },
    property("at", "DateTime"),
    property("constructor"),
  ];
  expect(recentValues(properties, events)).toEqual([
    { key: "shop", values: ["Amsterdam", "Utrecht"], areAll: true },
    { key: "amount", values: [wide, 3], areAll: true },
    { key: "gift", values: [true], areAll: true },
    { key: "constructor", values: [], areAll: true },
  ]);
});

test("values beyond a bound are left out, and the list is then marked as incomplete", () => {
  const only = (events: Parameters<typeof recentValues>[1]) => recentValues([property("shop")], events)[0]!;
  const many = Array.from({ length: MAX_VALUES.ofProperty + 1 }, (_, at) => of(`shop ${at}`));
  expect(only(many.slice(1))).toMatchObject({ areAll: true, values: { length: MAX_VALUES.ofProperty } });
  expect(only(many)).toMatchObject({ areAll: false, values: { length: MAX_VALUES.ofProperty } });
  expect(only([of("a".repeat(MAX_VALUES.text + 1)), of("b")])).toEqual({ key: "shop", values: ["b"], areAll: false });
  expect(only([null, of("b")])).toEqual({ key: "shop", values: ["b"], areAll: false });
  const long = Array.from({ length: MAX_VALUES.ofProperty }, (_, at) => {
    const text = `${at}`.padEnd(MAX_VALUES.text, "x");
    return { a: text, b: text, c: text, d: text };
  });
  const found = recentValues(
    ["a", "b", "c", "d"].map((key) => property(key)),
    long,
  );
  expect(found.map(({ areAll }) => areAll)).toEqual([true, true, false, false]);
  expect(JSON.stringify(found.flatMap(({ values }) => values)).length).toBeLessThan(MAX_VALUES.characters * 1.1);
});
