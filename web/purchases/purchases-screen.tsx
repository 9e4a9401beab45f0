"use client";

import { ShoppingBag } from "lucide-react";
import { orpc, type PurchaseListed, useRead, useWhere } from "../client/service.tsx";
import { ExportMenu } from "../client/export-menu.tsx";
import { useAddress } from "../client/use-address.ts";
import { Button } from "../components/button.tsx";
import { type Column, column, instantColumn } from "../components/table.tsx";
import { Filters } from "../components/filters.tsx";
import { ListCard, useListed } from "../components/list-card.tsx";
import { dialogOnceOpen, useAsked } from "../components/overlay.tsx";
import { Page } from "../components/page.tsx";
import { Badge } from "../components/surface.tsx";
import { Checkbox } from "../components/toggle.tsx";
import { PlayerLink } from "../client/links.tsx";
import { PlayerName } from "../players/player-columns.tsx";
import { priceColumn, Purchased, reverseColumn } from "../players/purchase-columns.tsx";
import { gapInWords, HANDING_OVER_WORDS, isLookedThrough, PURCHASES, purchasesInput, PURCHASE_STATUSES } from "./purchase-filter.ts";

const ReversePurchase = dialogOnceOpen(() => import("../players/reverse-purchase.tsx").then((loaded) => loaded.ReversePurchase));

/** An environment's purchases with their fulfilment, newest first; Support can reverse them. */
export function PurchasesScreen() {
  const { scope, can } = useWhere();
  const [filter, show] = useAddress(PURCHASES);
  const { data: catalogue } = useRead(orpc.definitions.catalogue);
  const { asked, opening, ask, opened } = useAsked<PurchaseListed>();
  const list = useListed((cursor) => orpc.marketplace.allPurchases.queryOptions({ input: purchasesInput(scope, filter, cursor) }));
  const next = list.data?.next ?? null;
  const isFiltered = PURCHASES.isFiltered(filter);
  const columns: Column<PurchaseListed>[] = [
    column("Listing", (purchase) => (
      <Purchased purchase={purchase} boughtClass="md:hidden" by={purchase.player && <By player={purchase.player} />}>
        {purchase.repeatedWithin !== null && (
          <button
            type="button"
            onClick={() => show({ ...PURCHASES.none, listing: purchase.listing, player: purchase.player?.externalId ?? null })}
            className="rounded-full"
            title="Show both purchases"
          >
            <Badge tone="bad">Twice within {gapInWords(purchase.repeatedWithin)}</Badge>
          </button>
        )}
      </Purchased>
    )),
    column("Player", ({ player }) => <Buyer player={player} />, "max-md:hidden"),
    priceColumn(),
    instantColumn("When", ({ purchasedAt }) => purchasedAt, { className: "max-md:hidden", onClock: true, isQuiet: true }),
  ];
  if (can("Support")) {
    columns.push(
      reverseColumn({
        onReverse: ask,
        nameOf: ({ name, player }) => `${name} by ${player?.externalId}`,
        canReverse: ({ player }) => player !== null,
        words: <span className="max-lg:hidden">Reverse</span>,
      }),
    );
  }
  return (
    <Page title="Purchases" actions={<ExportMenu lists={[{ list: "purchases", label: "All purchases" }]} />}>
      <ListCard
        label="Purchases"
        isFiltered={isFiltered}
        filters={
          <Filters
            address={PURCHASES}
            filter={filter}
            onFilterChange={show}
            fields={{
              listing: {
                label: "Listing",
                all: "All listings",
                options: (catalogue?.marketplaceItems ?? []).map(({ key, name }) => ({ value: key, label: name })),
              },
              player: { label: "Player", search: "Player ID" },
              status: { label: "Status", all: "All", options: PURCHASE_STATUSES.map((value) => ({ value, label: value })) },
              handingOver: {
                label: "Fulfillment",
                all: "All",
                options: Object.entries(HANDING_OVER_WORDS).map(([value, label]) => ({ value, label })),
              },
            }}
            className="2xl:grid-cols-[1fr_1fr_9rem_11rem_13.5rem_13.5rem]"
          >
            <Checkbox
              label="Charged twice?"
              hint="The same player bought the same listing again within 10 minutes"
              checked={filter.repeated === "yes"}
              onCheckedChange={(isOn) => show({ repeated: isOn ? "yes" : null })}
            />
          </Filters>
        }
        columns={columns}
        list={list}
        rows={list.data?.purchases}
        rowKey={({ id }) => id}
        empty={
          isFiltered
            ? {
                title: next !== null && isLookedThrough(filter) ? "None among the newest purchases" : "No matching purchases",
                words: filter.player === null ? "Choose another listing, status or time." : "Player IDs are case-sensitive.",
                action:
                  next === null ? (
                    <Button onClick={() => show(PURCHASES.none)}>Clear filters</Button>
                  ) : (
                    <Button onClick={() => list.pages.to(next)}>Search older purchases</Button>
                  ),
              }
            : {
                icon: <ShoppingBag />,
                title: "No purchases yet",
                words: "What players buy is listed here and can be reversed.",
              }
        }
      />
      {asked !== null && <ReversePurchase key={opening} purchase={asked} {...opened} />}
    </Page>
  );
}

/** The buyer, beside the purchase in narrow windows, which have no column for them. */
const By = ({ player: { externalId, displayName } }: { player: NonNullable<PurchaseListed["player"]> }) => (
  <>
    by{" "}
    <PlayerLink of={externalId} tab="purchases" className="wrap-anywhere">
      {displayName ?? externalId}
    </PlayerLink>
  </>
);

function Buyer({ player }: Pick<PurchaseListed, "player">) {
  if (player === null) return <span className="text-faint">Erased</span>;
  return (
    <PlayerLink of={player.externalId} tab="purchases" className="block max-w-56 min-w-20 font-normal">
      <PlayerName of={player} />
    </PlayerLink>
  );
}
