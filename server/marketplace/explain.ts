import type { Listing } from "./definition.ts";
import { instantText, type Words } from "../definitions/words.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { isOnSale, refusalOf, remainingPurchases, remainingStock, type Standing, type Status, statusOf } from "./status.ts";

type Refusal = Extract<ErrorCode, "player.not_found" | "points.insufficient_balance" | `marketplace_item.${string}`>;

/** One check of a purchase. Null: it was not come to, since one before it failed. */
export interface Check {
  isMet: boolean | null;
  text: string;
}

/** What a purchase would answer now. */
export interface PurchaseVerdict {
  /** Null: it is sold. */
  refusal: Refusal | null;
  /** In the order in which they are made (decisions.md 4.15, api.md 3.2). */
  checks: Check[];
}

const REFUSALS: Record<Exclude<Status, "Purchasable">, Refusal> = {
  NotEligible: "marketplace_item.not_eligible",
  OutOfStock: "marketplace_item.out_of_stock",
  PurchaseLimitReached: "marketplace_item.purchase_limit_reached",
  InsufficientBalance: "points.insufficient_balance",
};

/** What a purchase of one unit would answer, check by check, by the functions that the shop itself asks. */
export function explainPurchase(listing: Listing, isKnown: boolean, standing: Standing, now: number, words: Words): PurchaseVerdict {
  const refusal = refusalIn(listing, isKnown, standing, now);
  const checks = ORDER.map((code) => ({ code, text: TEXTS[code](listing, standing, isKnown, now, words) }));
  const failed = refusal === null ? -1 : ORDER.indexOf(refusal as (typeof ORDER)[number]);
  return {
    refusal,
    checks: checks.map(({ text }, place) => ({ text, isMet: failed < 0 || place < failed ? true : place === failed ? false : null })),
  };
}

function refusalIn(listing: Listing, isKnown: boolean, standing: Standing, now: number): Refusal | null {
  if (!isKnown) return "player.not_found";
  const byListing = refusalOf(listing, now);
  if (byListing !== null) return byListing;
  const status = statusOf(listing, standing);
  return status === "Purchasable" ? null : REFUSALS[status];
}

const ORDER = [
  "player.not_found",
  "marketplace_item.inactive",
  "marketplace_item.not_available",
  "marketplace_item.not_eligible",
  "marketplace_item.out_of_stock",
  "marketplace_item.purchase_limit_reached",
  "points.insufficient_balance",
] as const satisfies readonly Refusal[];

type Tell = (listing: Listing, standing: Standing, isKnown: boolean, now: number, words: Words) => string;

const TEXTS: Record<(typeof ORDER)[number], Tell> = {
  "player.not_found": (_, __, isKnown) => (isKnown ? "The environment knows the player" : "The environment has never seen the player"),
  "marketplace_item.inactive": ({ active }) => (active ? "The listing is switched on" : "The listing is switched off"),
  "marketplace_item.not_available": (listing, _, __, now, words) => {
    const { startsAt, endsAt } = listing.onSale;
    const from = startsAt === null ? "" : ` from ${instantText(startsAt, words)}`;
    const until = endsAt === null ? "" : ` until ${instantText(endsAt, words)}`;
    return `It is ${isOnSale(listing, now) ? "" : "not "}on sale now${from === "" && until === "" ? "" : ` (on sale${from}${until})`}`;
  },
  "marketplace_item.not_eligible": (_, { isEligible }) =>
    isEligible ? "The player is in the audience" : "The player is not in the audience",
  "marketplace_item.out_of_stock": (listing, standing) => {
    const left = remainingStock(listing, standing);
    if (left === null) return "The stock has no end";
    return `${left} of ${listing.stock} left${listing.recurrence.kind === "None" ? "" : " in this round"}`;
  },
  "marketplace_item.purchase_limit_reached": (listing, standing) =>
    remainingPurchases(listing, standing) === null
      ? "There is no limit for one player"
      : `The player has bought ${standing.bought} of at most ${listing.limitPerPlayer}${listing.recurrence.kind === "None" ? "" : " in this round"}`,
  "points.insufficient_balance": ({ priceInPoints }, { balance }) =>
    `It costs ${priceInPoints} ${priceInPoints === 1 ? "point" : "points"}; the player has ${balance}`,
};
