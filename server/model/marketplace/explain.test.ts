import { expect, test } from "vitest";
import type { Listing } from "./definition.ts";
import { NOON } from "../missions/testing.ts";
import { listing } from "./testing.ts";
import { explainPurchase } from "./explain.ts";
import type { PurchaseEligibility } from "./eligibility.ts";

const SALE: PurchaseEligibility = { round: { number: 0, start: "" }, isEligible: true, sold: 0, bought: 0, balance: 1_000_000 };
const off: Partial<Listing> = { active: false };
const later: Partial<Listing> = { onSale: { startsAt: NOON + 1, endsAt: null } };

/** Each row fixes one problem of the row before. The first failing check gives the answer. */
test.each<[Partial<Listing>, Partial<PurchaseEligibility>, boolean, string | null, number]>([
  [{ ...off, ...later, stock: 0, limitPerPlayer: 1 }, { isEligible: false, bought: 1, balance: 0 }, false, "player.not_found", 0],
  [{ ...off, ...later, stock: 0, limitPerPlayer: 1 }, { isEligible: false, bought: 1, balance: 0 }, true, "marketplace_item.inactive", 1],
  [{ ...later, stock: 0, limitPerPlayer: 1 }, { isEligible: false, bought: 1, balance: 0 }, true, "marketplace_item.not_available", 2],
  [{ stock: 0, limitPerPlayer: 1 }, { isEligible: false, bought: 1, balance: 0 }, true, "marketplace_item.not_eligible", 3],
  [{ stock: 0, limitPerPlayer: 1 }, { bought: 1, balance: 0 }, true, "marketplace_item.out_of_stock", 4],
  [{ stock: 2, limitPerPlayer: 1 }, { sold: 1, bought: 1, balance: 0 }, true, "marketplace_item.purchase_limit_reached", 5],
  [{ stock: 2, limitPerPlayer: 2 }, { sold: 1, bought: 1, balance: 0 }, true, "points.insufficient_balance", 6],
  [{ stock: 2, limitPerPlayer: 2 }, { sold: 1, bought: 1 }, true, null, 7],
])("%j at %j of a known player (%s) answers %s", (parts, eligibility, isKnown, refusal, passed) => {
  const tried = listing({ priceInPoints: 10, ...parts });
  const { refusal: answer, checks } = explainPurchase(tried, isKnown, { ...SALE, ...eligibility }, NOON, { zone: "UTC", nameOf: String });
  expect(answer).toBe(refusal);
  // Earlier checks pass, this one fails, and later checks are not evaluated.
  expect(checks.map(({ isMet }) => isMet)).toEqual(checks.map((_, index) => (index < passed ? true : index === passed ? false : null)));
});
