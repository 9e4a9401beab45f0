"use client";

import Link from "next/link";
import { type ReactNode } from "react";
import type { PurchaseListed } from "../../server/game/marketplace/contract.dashboard.ts";
import { useWhere } from "../client/where.tsx";
import { Badge } from "../components/surface.tsx";
import { instantColumn } from "../components/instant-column.tsx";
import { type Column, DataTable } from "../components/table.tsx";
import { priceColumn, Purchased, reverseColumn } from "../players/purchase-columns.tsx";
import { gapInWords } from "./words.ts";

interface Props {
  purchases: PurchaseListed[];
  isStale: boolean;
  onReverse(purchase: PurchaseListed): void;
  /** Filters by the same listing and player. */
  onCompare(purchase: PurchaseListed): void;
  empty: ReactNode;
}

/** Purchases of all players, newest first; Support can reverse them. */
export function PurchasesTable({ purchases, isStale, onReverse, onCompare, empty }: Props) {
  const { href, can } = useWhere();
  const columns: Column<PurchaseListed>[] = [
    {
      id: "item",
      header: "Listing",
      cell: (purchase) => (
        <Purchased purchase={purchase} boughtClass="md:hidden">
          {purchase.repeatedWithin !== null && (
            <button type="button" onClick={() => onCompare(purchase)} className="rounded-full" title="Show both purchases">
              <Badge tone="bad">Twice within {gapInWords(purchase.repeatedWithin)}</Badge>
            </button>
          )}
        </Purchased>
      ),
    },
    {
      id: "player",
      header: "Player",
      cell: ({ player }) =>
        player === null ? (
          <span className="text-faint">Erased</span>
        ) : (
          <Link
            href={href(`/players/${encodeURIComponent(player.externalId)}?tab=purchases`)}
            prefetch={false}
            className="block max-w-56 min-w-20 rounded hover:underline"
          >
            <span className="block truncate">{player.displayName ?? player.externalId}</span>
            {player.displayName !== null && <code className="block truncate font-mono text-xs text-quiet">{player.externalId}</code>}
          </Link>
        ),
    },
    priceColumn(),
    instantColumn("When", ({ purchasedAt }) => purchasedAt, { className: "max-md:hidden", onClock: true, isQuiet: true }),
  ];
  if (can("Support")) {
    const nameOf = ({ name, player }: PurchaseListed) => `${name} by ${player?.externalId}`;
    const words = <span className="max-lg:hidden">Reverse</span>;
    columns.push(reverseColumn({ onReverse, nameOf, canReverse: ({ player }) => player !== null, words }));
  }
  return <DataTable label="Purchases" columns={columns} rows={purchases} rowKey={({ id }) => id} isStale={isStale} empty={empty} />;
}
