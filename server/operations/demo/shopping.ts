import type { Database } from "#db/client.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { Problem } from "../../model/kernel/problem.ts";
import { purchase } from "../../game/marketplace/service/shop.ts";
import { playerKey } from "../../model/players/identity.ts";
import { transactionsBelow } from "../../game/points/service.ts";
import type { Customer, HistorySpan } from "./history.ts";
import { HOUR } from "../../model/kernel/instant.ts";

/** What customers save for, the most common first. Prices are those of `definitions.json`. */
const WISHES = [
  { listingKey: "pastry", price: 60 },
  { listingKey: "coffee_on_us", price: 100 },
  { listingKey: "house_blend", price: 150 },
  { listingKey: "breakfast_for_two", price: 240 },
] as const;
const MAX_PURCHASES = 5;
/** Kept unspent, so that corrections by support never exceed the balance. */
const RESERVE = 25;
const MAX_TRANSACTIONS = 2_000;

/**
 * Three of five customers spend points once they have earned them: each saves for something, and buys it some hours after they can afford
 * it. Deterministic, and an existing purchase is not repeated. They buy at most `bags` of the house blend, one each.
 */
export async function goShopping(
  database: Database,
  environment: Environment,
  customers: readonly Pick<Customer, "id">[],
  { endsAt }: HistorySpan,
  bags: number,
): Promise<void> {
  let left = bags;
  for (const [index, { id }] of customers.entries()) {
    if (index % 5 > 2) continue;
    const key = playerKey(environment.id, id);
    const ledger = await transactionsBelow(database.sql, key, { at: endsAt, id: 0 }, MAX_TRANSACTIONS);
    const earned = ledger.filter(({ type }) => type === "Grant" || type === "Adjustment").reverse();
    let [balance, number, since, hasBlend] = [0, 0, 0, false];
    for (const { amount, occurredAt } of earned) {
      balance += amount;
      const wished = WISHES[(index + number) % WISHES.length]!;
      const wish = wished.listingKey === "house_blend" && (hasBlend || left === 0) ? WISHES[0] : wished;
      const at = occurredAt + (1 + ((index * 7 + number * 11) % 60)) * (HOUR / 10);
      if (number === MAX_PURCHASES || occurredAt < since || balance < wish.price + RESERVE || at >= endsAt) continue;
      balance -= wish.price;
      since = at;
      const isBlend = wish.listingKey === "house_blend";
      hasBlend ||= isBlend;
      const order = { externalId: id, listingKey: wish.listingKey, idempotencyKey: `shop ${++number}` };
      const isBought = await purchase(database, environment, at, order).then(() => true, unlessRefused);
      if (isBought && isBlend) left--;
    }
  }
}

/** Ignores a refusal because a listing is sold out or at its limit: the shop's report shows these. */
function unlessRefused(error: unknown): false {
  if (!(error instanceof Problem) || error.code === "points.concurrent_update" || error.code === "service.unavailable") throw error;
  return false;
}
