import { expect, test } from "vitest";
import { PURCHASES } from "./purchase-filter.ts";

const parsed = (query: string) => PURCHASES.from(Object.fromEntries(new URLSearchParams(query)));

test("a filter is restored from its address, and invalid values are ignored", () => {
  const filter = {
    ...{ ...PURCHASES.none, listing: "voucher", player: "ann & bob", status: "Reversed" as const, handingOver: "Failed" as const },
    ...{ repeated: "yes" as const, from: "2026-03-01T00:00:00Z" },
  };
  expect(parsed(PURCHASES.queryOf(filter))).toEqual(filter);
  expect(parsed("?status=Lost&handingOver=x&repeated=1&from=yesterday&listing=")).toEqual(PURCHASES.none);
  expect(PURCHASES.queryOf(PURCHASES.none)).toBe("");
  expect([PURCHASES.isFiltered(PURCHASES.none), PURCHASES.isFiltered({ ...PURCHASES.none, repeated: "yes" })]).toEqual([false, true]);
});
