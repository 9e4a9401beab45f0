/** How a kind of customer behaves. Chances are from 0 to 1. */
export interface Behavior {
  /** Chance of an order on a weekday, and on a weekend day. */
  orders: readonly [weekday: number, weekend: number];
  /** The hours of the day between which the first order falls. */
  hours: readonly [from: number, to: number];
  /** Chance of another order in the afternoon. */
  again: number;
  /** The most cups in an order. */
  cups: number;
  /** Chance per order. */
  pastry: number;
  takeaway: number;
  ownCup: number;
  otherDrink: number;
  otherShop: number;
  returned: number;
  reviewed: number;
  /** Chance on a day with an order. */
  beans: number;
  giftCard: number;
  /** Chance of opening the app before an order, and on a day without one. */
  looks: readonly [withOrder: number, without: number];
  /** The opt-in missions that they accept when offered. */
  accepts: readonly string[];
}

const ORDINARY: Behavior = {
  orders: [0.5, 0.4],
  hours: [8, 11],
  again: 0.05,
  cups: 1,
  pastry: 0.2,
  takeaway: 0.3,
  ownCup: 0.1,
  otherDrink: 0.2,
  otherShop: 0.15,
  returned: 0.01,
  reviewed: 0.03,
  beans: 0.02,
  giftCard: 0.01,
  looks: [0.7, 0.25],
  accepts: ["coffee_lover"],
};

const CONNOISSEUR = ["coffee_lover", "coffee_passport", "home_barista", "gold_tasting", "vip_evening"];

export const BEHAVIORS = {
  /** Almost lives here; knows the app by heart and still finds something new. */
  devoted: {
    ...ORDINARY,
    orders: [0.97, 0.8],
    hours: [8, 10],
    again: 0.3,
    cups: 2,
    pastry: 0.35,
    ownCup: 0.4,
    otherDrink: 0.5,
    otherShop: 0.3,
    reviewed: 0.12,
    beans: 0.1,
    looks: [1, 1],
    accepts: ["coffee_lover", "home_barista"],
  },
  /** The same order at the same hour, every working day. */
  regular: { ...ORDINARY, orders: [0.9, 0.2], hours: [7.5, 9], otherDrink: 0.1, looks: [0.85, 0.3] },
  /** Runs for the train with a cup in hand. */
  commuter: { ...ORDINARY, orders: [0.85, 0.05], hours: [6.75, 8], takeaway: 0.95, ownCup: 0.6, otherShop: 0.3, looks: [0.9, 0.1] },
  /** Buys for the whole team. */
  spender: {
    ...ORDINARY,
    orders: [0.75, 0.3],
    hours: [9, 12],
    again: 0.35,
    cups: 8,
    pastry: 0.7,
    giftCard: 0.05,
    beans: 0.08,
    looks: [0.9, 0.4],
    accepts: CONNOISSEUR,
  },
  /** Tries everything everywhere, and says so. */
  explorer: {
    ...ORDINARY,
    orders: [0.65, 0.6],
    hours: [9, 15],
    otherDrink: 0.85,
    otherShop: 0.6,
    reviewed: 0.35,
    beans: 0.12,
    looks: [0.95, 0.5],
    accepts: CONNOISSEUR,
  },
  /** Brunch with friends. */
  weekender: { ...ORDINARY, orders: [0.08, 0.9], hours: [10, 13], cups: 4, pastry: 0.8, takeaway: 0.1, looks: [0.8, 0.2] },
  /** Now and then. */
  occasional: { ...ORDINARY, orders: [0.25, 0.2], hours: [9, 17], looks: [0.5, 0.1], accepts: [] },
  /** Looks more often than drinks. */
  browser: { ...ORDINARY, orders: [0.1, 0.1], hours: [10, 18], looks: [1, 0.8], accepts: [] },
  /** Hard to please. */
  critical: { ...ORDINARY, orders: [0.6, 0.5], returned: 0.25, reviewed: 0.4, otherDrink: 0.4, looks: [0.8, 0.3] },
} satisfies Record<string, Behavior>;
