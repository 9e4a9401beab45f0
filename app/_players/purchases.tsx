"use client";

import { withThousands } from "../../server/kernel/thousands.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ShoppingBag, Undo2 } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import type { PurchaseSeen } from "../../server/marketplace/contract.dashboard.ts";
import { orpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { Button, LinkButton } from "../_components/button.tsx";
import { cx } from "../_components/classes.ts";
import { ReadFailed } from "../_components/problems.tsx";
import { Badge, Card, EmptyState } from "../_components/surface.tsx";
import { Pager, usePages } from "../_components/pager.tsx";
import { instantColumn } from "../_components/instant-column.tsx";
import { type Column, DataTable } from "../_components/table.tsx";
import { Instant } from "../_components/time.tsx";
import { deliveryQueryOf } from "../_developers/delivery-filter.ts";
import { Contents } from "./handed-over.tsx";
import { pageInput } from "./player-input.ts";
import { ReversePurchase } from "./reverse-purchase.tsx";

/** What a player has bought, the newest first, and how it stands with handing it over. Support takes purchases back. */
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
    { id: "item", header: "Listing", cell: (purchase) => <Item purchase={purchase} /> },
    {
      id: "price",
      header: "Points",
      isNumeric: true,
      className: "sm:w-28",
      cell: ({ price, reversed }) => <span className={cx(reversed && "text-faint line-through")}>{withThousands(String(price))}</span>,
    },
    instantColumn("When", ({ purchasedAt }) => purchasedAt, { className: "sm:w-40 max-sm:hidden", onClock: true, isQuiet: true }),
  ];
  if (can("Support")) {
    columns.push({
      id: "reverse",
      header: <span className="sr-only">Actions</span>,
      className: "w-px text-right",
      cell: (purchase) =>
        purchase.reversed === null && (
          <Button
            size="sm"
            icon={<Undo2 aria-hidden />}
            aria-label={`Reverse purchase: ${purchase.name}`}
            onClick={() => {
              setAsked(purchase);
              setAsking(true);
            }}
          >
            <span className="max-md:hidden">Reverse purchase</span>
          </Button>
        ),
    });
  }
  return (
    <Card
      title="Purchases"
      padded={false}
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
    >
      <ReadFailed title="Purchases could not be loaded" error={error} />
      {data && (
        <DataTable
          label="Purchases"
          columns={columns}
          rows={data.purchases}
          rowKey={({ id }) => id}
          isStale={isPlaceholderData}
          empty={
            <EmptyState icon={<ShoppingBag aria-hidden />} title="No purchases yet">
              Purchases are listed here and can be reversed.
            </EmptyState>
          }
        />
      )}
      <Pager pages={pages} next={data?.next} />
      {asked !== null && <ReversePurchase key={asked.id} purchase={asked} open={isAsking} onOpenChange={setAsking} />}
    </Card>
  );
}

function Item({ purchase: { name, listing, contents, reversed, purchasedAt } }: { purchase: PurchaseSeen }) {
  const { href } = useWhere();
  return (
    <span className="block min-w-40 py-1">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          href={href(`/listings/${encodeURIComponent(listing)}`)}
          prefetch={false}
          className="rounded font-medium wrap-anywhere hover:underline"
        >
          {name}
        </Link>
        {reversed !== null && <Badge tone="warn">Reversed</Badge>}
      </span>
      {reversed !== null && (
        <span className="block text-xs text-quiet wrap-anywhere">
          “{reversed.reason}”, <Instant value={reversed.at} onClock />
        </span>
      )}
      <span className="block text-xs text-quiet sm:hidden">
        Bought <Instant value={purchasedAt} onClock />
      </span>
      <Contents contents={contents} />
    </span>
  );
}
