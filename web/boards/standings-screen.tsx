"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Trophy } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { Button } from "../components/button.tsx";
import { Pager, usePages } from "../components/pager.tsx";
import { ReadFailed } from "../components/problems.tsx";
import { Card, EmptyState, Skeleton } from "../components/surface.tsx";
import { boardQueryOf, type BoardView, periodsInput } from "./board-view.ts";
import { PeriodHeader } from "./period-header.tsx";
import { StandingsTable } from "./standings-table.tsx";

/** Loaded separately: with their selects the page would exceed 250 kB of JavaScript. */
const StandingsFilters = dynamic(() => import("./standings-filters.tsx").then((loaded) => loaded.StandingsFilters), {
  ssr: false,
  loading: () => <Skeleton className="m-2.5 h-8" />,
});

/** A board's standings in any of its periods; of a league also by tier and group. */
export function StandingsScreen({ boardKey, initialView }: { boardKey: string; initialView: BoardView }) {
  const { scope } = useWhere();
  const [view, setView] = useState(initialView);
  const older = usePages();
  const pages = usePages();
  const board = useQuery({
    ...orpc.leaderboards.periods.queryOptions({ input: periodsInput(scope, boardKey, older.cursor) }),
    placeholderData: keepPreviousData,
  });
  const periods = board.data?.periods ?? [];
  const period = periods.find(({ start }) => start === view.period) ?? newest(periods);
  const { group } = view;
  const rows = useQuery({
    ...orpc.leaderboards.standings.queryOptions({
      input: { ...scope, key: boardKey, start: period?.start ?? "", cursor: pages.cursor, around: view.around },
    }),
    placeholderData: keepPreviousData,
    enabled: period !== undefined && group === null,
  });
  const members = useQuery({
    ...orpc.leaderboards.group.queryOptions({
      input: { ...scope, key: boardKey, start: period?.start ?? "", ...(group ?? { tier: 0, group: 0 }) },
    }),
    placeholderData: keepPreviousData,
    enabled: period !== undefined && group !== null,
  });
  const show = (change: Partial<BoardView>) => {
    const next = { ...view, ...change };
    history.replaceState(null, "", `${location.pathname}${boardQueryOf(next)}`);
    pages.toFirst();
    setView(next);
  };
  const shown = group === null ? rows : members;
  const isTeams = board.data?.ranks === "Teams";
  return (
    <>
      <ReadFailed title="The periods could not be loaded" error={board.error} onRetry={board.refetch} />
      <ReadFailed title="The standings could not be loaded" error={shown.error} onRetry={shown.refetch} />
      {board.data !== undefined && period === undefined && (
        <Card>
          <EmptyState icon={<Trophy aria-hidden />} title="No periods yet">
            A period begins with the first score, or when the leaderboard is switched on.
          </EmptyState>
        </Card>
      )}
      {period !== undefined && (
        <Card padded={false}>
          <PeriodHeader boardKey={boardKey} period={period} isTeams={isTeams} />
          <StandingsFilters
            view={view}
            period={period}
            periods={periods}
            tiers={board.data?.tiers ?? null}
            isTeams={isTeams}
            onViewChange={show}
            onOlder={board.data?.next == null ? null : () => older.to(board.data!.next!)}
            onNewer={older.toPrevious}
          />
          {shown.data === undefined && !shown.error && <Skeleton className="m-4 h-40" />}
          {shown.data && (
            <StandingsTable
              rows={shown.data.rows}
              tiers={board.data?.tiers ?? null}
              isTeams={isTeams}
              marked={view.around}
              isStale={shown.isPlaceholderData}
              onGroup={(seat) => show({ group: seat, around: null })}
              empty={
                view.around === null ? (
                  <EmptyState icon={<Trophy aria-hidden />} title={group === null ? "No scores yet" : "No players in this group"} />
                ) : (
                  <EmptyState
                    title={isTeams ? "No team or player found" : "Not ranked in this period"}
                    action={<Button onClick={() => show({ around: null })}>Show the top</Button>}
                  >
                    {isTeams ? "Names of teams and player IDs are case-sensitive." : "Player IDs are case-sensitive."}
                  </EmptyState>
                )
              }
            />
          )}
          {group === null && <Pager pages={pages} next={rows.data?.next} />}
        </Card>
      )}
    </>
  );
}

/** The current period; one that is carried over or starts early may precede it. */
const newest = <One extends { state: string }>(periods: readonly One[]): One | undefined =>
  periods.find(({ state }) => state !== "Upcoming") ?? periods[0];
