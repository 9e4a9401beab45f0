import { z } from "zod";
import {
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
} from "../api/contract.ts";

const points = z.int();

const content = z
  .object({
    catalogItemKey: z.string(),
    value: taggedValue.meta({ description: "Carries the quantity, for an item of numbers." }),
  })
  .meta({ id: "PurchaseContent" });

const contents = z.array(content).meta({ description: "Everything that one purchase hands over; several entries for a bundle." });

const occurrenceNumber = z
  .int()
  .meta({ description: "The round that stock and limits count against, from 0; always 0 for an item that does not repeat." });

/** api.md 2.5. */
const item = z
  .object({
    marketplaceItemKey: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    images,
    priceInPoints: points,
    contents,
    status: z
      .enum(["Purchasable", "NotEligible", "OutOfStock", "PurchaseLimitReached", "InsufficientBalance"])
      .meta({ description: "The first check that fails. As of this read: the purchase is the authority." }),
    isPurchasable: z.boolean().meta({ description: "True exactly when `status` is `Purchasable`." }),
    occurrenceNumber,
    remainingStock: z.int().nullable().meta({ description: "Units left in this round; null: without limit." }),
    remainingPurchases: z.int().nullable().meta({ description: "What this player may still buy in this round; null: without limit." }),
    availableUntilUtc: timestamp.nullable().meta({ description: "When it stops being on sale; null: never." }),
  })
  .meta({ id: "MarketplaceItem" });

const marketplaceItemKey = requiredText(
  100,
  {
    missing: "marketplace_purchase.marketplace_item_key_missing",
    tooLong: "marketplace_purchase.marketplace_item_key_too_long",
  },
  "The item to buy one of.",
);

const idempotencyKey = optionalText(
  200,
  { tooLong: "marketplace_purchase.idempotency_key_too_long" },
  "A key of the player's, shared by purchases and adjustments: the same purchase again is answered without being charged again. Blank counts as absent.",
);

const query = { PlayerId: playerId, LanguageCode: languageCode };

export const marketplaceContract = {
  /** api.md 4.12. */
  shop: endpoint({
    method: "GET",
    path: "/v1/marketplace-items",
    operationId: "listMarketplaceItems",
    tag: "Marketplace",
    summary: "Read the shop for a player",
    description:
      "What is on sale now, in the order in which the items were made; an unknown player gets a normal shop. Items that live in collections alone are not in it.",
  })
    .input(z.object({ ...query, Take }))
    .output(z.array(item)),

  /** api.md 4.13. */
  item: endpoint({
    method: "GET",
    path: "/v1/marketplace-items/{marketplaceItemKey}",
    operationId: "getMarketplaceItem",
    tag: "Marketplace",
    summary: "Read one marketplace item for a player",
    description: "Items that live in collections alone too.",
    refuses: ["marketplace_item.not_found"],
  })
    .input(z.object({ marketplaceItemKey: z.string(), ...query }))
    .output(item),

  /** api.md 4.14. */
  collection: endpoint({
    method: "GET",
    path: "/v1/marketplace-collections/{collectionKey}",
    operationId: "getMarketplaceCollection",
    tag: "Marketplace",
    summary: "Read a marketplace collection for a player",
    description: "Its items in the collection's own order, without those that the player cannot see now.",
    refuses: ["marketplace_collection.not_found"],
  })
    .input(z.object({ collectionKey: z.string(), ...query }))
    .output(
      z
        .object({ key: z.string(), name: z.string(), description: z.string().nullable(), images, items: z.array(item) })
        .meta({ id: "MarketplaceCollection" }),
    ),

  /** api.md 4.15. */
  purchase: endpoint({
    method: "POST",
    path: "/v1/marketplace-items/{marketplaceItemKey}/purchases",
    operationId: "purchaseMarketplaceItem",
    tag: "Marketplace",
    summary: "Buy one unit for a player",
    description:
      "Spends the price at once; each entry of `contents` is told of by a `catalog_item.fulfillment_requested` webhook. Three units are three purchases with three keys.",
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
    .input(z.object({ marketplaceItemKey, playerId, idempotencyKey }))
    .output(
      z
        .object({
          purchaseId: uuid,
          marketplaceItemKey: z.string(),
          contents,
          occurrenceNumber,
          pricePaidInPoints: points,
          remainingBalance: points.meta({ description: "As it stands now, also when the request is a replay." }),
        })
        .meta({ id: "PurchaseResult" }),
    ),

  /** api.md 4.16. */
  purchases: endpoint({
    method: "GET",
    path: "/v1/marketplace-purchases",
    operationId: "listMarketplacePurchases",
    tag: "Marketplace",
    summary: "Read a player's purchases, newest first",
    description: "As they were made, whatever became of the items. Without `Take` the whole history is returned; a `Take` is advised.",
  })
    .input(z.object({ ...query, Take }))
    .output(
      z.array(
        z
          .object({
            purchaseId: uuid,
            marketplaceItemKey: z.string().nullable(),
            name: z.string().nullable(),
            contents,
            pricePaidInPoints: points,
            idempotencyKey: z.string().nullable(),
            purchasedAtUtc: timestamp,
          })
          .meta({ id: "Purchase" }),
      ),
    ),
};
