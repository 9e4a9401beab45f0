import { z } from "zod";
import {
  count,
  endpoint,
  images,
  languageCode,
  optionalText,
  playerId,
  requiredText,
  taggedValue,
  Take,
  timestamp,
  uuid,
} from "../../model/contract/v1.ts";

const points = z.int();
const text = (example: string, description?: string) => z.string().meta({ description, examples: [example] });

const content = z
  .object({
    catalogItemKey: text("free_coffee"),
    value: taggedValue.meta({ description: "The value handed over; for a numeric item, the quantity." }),
  })
  .meta({ id: "MarketplaceContent" });

const contents = z.array(content).meta({ description: "Everything that one purchase hands over: several entries for a bundle." });

const occurrenceNumber = count.meta({
  description: "The round that stock and limits count against, from 0; always 0 for an item that does not repeat.",
  examples: [0],
});

const item = z
  .object({
    marketplaceItemKey: text("coffee_voucher"),
    name: text("Coffee voucher"),
    description: text("One coffee of your choice.").nullable(),
    images,
    priceInPoints: points.meta({ description: "The same for every player.", examples: [100] }),
    contents,
    status: z.enum(["Purchasable", "NotEligible", "OutOfStock", "PurchaseLimitReached", "InsufficientBalance"]).meta({
      description: "The first check that fails, in the order of the purchase. As of this read: the purchase is the authority.",
    }),
    isPurchasable: z.boolean().meta({ description: "True exactly when `status` is `Purchasable`.", examples: [true] }),
    occurrenceNumber,
    remainingStock: count.meta({ description: "Units left in this round; null: unlimited.", examples: [499] }).nullable(),
    remainingPurchases: count
      .meta({ description: "What this player may still buy in this round; null: as many as they like.", examples: [2] })
      .nullable(),
    availableUntilUtc: timestamp.nullable().meta({ description: "When it stops being on sale; null: never." }),
  })
  .meta({ id: "MarketplaceItem" });

const boughtItemKey = requiredText(
  100,
  {
    missing: "marketplace_purchase.marketplace_item_key_missing",
    tooLong: "marketplace_purchase.marketplace_item_key_too_long",
  },
  { description: "Key of the item to buy one unit of.", examples: ["coffee_voucher"] },
);

const idempotencyKey = optionalText(
  200,
  { tooLong: "marketplace_purchase.idempotency_key_too_long" },
  {
    description:
      "Unique for the player among purchases and adjustments. A purchase that is sent again with its key is answered without being charged again. Blank counts as absent.",
    examples: ["cart-4711"],
  },
);

const query = { PlayerId: playerId, LanguageCode: languageCode };

export const marketplaceContract = {
  shop: endpoint({
    method: "GET",
    path: "/v1/marketplace-items",
    operationId: "listMarketplaceItems",
    tag: "Marketplace",
    summary: "Read the shop for a player",
    description:
      "The items on sale now, without those that appear only in collections and those hidden from the player. An unknown player gets a normal shop, and is not created.",
    answers: "Items in the order in which they were made.",
  })
    .input(z.object({ ...query, Take }))
    .output(z.array(item)),

  item: endpoint({
    method: "GET",
    path: "/v1/marketplace-items/{marketplaceItemKey}",
    operationId: "getMarketplaceItem",
    tag: "Marketplace",
    summary: "Read one marketplace item for a player",
    description:
      "Any item, even if it appears only in collections. One that is switched off, not on sale now or hidden from the player is not found.",
    answers: "The item as it stands for the player.",
    refuses: ["marketplace_item.not_found"],
  })
    .input(z.object({ marketplaceItemKey: text("coffee_voucher", "Key of the item."), ...query }))
    .output(item),

  collection: endpoint({
    method: "GET",
    path: "/v1/marketplace-collections/{collectionKey}",
    operationId: "getMarketplaceCollection",
    tag: "Marketplace",
    summary: "Read a marketplace collection for a player",
    description: "Returns a collection with its items in the collection's own order, without those that the player cannot see now.",
    answers: "The collection with its items.",
    refuses: ["marketplace_collection.not_found"],
  })
    .input(z.object({ collectionKey: text("winter", "Key of the collection."), ...query }))
    .output(
      z
        .object({
          key: text("winter"),
          name: text("Winter"),
          description: text("For the cold days.").nullable(),
          images,
          items: z.array(item),
        })
        .meta({ id: "MarketplaceCollection" }),
    ),

  purchase: endpoint({
    method: "POST",
    path: "/v1/marketplace-items/{marketplaceItemKey}/purchases",
    operationId: "purchaseMarketplaceItem",
    tag: "Marketplace",
    summary: "Buy one unit for a player",
    description:
      "Spends the price immediately; each entry of `contents` sends one `catalog_item.fulfillment_requested` webhook. Three units are three purchases with three keys. Without an `idempotencyKey` the same request again buys and charges again.",
    answers: "The purchase; for a replayed key, the original one.",
    refuses: [
      "player.not_found",
      "marketplace_purchase.idempotency_key_conflict",
      "marketplace_item.not_found",
      "marketplace_item.inactive",
      "marketplace_item.not_available",
      "marketplace_item.not_eligible",
      "marketplace_item.out_of_stock",
      "marketplace_item.purchase_limit_reached",
      "points.insufficient_balance",
      "points.concurrent_update",
    ],
  })
    .input(z.object({ marketplaceItemKey: boughtItemKey, playerId, idempotencyKey }))
    .output(
      z
        .object({
          purchaseId: uuid,
          marketplaceItemKey: text("coffee_voucher"),
          contents,
          occurrenceNumber,
          pricePaidInPoints: points.meta({ description: "The price at the time.", examples: [100] }),
          remainingBalance: points.meta({ description: "As it stands now, also when the request is a replay.", examples: [150] }),
        })
        .meta({ id: "PurchaseResult" }),
    ),

  purchases: endpoint({
    method: "GET",
    path: "/v1/marketplace-purchases",
    operationId: "listMarketplacePurchases",
    tag: "Marketplace",
    summary: "Read a player's purchases, newest first",
    description:
      "As they were made, even if items have changed since; reversed ones stay. Without `Take` the whole history is returned; a `Take` is advised.",
    answers: "Purchases, newest first.",
  })
    .input(z.object({ ...query, Take }))
    .output(
      z.array(
        z
          .object({
            purchaseId: uuid,
            marketplaceItemKey: text("coffee_voucher").nullable(),
            name: text("Coffee voucher", "What the item was called when it was bought.").nullable(),
            contents,
            pricePaidInPoints: points.meta({ examples: [100] }),
            idempotencyKey: text("cart-4711").nullable(),
            purchasedAtUtc: timestamp,
          })
          .meta({ id: "Purchase" }),
      ),
    ),
};
