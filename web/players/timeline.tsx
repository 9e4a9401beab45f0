"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useState } from "react";
import type { TimelineEntry } from "../../server/game/players/contract.dashboard.ts";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { cx } from "../components/classes.ts";
import { ReadFailed } from "../components/problems.tsx";
import { Card, EmptyState, Skeleton } from "../components/surface.tsx";
import { Pager, usePages } from "../components/pager.tsx";
import { TimelineRow } from "./timeline-row.tsx";
import { TIMELINE_GROUPS, timelineInput, typesOf } from "./timeline-input.ts";

/** A player's history, newest first, filtered by type. */
export function Timeline({ externalId }: { externalId: string }) {
  const { scope } = useWhere();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const pages = usePages();
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...orpc.players.timeline.queryOptions({ input: timelineInput(scope, externalId, typesOf(chosen), pages.cursor) }),
    placeholderData: keepPreviousData,
  });
  const toggle = (group: string) => {
    setChosen((before) => (before.includes(group) ? before.filter((one) => one !== group) : [...before, group]));
    pages.toFirst();
  };
  return (
    <Card padded={false}>
      <div role="group" aria-label="Show only" className="flex flex-wrap gap-1.5 border-b border-line px-4 py-2.5">
        {TIMELINE_GROUPS.map(({ label }) => (
          <button
            key={label}
            type="button"
            aria-pressed={chosen.includes(label)}
            onClick={() => toggle(label)}
            className={cx(
              "h-7 rounded-full border px-2.5 text-[0.8125rem]",
              chosen.includes(label) ? "border-accent bg-accent-soft text-accent" : "border-line-strong text-quiet hover:text-ink",
            )}
          >
            {label}
          </button>
        ))}
      </div>
      <ReadFailed title="The timeline could not be loaded" error={error} onRetry={refetch} />
      {data === undefined && !error && <Skeleton className="m-4 h-40" />}
      {data !== undefined && data.entries.length === 0 && (
        <EmptyState icon={<History aria-hidden />} title={chosen.length === 0 ? "Nothing happened yet" : "Nothing of this kind yet"}>
          Events, points, missions, purchases and changes by staff are listed here.
        </EmptyState>
      )}
      {data !== undefined && data.entries.length > 0 && (
        <ol aria-label="Timeline" aria-busy={isPlaceholderData} className={cx(isPlaceholderData && "opacity-60")}>
          {data.entries.map((entry: TimelineEntry) => (
            <TimelineRow key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      <Pager pages={pages} next={data?.next} />
    </Card>
  );
}
