import type { Database } from "#db/client.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { Problem } from "../../model/kernel/problem.ts";
import { purchase } from "../../game/marketplace/service.ts";
import { playerKey } from "../../model/players/identity.ts";
import { transactionsBelow } from "../../game/points/service.ts";
import type { Span } from "./activity.ts";
import { type Chance, chanceOf } from "./chance.ts";
import type { Persona } from "./personas.ts";

/** What customers save for, the most common first. Prices are those of `definitions.json`. */
const WISHES = [
  { listingKey: "pastry", price: 60 },
  { listingKey: "coffee_on_us", price: 100 },
  { listingKey: "house_blend", price: 150 },
  { listingKey: "breakfast_for_two", price: 240 },
] as const;
/** Out of ten customers, this many ever buy anything. */
const SHOPPERS = 0.6;
const MAX_PURCHASES = 5;
/** Kept unspent, so that corrections by support never exceed the balance. */
const RESERVE = 25;
const SEED = 3_100;
const MAX_TRANSACTIONS = 2_000;
const HOUR = 3_600_000;

/**
 * Customers spend points once they have earned them: each saves for something, and buys it some hours after they can afford it.
 * Deterministic, and an existing purchase is not repeated. They buy at most `bags` of the house blend.
 */
export async function goShopping(
  database: Database,
  environment: Environment,
  customers: readonly Pick<Persona, "id">[],
  span: Span,
  bags: number,
): Promise<void> {
  let left = bags;
  for (const [index, { id }] of customers.entries()) {
    const chance = chanceOf(SEED + index);
    if (!chance.happens(SHOPPERS)) continue;
    const key = playerKey(environment.id, id);
    const ledger = await transactionsBelow(database.sql, key, { at: span.endsAt, id: 0 }, MAX_TRANSACTIONS);
    const earned = ledger.filter(({ type }) => type === "Grant" || type === "Adjustment").reverse();
    for (const { at, listingKey, number } of planned(earned, chance, span, () => left > 0)) {
      const order = { externalId: id, listingKey, idempotencyKey: `shop ${number}` };
      const isBought = await purchase(database, environment, at, order).then(() => true, unlessRefused);
      if (isBought && listingKey === "house_blend") left--;
    }
  }
}

/** One customer's purchases, in order. */
function* planned(
  earned: readonly { amount: number; occurredAt: number }[],
  chance: Chance,
  { endsAt }: Span,
  isBlendLeft: () => boolean,
): Generator<{ at: number; listingKey: string; number: number }, void> {
  let wish = wished(chance, isBlendLeft);
  let hasBlend = false;
  let [balance, number, since] = [0, 0, 0];
  for (const { amount, occurredAt } of earned) {
    balance += amount;
    if (number === MAX_PURCHASES || occurredAt < since || balance < wish.price + RESERVE) continue;
    const at = Math.round(occurredAt + chance.between(0.1, 6) * HOUR);
    if (at >= endsAt) continue;
    balance -= wish.price;
    since = at;
    hasBlend ||= wish.listingKey === "house_blend";
    yield { at, listingKey: wish.listingKey, number: ++number };
    wish = wished(chance, () => !hasBlend && isBlendLeft());
  }
}

function wished(chance: Chance, isBlendLeft: () => boolean): (typeof WISHES)[number] {
  const wish = chance.oneOf(WISHES);
  return wish.listingKey === "house_blend" && !isBlendLeft() ? WISHES[0] : wish;
}

/** A listing that is sold out or at its limit: these appear in the shop's report. */
function unlessRefused(error: unknown): false {
  if (!(error instanceof Problem) || error.code === "points.concurrent_update" || error.code === "service.unavailable") throw error;
  return false;
}
