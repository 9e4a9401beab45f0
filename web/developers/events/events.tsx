"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ExportMenu } from "../../client/export-menu.tsx";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Segmented } from "../../components/choice.tsx";
import { Card } from "../../components/surface.tsx";
import { DevelopersPage } from "../developers-page.tsx";
import { EventFilters } from "./lazy-filters.tsx";
import { type EventFilter, eventQuery } from "./filters.ts";
import { ItemSheet, type Looked } from "./item-sheet.tsx";
import { LiveButton } from "./live.tsx";
import { Omitted } from "./omitted.tsx";
import { PlayerEvents } from "./player-events.tsx";
import { Tail } from "./tail.tsx";
import { UnenteredNotice } from "./unentered-notice.tsx";

type Source = "recent" | "stored";

/** Live tail of sent events, with their outcomes. */
export function Events({ initialFilter }: { initialFilter: EventFilter }) {
  const { scope } = useWhere();
  const [filter, setFilter] = useState(initialFilter);
  const [source, setSource] = useState<Source>("recent");
  const [isLive, setLive] = useState(true);
  const [looked, setLooked] = useState<Looked | null>(null);
  const { data: catalogue } = useQuery(orpc.definitions.catalogue.queryOptions({ input: scope }));
  const { data: overview } = useQuery(orpc.requestLog.overview.queryOptions({ input: scope }));
  const change = (next: EventFilter) => {
    setFilter(next);
    if (next.player === null) setSource("recent");
    history.replaceState(null, "", `${location.pathname}${eventQuery(next)}`);
  };
  const { player } = filter;
  return (
    <DevelopersPage
      actions={
        <>
          <ExportMenu lists={[{ list: "events", label: "All stored events" }]} />
          <LiveButton isLive={isLive} onLiveChange={setLive} />
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <UnenteredNotice />
        <Card
          title="Events"
          description="Events and metric events of the last 24 hours, accepted and refused. Open one to see what it changed."
          padded={false}
        >
          <EventFilters
            filter={filter}
            onFilterChange={change}
            events={[...(catalogue?.events ?? []), ...(catalogue?.metrics ?? [])]}
            keys={overview?.keys ?? []}
          />
          {player !== null && (
            <div className="border-b border-line p-2.5">
              <Segmented<Source>
                label="Events to list"
                value={source}
                onValueChange={setSource}
                options={[
                  { value: "recent", label: "Last 24 hours" },
                  { value: "stored", label: "All stored events of this player" },
                ]}
              />
            </div>
          )}
          {overview !== undefined && source === "recent" && <Omitted of={overview.omitted} what="items" />}
          {player !== null && source === "stored" ? (
            <PlayerEvents key={player} player={player} isLive={isLive} onLook={setLooked} />
          ) : (
            <Tail key={eventQuery(filter)} filter={filter} isLive={isLive} onLook={setLooked} />
          )}
        </Card>
      </div>
      <ItemSheet looked={looked} onClose={() => setLooked(null)} />
    </DevelopersPage>
  );
}
