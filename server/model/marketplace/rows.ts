import type { Images, Listing } from "../definitions/compiled.ts";
import { described, pickText, type Text } from "../kernel/texts.ts";
import { formatInstant } from "../kernel/time.ts";
import type { TaggedValue } from "../kernel/values.ts";
import type { RewardItem } from "../rules/reward.ts";
import { taggedItem } from "../rules/value.ts";
import { type PurchaseEligibility, remainingPurchases, remainingStock, type Status, statusOf } from "./eligibility.ts";

export interface ContentRow {
  catalogItemKey: string;
  value: TaggedValue;
}

/** A marketplace item as the API shows it. */
export interface ListingRow {
  marketplaceItemKey: string;
  name: string;
  description: string | null;
  images: Images;
  priceInPoints: number;
  contents: ContentRow[];
  status: Status;
  isPurchasable: boolean;
  occurrenceNumber: number;
  remainingStock: number | null;
  remainingPurchases: number | null;
  availableUntilUtc: string | null;
}

export function listingRow(listing: Listing, eligibility: PurchaseEligibility, language: string | null): ListingRow {
  const status = statusOf(listing, eligibility);
  const { endsAt } = listing.onSale;
  return {
    marketplaceItemKey: listing.key,
    ...described(listing, language),
    priceInPoints: listing.priceInPoints,
    contents: contentRows(listing.contents),
    status,
    isPurchasable: status === "Purchasable",
    occurrenceNumber: eligibility.round.number,
    remainingStock: remainingStock(listing, eligibility),
    remainingPurchases: remainingPurchases(listing, eligibility),
    availableUntilUtc: endsAt === null ? null : formatInstant(endsAt),
  };
}

export const contentRows = (contents: readonly RewardItem[]): ContentRow[] =>
  contents.map((content) => ({ catalogItemKey: content.catalogItemKey, value: taggedItem(content) }));

/** A stored purchase, with copies of its references. */
export interface Purchase {
  id: string;
  listingKey: string;
  name: Text;
  contents: readonly RewardItem[];
  price: number;
  idempotencyKey: string | null;
  purchasedAt: number;
}

/** A purchase as the API shows it in a player's history. */
export const purchaseRow = ({ id, listingKey, name, contents, price, idempotencyKey, purchasedAt }: Purchase, language: string | null) => ({
  purchaseId: id,
  marketplaceItemKey: listingKey,
  name: pickText(name, language),
  contents: contentRows(contents),
  pricePaidInPoints: price,
  idempotencyKey,
  purchasedAtUtc: formatInstant(purchasedAt),
});
