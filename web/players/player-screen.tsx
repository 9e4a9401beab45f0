"use client";

import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import type { MouseEvent } from "react";
import { orpc, type PlayerSeen, useRead, useWhere } from "../client/service.tsx";
import { Button } from "../components/button.tsx";
import { Page } from "../components/page.tsx";
import { problemOf, ReadFailed } from "../components/problems.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { PlayerActions } from "./actions/player-actions.tsx";
import { Attributes, Segments } from "./attributes.tsx";
import { Completions, Facts, Purchases, Transactions } from "./lists.tsx";
import { ActiveMissions, OtherMissions } from "./missions.tsx";
import { PLAYER_QUERIES } from "./player-queries.ts";
import { Profile } from "./profile.tsx";
import { Standings, Streaks } from "./standings.tsx";
import { type Tab, tabFrom, TABS } from "./inputs.ts";
import { Timeline } from "./timeline.tsx";
import { TAB, TAB_ROW } from "../components/tabs.tsx";

/** One player's present state and history. Viewing has no effects. */
export function PlayerScreen({ externalId }: { externalId: string }) {
  const { href } = useWhere();
  const tab = tabFrom(useSearchParams().get("tab"));
  const { data, error } = useRead(orpc.players.get, { externalId });
  const queryClient = useQueryClient();
  const isReading =
    useIsFetching({ queryKey: orpc.players.key() }) +
      useIsFetching({ queryKey: orpc.marketplace.key() }) +
      useIsFetching({ queryKey: orpc.simulation.key() }) >
    0;
  const readAgain = () => {
    for (const queryKey of PLAYER_QUERIES) void queryClient.invalidateQueries({ queryKey });
  };
  const breadcrumbs = [{ label: "Players", href: href("/players") }];
  if (data === undefined) {
    return (
      <Page title={externalId} breadcrumbs={breadcrumbs}>
        <Card>
          <EmptyState title="This player cannot be shown">{error ? problemOf(error) : "Reading …"}</EmptyState>
        </Card>
      </Page>
    );
  }
  return (
    <Page
      title={data.displayName ?? externalId}
      breadcrumbs={breadcrumbs}
      actions={
        <>
          <Button icon={<RotateCw />} isPending={isReading} onClick={readAgain}>
            Refresh
          </Button>
          <PlayerActions player={data} />
        </>
      }
    >
      <ReadFailed title="The player could not be refreshed" error={error} />
      <Profile player={data} />
      <PlayerTabs current={tab} />
      <TabContent tab={tab} player={data} />
    </Page>
  );
}

function TabContent({ tab, player }: { tab: Tab; player: PlayerSeen }) {
  const { externalId } = player;
  switch (tab) {
    case "timeline":
      return <Timeline externalId={externalId} />;
    case "missions":
      return (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-4">
            <ActiveMissions missions={player.missions} externalId={externalId} />
            <Completions externalId={externalId} />
          </div>
          <OtherMissions externalId={externalId} />
        </div>
      );
    case "points":
      return <Transactions externalId={externalId} />;
    case "boards":
      return (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <Streaks streaks={player.streaks} externalId={externalId} />
          <Standings externalId={externalId} isHidden={player.hiddenAt !== null} />
        </div>
      );
    case "purchases":
      return <Purchases externalId={externalId} />;
    case "events":
      return <Facts externalId={externalId} />;
    case "attributes":
      return (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-4">
            <Attributes attributes={player.attributes} metrics={player.metrics} />
          </div>
          <Segments externalId={externalId} />
        </div>
      );
  }
}

/** Tab links. Only the query of the address changes, so that switching is immediate. */
function PlayerTabs({ current }: { current: Tab }) {
  const path = usePathname();
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.pushState(null, "", event.currentTarget.href);
  };
  return (
    <nav aria-label="About this player" className={TAB_ROW}>
      {TABS.map(({ value, label }) => (
        <a
          key={value}
          href={value === "timeline" ? path : `${path}?tab=${value}`}
          onClick={go}
          data-active={value === current ? "" : undefined}
          aria-current={value === current ? "page" : undefined}
          className={TAB}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}
