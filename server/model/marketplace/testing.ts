import type { Listing } from "./definition.ts";

/** A listing for all players, always on sale, except for `parts`. */
export const listing = (parts: Partial<Listing> = {}): Listing => ({
  id: 1,
  key: "voucher",
  active: true,
  createdAt: Date.parse("2026-01-15T12:00:00Z"),
  name: { default: "en", texts: { en: "Voucher" } },
  description: null,
  images: {},
  priceInPoints: 100,
  contents: [{ catalogItemKey: "free_coffee", valueType: "Number", value: 1 }],
  audience: { rule: null, otherwise: "Locked" },
  appearsIn: "Shop",
  onSale: { startsAt: null, endsAt: null },
  stock: null,
  limitPerPlayer: null,
  recurrence: { kind: "None" },
  ...parts,
});
