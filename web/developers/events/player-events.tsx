"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Activity } from "lucide-react";
import type { DashboardClient } from "#server/api/dashboard.ts";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { EmptyState, Skeleton } from "../../components/surface.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { instantColumn } from "../../components/instant-column.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { ItemBadge } from "./badges.tsx";
import type { Looked } from "./item-sheet.tsx";
import { everyMs } from "./live.tsx";

type Stored = Awaited<ReturnType<DashboardClient["events"]["ofPlayer"]>>["items"][number];

interface Props {
  player: string;
  isLive: boolean;
  onLook(looked: Looked): void;
}

/** A player's stored events, of any age. */
export function PlayerEvents({ player, isLive, onLook }: Props) {
  const { scope } = useWhere();
  const pages = usePages();
  const refetchInterval = everyMs(isLive, pages.number);
  const { data, isPlaceholderData } = useQuery({
    ...orpc.events.ofPlayer.queryOptions({ input: { ...scope, player, cursor: pages.cursor } }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });
  const columns: Column<Stored>[] = [
    {
      id: "event",
      header: "Event",
      cell: ({ event, eventId }) => (
        <button
          type="button"
          onClick={() => onLook({ player, eventId, event })}
          className="block rounded text-left font-mono text-xs wrap-anywhere after:absolute after:inset-0"
        >
          {event ?? "deleted"}
        </button>
      ),
    },
    {
      id: "properties",
      header: "Properties",
      className: "max-md:hidden",
      cell: ({ properties, value }) => (
        <code className="block truncate font-mono text-xs text-quiet">{value === null ? properties : `+${value} ${properties}`}</code>
      ),
    },
    { id: "state", header: "Outcome", cell: ({ state }) => <ItemBadge state={state} /> },
    instantColumn("Received", ({ receivedAt }) => receivedAt, { onClock: true }),
  ];
  if (data === undefined) return <Skeleton className="m-4 h-40" />;
  return (
    <>
      <DataTable
        label="Stored events"
        columns={columns}
        rows={data.items}
        rowKey={({ eventId }) => eventId}
        isStale={isPlaceholderData}
        empty={
          <EmptyState icon={<Activity aria-hidden />} title="No events of this player">
            Check that the player ID is written exactly as your backend sends it.
          </EmptyState>
        }
      />
      <Pager pages={pages} next={data.next} />
    </>
  );
}
