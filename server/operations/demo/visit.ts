import { formatInstant } from "../../model/kernel/time.ts";
import type { Scalar } from "../../model/kernel/values.ts";
import type { Persona } from "./personas.ts";
import type { Chance } from "./chance.ts";
import { type Behavior, BEHAVIORS } from "./behaviors.ts";
import { COMPLAINTS, type Drink, DRINKS, ORIGINS, PASTRY, SHOPS } from "./menu.ts";

/** An event of a visit, epoch milliseconds. */
export interface Deed {
  at: number;
  event: string;
  properties: Record<string, Scalar>;
}

const MINUTE = 60_000;
const GIFT_CARDS = [10, 25, 50];

/** The events of a visit: an order, and perhaps beans, a return or a review. */
export function visit(persona: Persona, chance: Chance, at: number): Deed[] {
  const behavior = BEHAVIORS[persona.behavior];
  const order = orderOf(persona, behavior, chance, at);
  const { amount, shop } = order;
  const deeds: Deed[] = [{ at, event: "order_placed", properties: order }];
  const add = (often: number, after: number, event: string, properties: () => Deed["properties"]) => {
    if (chance.happens(often)) deeds.push({ at: at + after * MINUTE, event, properties: properties() });
  };
  add(behavior.beans, 3, "beans_bought", () => ({ grams: 250, origin: chance.oneOf(ORIGINS) }));
  add(behavior.giftCard, 4, "gift_card_bought", () => ({ amount: chance.oneOf(GIFT_CARDS) }));
  add(behavior.returned, 9, "order_returned", () => ({ amount, reason: chance.oneOf(COMPLAINTS) }));
  add(behavior.reviewed, 35, "review_written", () => ({ rating: 2 + chance.upTo(3), shop, photo: chance.happens(0.7) }));
  return deeds;
}

function orderOf({ drink, region }: Persona, behavior: Behavior, chance: Chance, at: number) {
  const ordered: Drink = chance.happens(behavior.otherDrink) ? chance.oneOf(Object.keys(DRINKS) as Drink[]) : drink;
  const cups = chance.upTo(behavior.cups);
  const pastry = chance.happens(behavior.pastry);
  const takeaway = chance.happens(behavior.takeaway);
  const shop: string = chance.happens(behavior.otherShop) ? chance.oneOf(SHOPS[region]) : SHOPS[region][0];
  return {
    amount: (cups * (DRINKS[ordered] + (pastry ? PASTRY : 0))) / 100,
    drink: ordered,
    cups,
    pastry,
    shop,
    takeaway,
    own_cup: chance.happens(behavior.ownCup),
    ...(takeaway && chance.happens(0.4) && { pickup_at: formatInstant(at + 10 * MINUTE) }),
  };
}
