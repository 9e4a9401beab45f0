/** Definitions as product staff write them, short: a coffee shop's events, items and missions. */

export const ORDER_PLACED = {
  key: "order_placed",
  name: "Order placed",
  properties: [
    { key: "amount", type: "Number" },
    { key: "drink", type: "String" },
    { key: "takeaway", type: "Boolean" },
    { key: "pickup_at", type: "DateTime" },
  ],
};
export const ORDER_RETURNED = { key: "order_returned", name: "Order returned" };
export const FRIEND_INVITED = { key: "friend_invited", name: "Friend invited" };
export const EVENTS = [ORDER_PLACED, ORDER_RETURNED, FRIEND_INVITED];

export const points = (amount: number) => ({ kind: "Points", points: amount });
export const item = (catalogItem: string, value: unknown) => ({ kind: "CatalogItem", catalogItem, value });

/** An objective over `order_placed`; a count unless `more` has another measure. */
export const orders = (operator: string, target: unknown, more: object = {}) => ({ event: "order_placed", operator, target, ...more });
export const atLeast = (target: unknown, more: object = {}) => orders("GreaterThanOrEqualTo", target, more);
export const atMost = (target: unknown, more: object = {}) => orders("LessThanOrEqualTo", target, more);
export const measured = (kind: string, property?: string) => ({ measure: property === undefined ? { kind } : { kind, property } });

/** A condition that every entered player satisfies. It needs `BLOCKED` among the attributes. */
export const NOT_BLOCKED = { attribute: "blocked", operator: "NotEqualTo", target: true };
export const BLOCKED = { key: "blocked", name: "Blocked", type: "Boolean" };

/** A mission: one order for ten points, unless `more` overrides it. */
export const mission = (key: string, more: object = {}) => ({
  key,
  name: `Mission ${key}`,
  objectives: [atLeast(1)],
  rewards: [points(10)],
  ...more,
});

/** A file with the coffee shop's events and these missions. */
export const shop = (...missions: object[]) => ({
  events: EVENTS,
  catalogItems: [
    { key: "free_coffee", name: "Free coffee", valueType: "Number" },
    { key: "cup_colours", name: "Cup colours", valueType: "Collection" },
    { key: "voucher", name: "Voucher", valueType: "String" },
    { key: "early_entry", name: "Early entry", valueType: "Boolean" },
    { key: "table_at", name: "Table", valueType: "DateTime" },
  ],
  missions,
});

/** A marketplace item: a coffee for a hundred points, unless `more` overrides it. */
export const listing = (key: string, more: object = {}) => ({
  key,
  name: `Item ${key}`,
  priceInPoints: 100,
  contents: [{ catalogItem: "free_coffee", value: 1 }],
  ...more,
});

/** A file with the coffee shop's events and items, and these to buy. */
export const market = (...listings: object[]) => ({ ...shop(), marketplaceItems: listings });
