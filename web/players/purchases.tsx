"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ShoppingBag } from "lucide-react";
import { useState } from "react";
import type { PurchaseSeen } from "../../server/game/marketplace/contract.dashboard.ts";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { LinkButton } from "../components/button.tsx";
import { usePages } from "../components/pager.tsx";
import { instantColumn } from "../components/instant-column.tsx";
import type { Column } from "../components/table.tsx";
import { deliveryQueryOf } from "../developers/deliveries/delivery-filter.ts";
import { PagedCard } from "./paged-card.tsx";
import { priceColumn, Purchased, reverseColumn } from "./purchase-columns.tsx";
import { pageInput } from "./player-input.ts";
import { ReversePurchase } from "./reverse-purchase.tsx";

/** A player's purchases, newest first, with fulfilment. Support can reverse them. */
export function Purchases({ externalId }: { externalId: string }) {
  const { scope, href, can } = useWhere();
  const pages = usePages();
  const [asked, setAsked] = useState<PurchaseSeen | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { data, error, isPlaceholderData } = useQuery({
    ...orpc.marketplace.purchases.queryOptions({ input: pageInput(scope, externalId, pages.cursor) }),
    placeholderData: keepPreviousData,
  });
  const columns: Column<PurchaseSeen>[] = [
    { id: "item", header: "Listing", cell: (purchase) => <Purchased purchase={purchase} boughtClass="sm:hidden" /> },
    priceColumn("sm:w-28"),
    instantColumn("When", ({ purchasedAt }) => purchasedAt, { className: "sm:w-40 max-sm:hidden", onClock: true, isQuiet: true }),
  ];
  if (can("Support")) {
    const onReverse = (purchase: PurchaseSeen) => {
      setAsked(purchase);
      setAsking(true);
    };
    const words = <span className="max-md:hidden">Reverse purchase</span>;
    columns.push(reverseColumn({ onReverse, nameOf: ({ name }) => name, words }));
  }
  return (
    <PagedCard
      title="Purchases"
      actions={
        <LinkButton
          size="sm"
          variant="ghost"
          href={href(`/developers/deliveries${deliveryQueryOf({ player: externalId })}`)}
          prefetch={false}
        >
          Deliveries
        </LinkButton>
      }
      columns={columns}
      page={data && { rows: data.purchases, next: data.next }}
      read={{ error, isPlaceholderData }}
      pages={pages}
      empty={{ icon: <ShoppingBag aria-hidden />, title: "No purchases yet", words: "Purchases are listed here and can be reversed." }}
    >
      {asked !== null && <ReversePurchase key={asked.id} purchase={asked} open={isAsking} onOpenChange={setAsking} />}
    </PagedCard>
  );
}
