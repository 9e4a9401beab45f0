"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Activity } from "lucide-react";
import type { TimelineEntry } from "../../server/game/players/contract.dashboard.ts";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { LinkButton } from "../components/button.tsx";
import { usePages } from "../components/pager.tsx";
import { Badge } from "../components/surface.tsx";
import { instantColumn } from "../components/instant-column.tsx";
import type { Column } from "../components/table.tsx";
import { eventQuery } from "../developers/events/filters.ts";
import { PagedCard } from "./paged-card.tsx";
import { Named } from "./named.tsx";
import { Properties } from "./properties.tsx";
import { timelineInput, typesOf } from "./timeline-input.ts";
import { valueInWords } from "./values.ts";

/** A player's events and metric events as sent, last received first. */
export function Facts({ externalId }: { externalId: string }) {
  const { scope, href, timeZone } = useWhere();
  const pages = usePages();
  const { data, error, isPlaceholderData } = useQuery({
    ...orpc.players.timeline.queryOptions({ input: timelineInput(scope, externalId, typesOf(["Events"]), pages.cursor) }),
    placeholderData: keepPreviousData,
  });
  const columns: Column<TimelineEntry>[] = [
    {
      id: "event",
      header: "Event",
      cell: ({ type, of, value }) => (
        <span className="flex flex-wrap items-center gap-x-2">
          {of === null ? (
            <span className="text-quiet">Deleted</span>
          ) : (
            <Named kind={type === "Metric" ? "metrics" : "events"} of={of.key} />
          )}
          {value !== null && <Badge>+{valueInWords(value, timeZone)}</Badge>}
        </span>
      ),
    },
    {
      id: "properties",
      header: "Properties",
      className: "max-md:hidden",
      cell: ({ properties }) => <Properties properties={properties ?? "{}"} />,
    },
    instantColumn("Happened", ({ occurredAt, at }) => occurredAt ?? at, { className: "sm:w-40", onClock: true }),
    instantColumn("Received", ({ at }) => at, { className: "w-40 max-sm:hidden", onClock: true, isQuiet: true }),
  ];
  return (
    <PagedCard
      title="Events"
      actions={
        <LinkButton size="sm" variant="ghost" href={href(`/developers/events${eventQuery({ player: externalId })}`)} prefetch={false}>
          What each changed
        </LinkButton>
      }
      columns={columns}
      page={data && { rows: data.entries, next: data.next }}
      read={{ error, isPlaceholderData }}
      pages={pages}
      empty={{
        icon: <Activity aria-hidden />,
        title: "No events yet",
        words: "Events that your backend sends for this player are listed here.",
      }}
    />
  );
}
