"use client";

import { Undo2 } from "lucide-react";
import Link from "next/link";
import { type ReactNode } from "react";
import type { PurchaseListed } from "../../server/marketplace/contract.dashboard.ts";
import { withThousands } from "../../server/kernel/thousands.ts";
import { useWhere } from "../_client/where.tsx";
import { Button } from "../_components/button.tsx";
import { cx } from "../_components/classes.ts";
import { Badge } from "../_components/surface.tsx";
import { instantColumn } from "../_components/instant-column.tsx";
import { type Column, DataTable } from "../_components/table.tsx";
import { Instant } from "../_components/time.tsx";
import { Contents } from "../_players/handed-over.tsx";
import { definitionPath } from "../authoring/kinds/index.ts";
import { gapInWords } from "./words.ts";

interface Props {
  purchases: PurchaseListed[];
  isStale: boolean;
  onReverse(purchase: PurchaseListed): void;
  /** Shows the other purchases of the same listing by the same player. */
  onCompare(purchase: PurchaseListed): void;
  empty: ReactNode;
}

/** Purchases of everybody, the newest first; Support takes one back. */
export function PurchasesTable({ purchases, isStale, onReverse, onCompare, empty }: Props) {
  const { href, can } = useWhere();
  const columns: Column<PurchaseListed>[] = [
    { id: "item", header: "Listing", cell: (purchase) => <Item purchase={purchase} onCompare={onCompare} /> },
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
    {
      id: "price",
      header: "Points",
      isNumeric: true,
      cell: ({ price, reversed }) => <span className={cx(reversed && "text-faint line-through")}>{withThousands(String(price))}</span>,
    },
    instantColumn("When", ({ purchasedAt }) => purchasedAt, { className: "max-md:hidden", onClock: true, isQuiet: true }),
  ];
  if (can("Support")) {
    columns.push({
      id: "reverse",
      header: <span className="sr-only">Actions</span>,
      className: "w-px text-right",
      cell: (purchase) =>
        purchase.reversed === null &&
        purchase.player !== null && (
          <Button
            size="sm"
            icon={<Undo2 aria-hidden />}
            aria-label={`Reverse purchase: ${purchase.name} by ${purchase.player.externalId}`}
            onClick={() => onReverse(purchase)}
          >
            <span className="max-lg:hidden">Reverse</span>
          </Button>
        ),
    });
  }
  return <DataTable label="Purchases" columns={columns} rows={purchases} rowKey={({ id }) => id} isStale={isStale} empty={empty} />;
}

function Item({ purchase, onCompare }: { purchase: PurchaseListed; onCompare: Props["onCompare"] }) {
  const { href } = useWhere();
  const { name, listing, contents, reversed, purchasedAt, repeatedWithin } = purchase;
  return (
    <span className="block min-w-40 py-1">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          href={href(definitionPath("marketplaceItems", listing))}
          prefetch={false}
          className="rounded font-medium wrap-anywhere hover:underline"
        >
          {name}
        </Link>
        {reversed !== null && <Badge tone="warn">Reversed</Badge>}
        {repeatedWithin !== null && (
          <button type="button" onClick={() => onCompare(purchase)} className="rounded-full" title="Show both purchases">
            <Badge tone="bad">Twice within {gapInWords(repeatedWithin)}</Badge>
          </button>
        )}
      </span>
      {reversed !== null && (
        <span className="block text-xs text-quiet wrap-anywhere">
          “{reversed.reason}”, <Instant value={reversed.at} onClock />
        </span>
      )}
      <span className="block text-xs text-quiet md:hidden">
        Bought <Instant value={purchasedAt} onClock />
      </span>
      <Contents contents={contents} />
    </span>
  );
}
