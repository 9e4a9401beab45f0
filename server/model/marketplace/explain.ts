import type { Listing } from "./definition.ts";
import { instantInZone, type Words } from "../definitions/words.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { isOnSale, refusalOf, remainingPurchases, remainingStock, type PurchaseEligibility, type Status, statusOf } from "./eligibility.ts";
import { formatted, plural } from "../kernel/thousands.ts";

type Refusal = Extract<ErrorCode, "player.not_found" | "points.insufficient_balance" | `marketplace_item.${string}`>;

/** One check of a purchase. Null: not evaluated, since an earlier one failed. */
export interface Check {
  isMet: boolean | null;
  text: string;
}

/** The answer that a purchase would get now. */
export interface PurchaseVerdict {
  /** Null: the purchase succeeds. */
  refusal: Refusal | null;
  /** The checks in the order in which they are made. */
  checks: Check[];
}

const REFUSALS: Record<Exclude<Status, "Purchasable">, Refusal> = {
  NotEligible: "marketplace_item.not_eligible",
  OutOfStock: "marketplace_item.out_of_stock",
  PurchaseLimitReached: "marketplace_item.purchase_limit_reached",
  InsufficientBalance: "points.insufficient_balance",
};

/** The answer to a purchase of one unit, check by check, by the functions that the shop itself uses. */
export function explainPurchase(
  listing: Listing,
  isKnown: boolean,
  eligibility: PurchaseEligibility,
  now: number,
  words: Words,
): PurchaseVerdict {
  const refusal = refusalIn(listing, isKnown, eligibility, now);
  const checks = ORDER.map((code) => ({ code, text: TEXTS[code](listing, eligibility, isKnown, now, words) }));
  const failed = refusal === null ? -1 : ORDER.indexOf(refusal as (typeof ORDER)[number]);
  return {
    refusal,
    checks: checks.map(({ text }, index) => ({ text, isMet: failed < 0 || index < failed ? true : index === failed ? false : null })),
  };
}

function refusalIn(listing: Listing, isKnown: boolean, eligibility: PurchaseEligibility, now: number): Refusal | null {
  if (!isKnown) return "player.not_found";
  const byListing = refusalOf(listing, now);
  if (byListing !== null) return byListing;
  const status = statusOf(listing, eligibility);
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

type Tell = (listing: Listing, eligibility: PurchaseEligibility, isKnown: boolean, now: number, words: Words) => string;

const TEXTS: Record<(typeof ORDER)[number], Tell> = {
  "player.not_found": (_, __, isKnown) => (isKnown ? "The environment knows the player" : "The environment has never seen the player"),
  "marketplace_item.inactive": ({ active }) => (active ? "The listing is switched on" : "The listing is switched off"),
  "marketplace_item.not_available": (listing, _, __, now, words) => {
    const { startsAt, endsAt } = listing.onSale;
    const from = startsAt === null ? "" : ` from ${instantInZone(startsAt, words)}`;
    const until = endsAt === null ? "" : ` until ${instantInZone(endsAt, words)}`;
    return `It is ${isOnSale(listing, now) ? "" : "not "}on sale now${from === "" && until === "" ? "" : ` (on sale${from}${until})`}`;
  },
  "marketplace_item.not_eligible": (_, { isEligible }) =>
    isEligible ? "The player is in the audience" : "The player is not in the audience",
  "marketplace_item.out_of_stock": (listing, eligibility) => {
    const left = remainingStock(listing, eligibility);
    if (left === null) return "The stock is unlimited";
    return `${left} of ${listing.stock} left${listing.recurrence.kind === "None" ? "" : " in this period"}`;
  },
  "marketplace_item.purchase_limit_reached": (listing, eligibility) =>
    remainingPurchases(listing, eligibility) === null
      ? "There is no limit for one player"
      : `The player has bought ${eligibility.bought} of at most ${listing.limitPerPlayer}${listing.recurrence.kind === "None" ? "" : " in this period"}`,
  "points.insufficient_balance": ({ priceInPoints }, { balance }) =>
    `It costs ${plural(priceInPoints, "point")}; the player has ${formatted(balance)}`,
};
