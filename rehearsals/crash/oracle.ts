import { atLeast, item, listing, measured, mission, points, shop } from "../../e2e/definitions.ts";

/**
 * A streak for all players, whether or not they are in missions. Orders are from the last seven days, which have no room for two runs of
 * four: late events may join runs, and the milestone is still paid only once.
 */
const VISITS = {
  key: "visits",
  name: "Visits",
  event: "order_placed",
  cadence: "Day",
  milestones: [{ length: 4, rewards: [points(9), item("cup_colours", ["gold"])] }],
};

/** The time of an order this many days ago, at most six. */
export const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** Missions whose outcome depends only on the events sent, in any order of application. */
const missions = shop(
  mission("first"),
  mission("regular", {
    objectives: [atLeast(20), atLeast(3, measured("DistinctCount", "drink"))],
    rewards: [points(50), item("free_coffee", 1), item("voucher", "ten off")],
  }),
  mission("spender", { objectives: [atLeast(100.5, measured("Sum", "amount"))], rewards: [points(7)] }),
  mission("club", { optIn: "Manual", objectives: [atLeast(5)], rewards: [points(25), item("early_entry", true)] }),
  mission("again", { recurrence: { kind: "AfterCompletion" }, objectives: [atLeast(3)], rewards: [points(3)] }),
  mission("never", {
    objectives: [atLeast(1_000_000), atLeast(1_000_000, measured("Sum", "amount")), atLeast(1000, measured("DistinctCount", "drink"))],
  }),
);

/** These missions, a streak whose outcome does not depend on the order either, and a metric. */
export const MISSIONS = { ...missions, streaks: [VISITS], metrics: [{ key: "steps", name: "Steps", kind: "Number" }] };

export const RARE_STOCK = 20;
export const RARE_PER_PLAYER = 4;
/** Two listings: unlimited, and with few units. */
export const LISTINGS = [
  listing("cup", { priceInPoints: 5 }),
  listing("rare", { priceInPoints: 2, stock: RARE_STOCK, limitPerPlayer: RARE_PER_PLAYER }),
];

/** The points of each mission's completion, and the catalog items it owes. */
export const REWARDS: Record<string, { points: number; items: string[] }> = {
  first: { points: 10, items: [] },
  regular: { points: 50, items: ["free_coffee", "voucher"] },
  spender: { points: 7, items: [] },
  club: { points: 25, items: ["early_entry"] },
  again: { points: 3, items: [] },
};

/** An order as sent. Amounts are whole cents here, so that the oracle's sum is exact. */
export interface Order {
  playerId: string;
  key: string;
  cents: number;
  drink: string;
  occurredAt: string;
}

/** A player as known to the customer from responses. */
export interface Account {
  playerId: string;
  /** Whether the missions were read, and `club` accepted, before the first event. */
  takesPart: boolean;
  orders: number;
  cents: number;
  drinks: Set<string>;
  /** Dates in UTC. */
  days: Set<string>;
  adjusted: number;
  spent: number;
}

/** The customer's own record of everything acknowledged, which comparisons use as the oracle. */
export class Oracle {
  readonly accounts = new Map<string, Account>();
  /** The id of each acknowledged order, by player and key. */
  readonly orders = new Map<string, string>();
  /** The ids of events without idempotency keys: sent again, they are new events. */
  readonly others: string[] = [];
  /** The most events that their requests can have stored besides, each in a try whose answer was lost. */
  unanswered = 0;
  /** The id of each acknowledged purchase, by player and key. */
  readonly purchases = new Map<string, string>();
  /** The number of final answers. */
  answers = 0;
  /** The number of retried requests, by reason. */
  readonly sentAgain = new Map<string, number>();
  /** Responses that contradict earlier ones. */
  readonly contradictions: string[] = [];

  open(playerId: string, takesPart: boolean): void {
    this.accounts.set(playerId, { playerId, takesPart, orders: 0, cents: 0, drinks: new Set(), days: new Set(), adjusted: 0, spent: 0 });
  }

  ordered({ playerId, key, cents, drink, occurredAt }: Order, eventId: string): void {
    const name = `${playerId} ${key}`;
    const before = this.orders.get(name);
    if (before === eventId) return;
    if (before !== undefined) this.contradictions.push(`order ${name} was answered with ${before} and with ${eventId}`);
    this.orders.set(name, eventId);
    const account = this.accounts.get(playerId)!;
    account.orders++;
    account.cents += cents;
    account.drinks.add(drink);
    account.days.add(occurredAt.slice(0, 10));
  }

  adjusted(playerId: string, amount: number): void {
    this.accounts.get(playerId)!.adjusted += amount;
  }

  bought(playerId: string, key: string, { purchaseId, pricePaidInPoints }: { purchaseId: string; pricePaidInPoints: number }): void {
    this.purchases.set(`${playerId} ${key}`, purchaseId);
    this.accounts.get(playerId)!.spent += pricePaidInPoints;
  }
}

/** The non-recurring missions that a player must have completed. */
export function completedBy({ takesPart, orders, cents, drinks }: Account): string[] {
  if (!takesPart) return [];
  const done: Record<string, boolean> = {
    first: orders >= 1,
    regular: orders >= 20 && drinks.size >= 3,
    spender: cents >= 10_050,
    club: orders >= 5,
  };
  return Object.keys(done).filter((key) => done[key]);
}

/** Whether a player was active on four consecutive days. */
export const hasStreak = ({ days }: Account): boolean =>
  [...days].some((first) =>
    [1, 2, 3].every((later) => days.has(new Date(Date.parse(first) + later * 86_400_000).toISOString().slice(0, 10))),
  );

/** The player's expected balance, with `again` completed this often. */
export const balanceOf = (account: Account, again: number): number =>
  account.adjusted -
  account.spent +
  (hasStreak(account) ? 9 : 0) +
  completedBy(account).reduce((sum, key) => sum + REWARDS[key]!.points, again * REWARDS["again"]!.points);
