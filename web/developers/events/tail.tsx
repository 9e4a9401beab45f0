"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Activity } from "lucide-react";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { EmptyState, Skeleton } from "../../components/surface.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { instantColumn } from "../../components/instant-column.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { ItemBadge } from "./badges.tsx";
import { type EventFilter, eventsInput, isFiltered, type Item } from "./filters.ts";
import type { Looked } from "./item-sheet.tsx";
import { everyMs } from "./live.tsx";

interface Props {
  filter: EventFilter;
  isLive: boolean;
  onLook(looked: Looked): void;
}

/** The latest items, newest first. */
export function Tail({ filter, isLive, onLook }: Props) {
  const { scope } = useWhere();
  const pages = usePages();
  const refetchInterval = everyMs(isLive, pages.number);
  const { data, isPlaceholderData } = useQuery({
    ...orpc.events.tail.queryOptions({ input: eventsInput(scope, filter, pages.cursor) }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });
  const columns: Column<Item>[] = [
    {
      id: "event",
      header: "Event",
      cell: (item) => (
        <button
          type="button"
          onClick={() => onLook({ item })}
          className="block rounded text-left font-mono text-xs wrap-anywhere after:absolute after:inset-0"
        >
          {item.event ?? "no event"}
        </button>
      ),
    },
    { id: "player", header: "Player", cell: ({ player }) => <span className="block truncate">{player ?? "–"}</span> },
    { id: "state", header: "Outcome", cell: ({ state }) => <ItemBadge state={state} /> },
    {
      id: "reason",
      header: "Reason",
      className: "max-md:hidden",
      cell: ({ errors: [first] }) => <span className="block truncate text-[0.8125rem] text-quiet">{first?.message ?? ""}</span>,
    },
    { id: "key", header: "API key", className: "max-lg:hidden", cell: ({ key }) => <span className="block truncate">{key.name}</span> },
    instantColumn("Time", ({ at }) => at),
  ];
  if (data === undefined) return <Skeleton className="m-4 h-40" />;
  return (
    <>
      <DataTable
        label="Events"
        columns={columns}
        rows={data.items}
        rowKey={({ requestId, position }) => `${requestId} ${position}`}
        isStale={isPlaceholderData}
        empty={
          <EmptyState icon={<Activity aria-hidden />} title={isFiltered(filter) ? "No matching events" : "No events in the last 24 hours"}>
            {filter.player !== null
              ? "Older events are listed under “All stored events of this player”."
              : isFiltered(filter)
                ? "Clear the filters to see all."
                : "Events that your backend sends appear here automatically."}
          </EmptyState>
        }
      />
      <Pager pages={pages} next={data.next} />
    </>
  );
}
