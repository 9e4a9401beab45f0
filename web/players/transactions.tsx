"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Coins } from "lucide-react";
import type { TimelineEntry } from "../../server/game/players/contract.dashboard.ts";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { cx } from "../components/classes.ts";
import { usePages } from "../components/pager.tsx";
import { instantColumn } from "../components/instant-column.tsx";
import type { Column } from "../components/table.tsx";
import { PagedCard } from "./paged-card.tsx";
import { Source } from "./source.tsx";
import { timelineInput, typesOf } from "./timeline-input.ts";
import { signedPoints } from "./values.ts";

/** A player's transactions, newest first, with their sources. */
export function Transactions({ externalId }: { externalId: string }) {
  const { scope } = useWhere();
  const pages = usePages();
  const { data, error, isPlaceholderData } = useQuery({
    ...orpc.players.timeline.queryOptions({ input: timelineInput(scope, externalId, typesOf(["Points"]), pages.cursor) }),
    placeholderData: keepPreviousData,
  });
  const columns: Column<TimelineEntry>[] = [
    { id: "what", header: "Source", cell: (entry) => <WhatFor entry={entry} /> },
    {
      id: "amount",
      header: "Points",
      isNumeric: true,
      className: "sm:w-28",
      cell: ({ points }) => <span className={cx((points ?? 0) > 0 && "text-good")}>{signedPoints(points ?? 0)}</span>,
    },
    instantColumn("When", ({ at }) => at, { className: "sm:w-40", onClock: true, isQuiet: true }),
  ];
  return (
    <PagedCard
      title="Points history"
      columns={columns}
      page={data && { rows: data.entries, next: data.next }}
      read={{ error, isPlaceholderData }}
      pages={pages}
      empty={{ icon: <Coins aria-hidden />, title: "No points yet", words: "Points that the player earns and spends are listed here." }}
    />
  );
}

const TYPES = { Grant: "Earned", Spend: "Spent", Adjustment: "Adjusted", Refund: "Refunded" } as const;

function WhatFor({ entry: { of, period, pointsType, reason } }: { entry: TimelineEntry }) {
  const isRefund = pointsType === "Refund";
  return (
    <span className="wrap-anywhere">
      {isRefund && "Reversed purchase: "}
      {of === null ? TYPES[pointsType ?? "Grant"] : <Source of={of} period={period} isBare={isRefund} />}
      {reason !== null && <span className="block text-xs text-quiet">{reason}</span>}
    </span>
  );
}
