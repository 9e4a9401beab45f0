import { implement } from "@orpc/server";
import type { ApiContext } from "../api/context.ts";
import { playerKey } from "../players/identity.ts";
import { marketplaceContract } from "./contract.ts";
import { contentRows, purchaseRow } from "./rows.ts";
import { purchase, readListing, readMarketplaceCollection, readShop } from "./service.ts";
import { selectPurchases } from "./store.ts";

const api = implement(marketplaceContract).$context<ApiContext>();

export const marketplaceProcedures = {
  shop: api.shop.handler(({ input, context: { database, environment, now } }) =>
    readShop(database, environment, now, { externalId: input.PlayerId, language: input.LanguageCode, take: input.Take ?? null }),
  ),

  item: api.item.handler(({ input, context: { database, environment, now } }) => {
    const { marketplaceItemKey: listingKey, PlayerId: externalId, LanguageCode: language } = input;
    return readListing(database, environment, now, { listingKey, externalId, language });
  }),

  collection: api.collection.handler(({ input, context: { database, environment, now } }) => {
    const { collectionKey, PlayerId: externalId, LanguageCode: language } = input;
    return readMarketplaceCollection(database, environment, now, { collectionKey, externalId, language });
  }),

  purchase: api.purchase.handler(async ({ input, context: { database, environment, now, wake } }) => {
    const { marketplaceItemKey, playerId: externalId, idempotencyKey } = input;
    const bought = await purchase(database, environment, now, { listingKey: marketplaceItemKey, externalId, idempotencyKey });
    if (bought.isTold) wake();
    return {
      purchaseId: bought.purchaseId,
      marketplaceItemKey,
      contents: contentRows(bought.contents),
      occurrenceNumber: bought.occurrenceNumber,
      pricePaidInPoints: bought.price,
      remainingBalance: bought.balance,
    };
  }),

  purchases: api.purchases.handler(async ({ input, context: { database, environment } }) => {
    const purchases = await selectPurchases(database.sql, playerKey(environment.id, input.PlayerId), input.Take ?? null);
    return purchases.map((one) => purchaseRow(one, input.LanguageCode));
  }),
};
