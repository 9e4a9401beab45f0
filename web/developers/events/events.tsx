"use client";

import { useState } from "react";
import { Activity } from "lucide-react";
import { plural } from "#server/model/kernel/thousands.ts";
import { TextLink } from "../../components/button.tsx";
import { ExportMenu } from "../../client/export-menu.tsx";
import { type Answers, orpc, useRead, useWhere } from "../../client/service.tsx";
import { useAddress } from "../../client/use-address.ts";
import { choices, Segmented } from "../../components/choice.tsx";
import { Card, Notice } from "../../components/surface.tsx";
import { DevelopersPage } from "../developers-page.tsx";
import { EventFilters } from "./event-filters.tsx";
import { type EventFilter, EVENTS, eventsInput, type Item } from "./filters.ts";
import { ItemSheet, type Looked } from "./item-sheet.tsx";
import { everyMs, LiveButton, Omitted } from "./live.tsx";
import { type Column, column, instantColumn } from "../../components/table.tsx";
import { PagedTable, useListed } from "../../components/list-card.tsx";
import { ItemBadge } from "./outcome.tsx";

type Source = "recent" | "stored";

/** Live tail of sent events, with their outcomes. */
export function EventsScreen() {
  const [filter, show] = useAddress(EVENTS);
  const [source, setSource] = useState<Source>("recent");
  const [isLive, setLive] = useState(true);
  const [looked, setLooked] = useState<Looked | null>(null);
  const { data: catalogue } = useRead(orpc.definitions.catalogue);
  const { data: overview } = useRead(orpc.requestLog.overview);
  const { player } = filter;
  const isOfPlayer = player !== null && source === "stored";
  return (
    <DevelopersPage
      actions={
        <>
          <ExportMenu
            lists={[
              { list: "events", label: "All stored events" },
              { list: "metric-events", label: "All stored metric events" },
            ]}
          />
          <LiveButton isLive={isLive} onLiveChange={setLive} />
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Card
          title="Events"
          description="The latest events and metric events, accepted and refused. Open one to see what it changed."
          padded={false}
        >
          <EventFilters
            filter={filter}
            isOfPlayer={isOfPlayer}
            onFilterChange={(change) => {
              if (change.player === null) setSource("recent");
              show(change);
            }}
            events={[...(catalogue?.events ?? []), ...(catalogue?.metrics ?? [])]}
            keys={overview?.keys ?? []}
          />
          {player !== null && (
            <div className="border-b border-line p-2.5">
              <Segmented<Source>
                label="Events to list"
                value={source}
                onValueChange={setSource}
                options={choices({ recent: "Latest events", stored: "All stored events of this player" })}
              />
            </div>
          )}
          {isOfPlayer ? (
            <PlayerEvents player={player} isLive={isLive} onLook={setLooked} />
          ) : (
            <Tail filter={filter} isLive={isLive} onLook={setLooked} />
          )}
          {overview !== undefined && !isOfPlayer && <Omitted of={overview.omitted} what="items" />}
        </Card>
        <UnenteredNotice />
      </div>
      <ItemSheet looked={looked} onClose={() => setLooked(null)} />
    </DevelopersPage>
  );
}

const LOOK_EVERY_MS = 30_000;

/**
 * Warns about events of players who are in no mission: reading their missions first is often forgotten. Hidden otherwise. At the bottom of
 * the window, where it moves no row.
 */
function UnenteredNotice() {
  const { data } = useRead(orpc.events.unentered, {}, { refetchInterval: LOOK_EVERY_MS });
  if (data === undefined || data.events === 0) return null;
  const { events, players, sample } = data;
  return (
    <Notice
      data-action-bar
      tone="warn"
      className="sticky bottom-3 z-10 shadow-overlay max-sm:static"
      title={`${plural(events, "event")} today came from ${plural(players, "player")} who ${players === 1 ? "is" : "are"} in no mission`}
    >
      Their events count towards none. Read a player&rsquo;s missions before sending their events:{" "}
      <TextLink href="/docs/guides/first-event#enter" className="text-accent">
        how to enter players
      </TextLink>
      . For example: {sample.join(", ")}.
    </Notice>
  );
}

type Stored = Answers["events"]["ofPlayer"]["items"][number];

interface LiveListProps {
  isLive: boolean;
  onLook(looked: Looked): void;
}

/** The latest items, newest first. */
function Tail({ filter, isLive, onLook }: LiveListProps & { filter: EventFilter }) {
  const { scope } = useWhere();
  const list = useListed((cursor) => orpc.events.tail.queryOptions({ input: eventsInput(scope, filter, cursor) }), everyMs(isLive));
  const isFiltered = EVENTS.isFiltered(filter);
  return (
    <PagedTable
      label="Events"
      columns={TAIL_COLUMNS}
      list={list}
      rows={list.data?.items}
      rowKey={({ requestId, position }) => `${requestId} ${position}`}
      onOpen={(item) => onLook({ item })}
      empty={{
        icon: <Activity />,
        title: isFiltered ? "No matching events" : "No recent events",
        words:
          filter.player !== null
            ? "Older events are listed under “All stored events of this player”."
            : isFiltered
              ? "Clear the filters to see all."
              : "Events that your backend sends appear here automatically.",
      }}
    />
  );
}

const TAIL_COLUMNS: Column<Item>[] = [
  column("Event", ({ event }) => event ?? "no event"),
  column("Player", ({ player }) => <span className="block truncate">{player ?? "–"}</span>),
  column("Outcome", ({ state }) => <ItemBadge state={state} />),
  column(
    "Reason",
    ({ errors: [first] }) => <span className="block truncate text-[0.8125rem] text-quiet">{first?.message ?? ""}</span>,
    "max-md:hidden",
  ),
  column("API key", ({ key }) => <span className="block truncate">{key.name}</span>, "max-lg:hidden"),
  instantColumn("Time", ({ at }) => at),
];

/** A player's stored events, of any age. */
function PlayerEvents({ player, isLive, onLook }: LiveListProps & { player: string }) {
  const { scope } = useWhere();
  const list = useListed((cursor) => orpc.events.ofPlayer.queryOptions({ input: { ...scope, player, cursor } }), everyMs(isLive));
  return (
    <PagedTable
      label="Stored events"
      columns={STORED_COLUMNS}
      list={list}
      rows={list.data?.items}
      rowKey={({ eventId }) => eventId}
      onOpen={({ eventId, event }) => onLook({ player, eventId, event })}
      empty={{
        icon: <Activity />,
        title: "No events of this player",
        words: "Check that the player ID is written exactly as your backend sends it.",
      }}
    />
  );
}

const STORED_COLUMNS: Column<Stored>[] = [
  column("Event", ({ event }) => event ?? "deleted"),
  column(
    "Properties",
    ({ properties, value }) => (
      <code className="block truncate font-mono text-xs text-quiet">{value === null ? properties : `+${value} ${properties}`}</code>
    ),
    "max-md:hidden",
  ),
  column("Outcome", ({ state }) => <ItemBadge state={state} />),
  instantColumn("Received", ({ receivedAt }) => receivedAt, { onClock: true }),
];
