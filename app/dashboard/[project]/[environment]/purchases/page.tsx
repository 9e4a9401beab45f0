import { environmentPage } from "#web/client/server.tsx";
import { PURCHASES, purchasesInput } from "#web/purchases/purchase-filter.ts";
import { PurchasesScreen } from "#web/purchases/purchases-screen.tsx";

export const metadata = { title: "Purchases" };

export default environmentPage(
  (orpc, scope, filter) => [
    orpc.definitions.catalogue.queryOptions({ input: scope }),
    orpc.marketplace.allPurchases.queryOptions({ input: purchasesInput(scope, filter, null) }),
  ],
  PurchasesScreen,
  PURCHASES,
);
