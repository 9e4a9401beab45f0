"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ShoppingBag } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { PurchaseListed } from "../../server/game/marketplace/contract.dashboard.ts";
import { ExportMenu } from "../client/export-menu.tsx";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { Button } from "../components/button.tsx";
import { Page } from "../components/page.tsx";
import { Pager, usePages } from "../components/pager.tsx";
import { ReadFailed } from "../components/problems.tsx";
import { Card, EmptyState, Skeleton } from "../components/surface.tsx";
import { EVERYTHING, isLookedThrough, isPurchaseFilter, type PurchaseFilter, purchaseQueryOf, purchasesInput } from "./purchase-filter.ts";
import { PurchasesTable } from "./purchases-table.tsx";

/** Loaded beside the list: with selects and instants a page would exceed 250 kB of JavaScript before showing anything. */
const PurchaseFilters = dynamic(() => import("./purchase-filters.tsx").then((loaded) => loaded.PurchaseFilters), {
  ssr: false,
  loading: () => <Skeleton className="m-3 h-30" />,
});
const ReversePurchase = dynamic(() => import("../players/reverse-purchase.tsx").then((loaded) => loaded.ReversePurchase), { ssr: false });

/** An environment's purchases, with their fulfilment. */
export function PurchasesScreen({ initialFilter }: { initialFilter: PurchaseFilter }) {
  const { scope } = useWhere();
  const [filter, setFilter] = useState(initialFilter);
  const [asked, setAsked] = useState<PurchaseListed | null>(null);
  const [isAsking, setAsking] = useState(false);
  const pages = usePages();
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...orpc.marketplace.allPurchases.queryOptions({ input: purchasesInput(scope, filter, pages.cursor) }),
    placeholderData: keepPreviousData,
  });
  const change = (next: PurchaseFilter) => {
    history.replaceState(null, "", `${location.pathname}${purchaseQueryOf(next)}`);
    pages.toFirst();
    setFilter(next);
  };
  const hasMore = data?.next != null;
  return (
    <Page title="Purchases" actions={<ExportMenu lists={[{ list: "purchases" }]} />}>
      <ReadFailed title="Purchases could not be loaded" error={error} onRetry={refetch} />
      <Card padded={false}>
        <PurchaseFilters filter={filter} onFilterChange={change} />
        {data === undefined && !error && <Skeleton className="m-4 h-40" />}
        {data && (
          <PurchasesTable
            purchases={data.purchases}
            isStale={isPlaceholderData}
            onReverse={(purchase) => {
              setAsked(purchase);
              setAsking(true);
            }}
            onCompare={({ listing, player }) => change({ ...EVERYTHING, listing, player: player?.externalId ?? null })}
            empty={
              isPurchaseFilter(filter) ? (
                <EmptyState
                  title={hasMore && isLookedThrough(filter) ? "None among the newest purchases" : "No matching purchases"}
                  action={
                    hasMore ? (
                      <Button onClick={() => pages.to(data.next!)}>Search older purchases</Button>
                    ) : (
                      <Button onClick={() => change(EVERYTHING)}>Clear filters</Button>
                    )
                  }
                >
                  {filter.player === null ? "Choose another listing, status or time." : "Player IDs are case-sensitive."}
                </EmptyState>
              ) : (
                <EmptyState icon={<ShoppingBag aria-hidden />} title="No purchases yet">
                  What players buy is listed here and can be reversed.
                </EmptyState>
              )
            }
          />
        )}
        <Pager pages={pages} next={data?.next} />
      </Card>
      {asked !== null && <ReversePurchase key={asked.id} purchase={asked} open={isAsking} onOpenChange={setAsking} />}
    </Page>
  );
}
