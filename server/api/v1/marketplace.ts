import { implement } from "@orpc/server";
import type { ApiContext } from "../context.ts";
import { withImageUrls } from "../../model/kernel/texts.ts";
import { playerKey } from "../../model/players/identity.ts";
import { marketplaceContract } from "../../game/marketplace/contract.ts";
import { contentRows, purchaseRow } from "../../model/marketplace/rows.ts";
import { purchase, readListing, readMarketplaceCollection, readShop } from "../../game/marketplace/service/shop.ts";
import { selectPurchases } from "../../game/marketplace/store/sales.ts";

const api = implement(marketplaceContract).$context<ApiContext>();

export const marketplaceProcedures = {
  shop: api.shop.handler(async ({ input, context: { database, environment, now, baseUrl } }) => {
    const query = { externalId: input.PlayerId, language: input.LanguageCode, take: input.Take ?? null };
    return (await readShop(database, environment, now, query)).map((listing) => withImageUrls(listing, baseUrl));
  }),

  item: api.item.handler(async ({ input, context: { database, environment, now, baseUrl } }) => {
    const { marketplaceItemKey: listingKey, PlayerId: externalId, LanguageCode: language } = input;
    return withImageUrls(await readListing(database, environment, now, { listingKey, externalId, language }), baseUrl);
  }),

  collection: api.collection.handler(async ({ input, context: { database, environment, now, baseUrl } }) => {
    const { collectionKey, PlayerId: externalId, LanguageCode: language } = input;
    const collection = await readMarketplaceCollection(database, environment, now, { collectionKey, externalId, language });
    return withImageUrls({ ...collection, items: collection.items.map((listing) => withImageUrls(listing, baseUrl)) }, baseUrl);
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
