import type { Listing } from "./definition.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import type { Round } from "./rounds.ts";

export type Status = "Purchasable" | "NotEligible" | "OutOfStock" | "PurchaseLimitReached" | "InsufficientBalance";

/** How things stand between a listing and a player in the round that runs. */
export interface Standing {
  round: Round;
  isEligible: boolean;
  /** Units sold to anybody and not reversed. */
  sold: number;
  /** Those of them that this player has. */
  bought: number;
  balance: number;
}

/** Units left; null without a stock. A stock that was lowered may be less than what is sold. */
export const remainingStock = ({ stock }: Pick<Listing, "stock">, { sold }: Pick<Standing, "sold">): number | null =>
  stock === null ? null : Math.max(0, stock - sold);

/** What the player may still buy; null without a limit. */
export const remainingPurchases = (
  { limitPerPlayer }: Pick<Listing, "limitPerPlayer">,
  { bought }: Pick<Standing, "bought">,
): number | null => (limitPerPlayer === null ? null : Math.max(0, limitPerPlayer - bought));

/** The first check that fails (api.md 3.2). */
export function statusOf(listing: Pick<Listing, "stock" | "limitPerPlayer" | "priceInPoints">, standing: Omit<Standing, "round">): Status {
  if (!standing.isEligible) return "NotEligible";
  if (remainingStock(listing, standing) === 0) return "OutOfStock";
  if (remainingPurchases(listing, standing) === 0) return "PurchaseLimitReached";
  return standing.balance < listing.priceInPoints ? "InsufficientBalance" : "Purchasable";
}

export const isOnSale = ({ onSale: { startsAt, endsAt } }: Pick<Listing, "onSale">, now: number): boolean =>
  (startsAt === null || now >= startsAt) && (endsAt === null || now < endsAt);

/** Whether a read shows the listing to anybody; who is eligible is another question. */
export const isOffered = (listing: Pick<Listing, "active" | "onSale">, now: number): boolean => listing.active && isOnSale(listing, now);

/** Whether a read shows an offered listing to this player. */
export const isVisible = ({ audience }: Pick<Listing, "audience">, isEligible: boolean): boolean =>
  isEligible || audience.otherwise === "Locked";

/** What a purchase is refused for by the listing itself (api.md 3.2, 1 and 2); null for nothing. Who is eligible is asked after this. */
export function refusalOf(listing: Listing | undefined, now: number): Extract<ErrorCode, `marketplace_item.${string}`> | null {
  if (listing === undefined) return "marketplace_item.not_found";
  if (!listing.active) return "marketplace_item.inactive";
  return isOnSale(listing, now) ? null : "marketplace_item.not_available";
}
