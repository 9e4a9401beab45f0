import { expect, test } from "vitest";
import { type DraftFact, type FactKind, inputOf, keysReadBy, propertiesAtOnce } from "./facts.ts";

const ORDER: FactKind = {
  kind: "events",
  key: "order_placed",
  name: "Order placed",
  properties: [
    { key: "amount", type: "Number" },
    { key: "drink", type: "String" },
    { key: "takeaway", type: "Boolean" },
  ],
  valueType: null,
};

const draft = (properties: Record<string, string>, more: Partial<DraftFact> = {}): DraftFact => ({
  id: 1,
  kind: "events",
  key: "order_placed",
  occurredAt: "2026-03-10T12:00:00.000Z",
  properties,
  value: "",
  ...more,
});

test.each([
  [{ amount: "8.50", drink: "8", takeaway: "true" }, '{"amount":8.5,"drink":"8","takeaway":true}'],
  [{ amount: "12345678901234567890.12345678" }, '{"amount":12345678901234567890.12345678}'],
  [{ amount: "", drink: "" }, "{}"],
  [{ amount: "much" }, '{"amount":"much"}'],
  [{ colour: "red" }, "{}"],
])("properties typed as %j are sent as %s", (properties, expected) => {
  expect(inputOf(draft(properties), ORDER).properties).toBe(expected);
});

test("a value is sent by its type, and left out if missing", () => {
  const tier: FactKind = { kind: "attributes", key: "tier", name: "Tier", properties: [], valueType: "String" };
  expect(inputOf(draft({}, { kind: "attributes", key: "tier", value: "1" }), tier).value).toBe('"1"');
  expect(inputOf(draft({}, { value: "1" }), ORDER).value).toBeNull();
});

test("the definition's own references are offered first, its audience's not at all", () => {
  const where = { not: { property: "amount", operator: "LessThan", value: 5 } };
  const document = {
    objectives: [{ all: [{ event: "order_placed", where }, { attribute: "tier" }] }, { metric: "steps", event: null }],
    audience: { rule: { event: "store_visited", where: { property: "shop" } } },
  };
  const named = keysReadBy(JSON.stringify(document));
  expect([named.facts, [...named.properties]]).toEqual([["events/order_placed", "attributes/tier", "metrics/steps"], ["amount"]]);
  expect(keysReadBy("{").facts).toEqual([]);
});

test("an event's properties that are read, required or filled in have a field from the start", () => {
  const known = { ...ORDER, properties: [...ORDER.properties, { key: "shop", type: "String" as const, required: true }] };
  const shown = propertiesAtOnce(draft({ drink: "tea" }), known, { properties: new Set(["amount"]) });
  expect(shown.map(({ key }) => key)).toEqual(["amount", "drink", "shop"]);
});
