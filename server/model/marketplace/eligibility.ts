import type { Listing } from "./definition.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { periodAt, periodsBetween } from "../kernel/time.ts";

export type Status = "Purchasable" | "NotEligible" | "OutOfStock" | "PurchaseLimitReached" | "InsufficientBalance";

/** The inputs of a purchase decision: a listing and a player in the running round. */
export interface PurchaseEligibility {
  round: Round;
  isEligible: boolean;
  /** Units sold to all players and not reversed. */
  sold: number;
  /** How many of these the player bought. */
  bought: number;
  balance: number;
}

/** Units left; null without a stock. A lowered stock may be less than the units sold. */
export const remainingStock = ({ stock }: Pick<Listing, "stock">, { sold }: Pick<PurchaseEligibility, "sold">): number | null =>
  stock === null ? null : Math.max(0, stock - sold);

/** How many units the player may still buy; null without a limit. */
export const remainingPurchases = (
  { limitPerPlayer }: Pick<Listing, "limitPerPlayer">,
  { bought }: Pick<PurchaseEligibility, "bought">,
): number | null => (limitPerPlayer === null ? null : Math.max(0, limitPerPlayer - bought));

/** The first check that fails. */
export function statusOf(
  listing: Pick<Listing, "stock" | "limitPerPlayer" | "priceInPoints">,
  eligibility: Omit<PurchaseEligibility, "round">,
): Status {
  if (!eligibility.isEligible) return "NotEligible";
  if (remainingStock(listing, eligibility) === 0) return "OutOfStock";
  if (remainingPurchases(listing, eligibility) === 0) return "PurchaseLimitReached";
  return eligibility.balance < listing.priceInPoints ? "InsufficientBalance" : "Purchasable";
}

export const isOnSale = ({ onSale: { startsAt, endsAt } }: Pick<Listing, "onSale">, now: number): boolean =>
  (startsAt === null || now >= startsAt) && (endsAt === null || now < endsAt);

/** Whether a read offers the listing at all. Eligibility is checked separately. */
export const isOffered = (listing: Pick<Listing, "active" | "onSale">, now: number): boolean => listing.active && isOnSale(listing, now);

/** Whether a read shows an offered listing to this player. */
export const isVisible = ({ audience }: Pick<Listing, "audience">, isEligible: boolean): boolean =>
  isEligible || audience.otherwise === "Locked";

/** The code that the listing itself refuses a purchase with; null for none. Eligibility is checked after it. */
export function refusalOf(listing: Listing | undefined, now: number): Extract<ErrorCode, `marketplace_item.${string}`> | null {
  if (listing === undefined) return "marketplace_item.not_found";
  if (!listing.active) return "marketplace_item.inactive";
  return isOnSale(listing, now) ? null : "marketplace_item.not_available";
}

/** The round that stock and limits of a listing count against. */
export interface Round {
  /** From 0, for display; an edit of the sale's start may change it. */
  number: number;
  /** The local start of its period, empty for a listing without recurrence. It identifies the round through all edits. */
  start: string;
}

/** When the next round begins, in which stock and limits count anew; null if there is none before the sale ends. */
export function nextRoundAt(
  { recurrence, onSale }: Pick<Listing, "recurrence" | "onSale">,
  now: number,
  projectZone: string,
): number | null {
  if (recurrence.kind === "None") return null;
  const { endsAt } = periodAt(now, projectZone, recurrence.every);
  return onSale.endsAt === null || endsAt < onSale.endsAt ? endsAt : null;
}

const ONLY_ROUND: Round = { number: 0, start: "" };

/**
 * The round of a listing that runs at `now`, in the project's zone, which all players share. Its number counts the calendar boundaries that
 * were crossed since the start of the sale, or else since the listing was created.
 */
export function roundAt({ recurrence, onSale, createdAt }: Listing, now: number, projectZone: string): Round {
  if (recurrence.kind === "None") return ONLY_ROUND;
  const { start } = periodAt(now, projectZone, recurrence.every);
  const first = periodAt(onSale.startsAt ?? createdAt, projectZone, recurrence.every);
  return { number: periodsBetween(recurrence.every, first.start, start), start };
}
