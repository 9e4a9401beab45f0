import type { Listing } from "./definition.ts";
import { derivedId } from "../players/identity.ts";
import type { Round } from "./eligibility.ts";
import { fulfillmentData } from "../rules/reward.ts";

/** `sourceType` of all effects of a purchase: ledger, owed items, webhooks. */
export const PURCHASE = "MarketplacePurchase";

/** One unit of a listing for one player, with everything to write if the purchase succeeds. */
export interface Sale {
  id: string;
  /** The ledger transaction. */
  spendId: string;
  listing: Listing;
  round: Round;
  /** An owed item, with the data of its webhook. */
  items: { id: string; ordinal: number; catalogItemKey: string; valueType: string; value: unknown; data: object }[];
  /** On the environment's clock. */
  soldAt: number;
}

export function saleOf(id: string, listing: Listing, round: Round, buyer: { playerId: string; externalId: string }, soldAt: number): Sale {
  const { playerId, externalId } = buyer;
  return {
    id,
    spendId: transactionId("Spend", playerId, id),
    listing,
    round,
    items: listing.contents.map((content, ordinal) => ({
      id: owedItemId(playerId, id, ordinal),
      ordinal,
      ...content,
      data: fulfillmentData(externalId, content, { sourceType: PURCHASE, sourceId: id }),
    })),
    soldAt,
  };
}

/** The id of an owed item, derived so that a purchase owes each entry of its contents once. */
export const owedItemId = (playerId: string, purchaseId: string, ordinal: number): string =>
  derivedId("owedItem", playerId, PURCHASE, purchaseId, ordinal);

/** The id of a ledger transaction, derived so that a purchase is paid once and refunded once. */
export const transactionId = (type: "Spend" | "Refund", playerId: string, purchaseId: string): string =>
  derivedId(type, playerId, PURCHASE, purchaseId);
