import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listing } from "./testing.ts";
import { isOffered, isVisible, refusalOf, remainingPurchases, remainingStock, statusOf } from "./eligibility.ts";

const NOW = Date.parse("2026-05-10T12:00:00Z");
const eligibility = (parts = {}) => ({ isEligible: true, sold: 0, bought: 0, balance: 100, ...parts });

describe("the status of a listing", () => {
  test.each([
    ["Purchasable", {}, {}],
    ["Purchasable", { priceInPoints: 0 }, { balance: 0 }],
    ["InsufficientBalance", {}, { balance: 99 }],
    ["PurchaseLimitReached", { limitPerPlayer: 2 }, { bought: 2, balance: 0 }],
    ["Purchasable", { limitPerPlayer: 2 }, { bought: 1 }],
    ["OutOfStock", { stock: 5, limitPerPlayer: 1 }, { sold: 5, bought: 1, balance: 0 }],
    ["OutOfStock", { stock: 0 }, {}],
    ["OutOfStock", { stock: 3 }, { sold: 5 }],
    ["Purchasable", { stock: 5 }, { sold: 4 }],
    ["NotEligible", { stock: 0, limitPerPlayer: 1 }, { isEligible: false, bought: 1, balance: 0 }],
  ])("is %s of %j for %j", (status, parts, facts) => {
    expect(statusOf(listing(parts), eligibility(facts))).toBe(status);
  });

  test("is the first check that fails: audience, stock, limit, balance", () => {
    const whole = fc.nat({ max: 6 });
    const some = fc.option(whole, { nil: null });
    const facts = fc.record({ isEligible: fc.boolean(), sold: whole, bought: whole, balance: fc.nat({ max: 200 }) });
    const parts = fc.record({ stock: some, limitPerPlayer: some, priceInPoints: fc.nat({ max: 200 }) });
    fc.assert(
      fc.property(parts, facts, (limits, fact) => {
        const fails = [
          ["NotEligible", !fact.isEligible],
          ["OutOfStock", limits.stock !== null && fact.sold >= limits.stock],
          ["PurchaseLimitReached", limits.limitPerPlayer !== null && fact.bought >= limits.limitPerPlayer],
          ["InsufficientBalance", fact.balance < limits.priceInPoints],
          ["Purchasable", true],
        ] as const;
        expect(statusOf(listing(limits), fact)).toBe(fails.find(([, isSo]) => isSo)![0]);
      }),
    );
  });
});

test("the remainder is never negative, and null without a limit", () => {
  expect(remainingStock(listing(), eligibility({ sold: 7 }))).toBeNull();
  expect(remainingStock(listing({ stock: 10 }), eligibility({ sold: 7 }))).toBe(3);
  expect(remainingStock(listing({ stock: 5 }), eligibility({ sold: 7 }))).toBe(0);
  expect(remainingPurchases(listing(), eligibility({ bought: 7 }))).toBeNull();
  expect(remainingPurchases(listing({ limitPerPlayer: 5 }), eligibility({ bought: 7 }))).toBe(0);
});

test("a sale runs from its start up to but without its end", () => {
  const onSale = { startsAt: NOW, endsAt: NOW + 1000 };
  const at = (instant: number, parts = {}) => isOffered(listing({ onSale, ...parts }), instant);
  expect([at(NOW - 1), at(NOW), at(NOW + 999), at(NOW + 1000), at(NOW, { active: false })]).toEqual([false, true, true, false, false]);
});

test("the listing's own refusals come in the order of the specification", () => {
  const over = { onSale: { startsAt: null, endsAt: NOW } };
  expect(refusalOf(undefined, NOW)).toBe("marketplace_item.not_found");
  expect(refusalOf(listing({ active: false, ...over }), NOW)).toBe("marketplace_item.inactive");
  expect(refusalOf(listing(over), NOW)).toBe("marketplace_item.not_available");
  expect(refusalOf(listing(), NOW)).toBeNull();
});

test("an ineligible player sees Locked listings, not Hidden ones", () => {
  const of = (otherwise: "Locked" | "Hidden") => listing({ audience: { rule: null, otherwise } });
  expect([isVisible(of("Locked"), false), isVisible(of("Hidden"), false), isVisible(of("Hidden"), true)]).toEqual([true, false, true]);
});
