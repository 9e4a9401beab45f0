import type { Metadata } from "next";
import { type ScopeParams, scopeFrom } from "#web/client/scope.ts";
import { Prefetch } from "#web/client/server.tsx";
import { purchaseFilterFrom, purchasesInput } from "#web/purchases/purchase-filter.ts";
import { PurchasesScreen } from "#web/purchases/purchases-screen.tsx";

export const metadata: Metadata = { title: "Purchases" };

interface Props {
  params: Promise<ScopeParams>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function PurchasesPage({ params, searchParams }: Props) {
  const filter = purchaseFilterFrom(await searchParams);
  const scope = await scopeFrom(params);
  return (
    <Prefetch
      find={(orpc) => [
        orpc.definitions.catalogue.queryOptions({ input: scope }),
        orpc.marketplace.allPurchases.queryOptions({ input: purchasesInput(scope, filter, null) }),
      ]}
    >
      <PurchasesScreen initialFilter={filter} />
    </Prefetch>
  );
}
