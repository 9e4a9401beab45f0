import { instantOf, oneOf, type Parameters, queryOf, textOf } from "../client/parameters.ts";
import type { Scope } from "../client/scope.ts";
import { HANDING_OVER } from "./words.ts";
import type { HandingOver } from "../../server/model/marketplace/handing-over.ts";

export const STATUSES = ["Bought", "Reversed"] as const;

/** Filter state of purchases; null is no filter. */
export interface PurchaseFilter {
  /** The listing's key. */
  listing: string | null;
  /** The player's ID. */
  player: string | null;
  status: (typeof STATUSES)[number] | null;
  handingOver: HandingOver | null;
  /** Only possible double charges. */
  isRepeated: boolean;
  /** RFC 3339: when they were made. */
  from: string | null;
  until: string | null;
}

export const EVERYTHING: PurchaseFilter = {
  ...{ listing: null, player: null, status: null, handingOver: null },
  ...{ isRepeated: false, from: null, until: null },
};

const TEXTS = ["listing", "player", "status", "handingOver", "from", "until"] as const;

/** Filter state from the URL, so that lists can be shared. Invalid values are ignored. */
export const purchaseFilterFrom = (parameters: Parameters): PurchaseFilter => ({
  listing: textOf(parameters["listing"]),
  player: textOf(parameters["player"]),
  status: oneOf(STATUSES, parameters["status"]),
  handingOver: oneOf(HANDING_OVER, parameters["handingOver"]),
  isRepeated: parameters["repeated"] === "yes",
  from: instantOf(parameters["from"]),
  until: instantOf(parameters["until"]),
});

/** "?listing=voucher": the filter state as a query. */
export function purchaseQueryOf(filter: Partial<PurchaseFilter>): string {
  const query = queryOf(TEXTS, filter);
  return filter.isRepeated ? `${query === "" ? "?" : `${query}&`}repeated=yes` : query;
}

export const isPurchaseFilter = (filter: PurchaseFilter): boolean => purchaseQueryOf(filter) !== "";

/** Whether a page may be empty although more pages follow, since the filter is applied after reading. */
export const isLookedThrough = ({ handingOver, isRepeated }: PurchaseFilter): boolean => handingOver !== null || isRepeated;

/** The input of the page query; the server prefetches the first page with the same. */
export const purchasesInput = (scope: Scope, filter: PurchaseFilter, cursor: string | null) => ({ ...scope, ...filter, cursor });
