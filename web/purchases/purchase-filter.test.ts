import { expect, test } from "vitest";
import { EVERYTHING, isPurchaseFilter, purchaseFilterFrom, purchaseQueryOf } from "./purchase-filter.ts";

const parsed = (query: string) => purchaseFilterFrom(Object.fromEntries(new URLSearchParams(query)));

test("a filter comes back from its address, and what an address cannot mean is left out", () => {
  const filter = {
    ...{ ...EVERYTHING, listing: "voucher", player: "ann & bob", status: "Reversed" as const, handingOver: "Failed" as const },
    ...{ isRepeated: true, from: "2026-03-01T00:00:00Z" },
  };
  expect(parsed(purchaseQueryOf(filter))).toEqual(filter);
  expect(parsed("?status=Lost&handingOver=x&repeated=1&from=yesterday&listing=")).toEqual(EVERYTHING);
  expect(purchaseQueryOf(EVERYTHING)).toBe("");
  expect([isPurchaseFilter(EVERYTHING), isPurchaseFilter({ ...EVERYTHING, isRepeated: true })]).toEqual([false, true]);
});
