import type { HandingOver } from "../../server/model/marketplace/handing-over.ts";
import { addressOf, instant, oneOf, type Scope, type StateOf, textUpTo } from "../client/address.ts";

export const PURCHASE_STATUSES = ["Bought", "Reversed"] as const;

/** Fulfilment states of the filter. */
export const HANDING_OVER_WORDS: Record<HandingOver, string> = {
  Failed: "Failed",
  Waiting: "Pending or held",
  NotSent: "Not sent",
  Delivered: "Delivered",
};

/** Filters by the listing's key, the player's id and when a purchase was made; `repeated` shows only possible double charges. */
export const PURCHASES = addressOf({
  listing: textUpTo(300),
  player: textUpTo(300),
  status: oneOf(PURCHASE_STATUSES),
  handingOver: oneOf(Object.keys(HANDING_OVER_WORDS) as HandingOver[]),
  from: instant,
  until: instant,
  repeated: oneOf(["yes"]),
});

export type PurchaseFilter = StateOf<typeof PURCHASES>;

/** Whether a page may be empty although more pages follow, since the filter is applied after reading. */
export const isLookedThrough = ({ handingOver, repeated }: PurchaseFilter): boolean => handingOver !== null || repeated !== null;

/** The input of the page query; the server prefetches the first page with the same. */
export const purchasesInput = (scope: Scope, { repeated, ...filter }: PurchaseFilter, cursor: string | null) => ({
  ...scope,
  ...filter,
  isRepeated: repeated !== null,
  cursor,
});

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** "12 s", "3 min": the time between two purchases. */
export const gapInWords = (ms: number): string =>
  ms < MINUTE - SECOND / 2 ? `${Math.round(ms / SECOND)} s` : `${Math.round(ms / MINUTE)} min`;
