"use client";

import { instantInWords, longDate } from "../../server/model/kernel/dates.ts";
import { useQuery } from "@tanstack/react-query";
import { Gavel, Trophy } from "lucide-react";
import { dialogOnceOpen } from "../components/overlay.tsx";
import { useState } from "react";
import { type Answers, type BoardPeriod, type BoardRow, orpc, useWhere } from "../client/service.tsx";
import { useAddress } from "../client/use-address.ts";
import { Button } from "../components/button.tsx";
import { PagedTable, useListed } from "../components/list-card.tsx";
import { ReadFailed } from "../components/problems.tsx";
import { Badge, Card, DefinitionItem, EmptyState, Skeleton, type Tone } from "../components/surface.tsx";
import { StandingsFilters } from "./standings-filters.tsx";
import {
  BOARD,
  groupOf,
  namedPeriodInput,
  periodInView,
  periodInWords,
  periodsInput,
  refusalWords,
  type Seat,
  seatOf,
} from "./board-view.ts";
import { zoneOf } from "../../server/model/leaderboards/ranking.ts";
import { formatted, plural } from "../../server/model/kernel/thousands.ts";
import { ExportMenu } from "../client/export-menu.tsx";
import { type Column, column, numericColumn } from "../components/table.tsx";
import { PlayerLink } from "../client/links.tsx";
import { valueInWords } from "../players/values.ts";

/** A board's standings in any of its periods; those of a league also by tier and group. */
export function StandingsScreen({ boardKey }: { boardKey: string }) {
  const { scope, timeZone } = useWhere();
  const [view, show] = useAddress(BOARD);
  const board = useListed((cursor) => orpc.leaderboards.periods.queryOptions({ input: periodsInput(scope, boardKey, cursor) }));
  const periods = board.data?.periods ?? [];
  const named = useQuery({
    ...orpc.leaderboards.periods.queryOptions({ input: namedPeriodInput(scope, boardKey, view.period) }),
    enabled: view.period !== null,
  });
  const period = periodInView(view.period, periods, named.data?.periods);
  const seat = seatOf(view, period?.groups ?? []);
  const rows = useListed((cursor) => ({
    ...orpc.leaderboards.standings.queryOptions({
      input: { ...scope, key: boardKey, start: period?.start ?? "", cursor, around: view.around },
    }),
    enabled: period !== undefined && seat === null,
  }));
  const members = useListed(() => ({
    ...orpc.leaderboards.group.queryOptions({
      input: { ...scope, key: boardKey, start: period?.start ?? "", ...(seat ?? { tier: 0, group: 0 }) },
    }),
    enabled: period !== undefined && seat !== null,
  }));
  const shown = seat === null ? rows : members;
  const isTeams = board.data?.ranks === "Teams";
  return (
    <>
      <ReadFailed title="The periods could not be loaded" error={board.error} onRetry={board.refetch} />
      {period === undefined && <ReadFailed title="The period could not be loaded" error={named.error} onRetry={named.refetch} />}
      {period === undefined && named.isLoading && <Skeleton className="h-96" />}
      {board.data?.periods.length === 0 && period === undefined && !named.isLoading && (
        <Card>
          <EmptyState icon={<Trophy />} title="No periods yet">
            A period begins with the first score, or when the leaderboard is switched on.
          </EmptyState>
        </Card>
      )}
      {view.period !== null && period === undefined && named.data !== undefined && periods.length > 0 && (
        <Card>
          <EmptyState
            icon={<Trophy />}
            title="Period not found"
            action={<Button onClick={() => show({ period: null, group: null })}>Show the current period</Button>}
          >
            No period of this leaderboard starts on {longDate(view.period)}.
          </EmptyState>
        </Card>
      )}
      {period !== undefined && (
        <Card padded={false}>
          <PeriodHeader
            boardKey={boardKey}
            period={period}
            isTeams={isTeams}
            // A new period has begun: without this, it would replace the result.
            onSettled={() => show({ period: period.start })}
          />
          <StandingsFilters
            view={view}
            seat={seat}
            period={period}
            periods={periods.includes(period) ? periods : [...periods, period]}
            tiers={board.data?.tiers ?? null}
            isTeams={isTeams}
            onViewChange={show}
            onOlder={board.data?.next == null ? null : () => board.pages.to(board.data!.next!)}
            onNewer={board.pages.toPrevious}
          />
          <PagedTable
            label="Standings"
            columns={standingsColumns({
              timeZone,
              tiers: board.data?.tiers ?? null,
              zone: seat === null || !board.data?.league ? null : zonesOf(shown.data?.rows ?? [], seat.tier, board.data.league),
              isTeams,
              marked: view.around,
              onGroup: (chosen) => show({ group: groupOf(chosen), around: null }),
            })}
            list={shown}
            rows={shown.data?.rows}
            rowKey={({ id }) => id}
            empty={
              view.around === null
                ? {
                    icon: <Trophy />,
                    title: seat !== null ? "No players in this group" : period.state === "Settled" ? "No scores" : "No scores yet",
                  }
                : {
                    title: isTeams ? "No team or player found" : "Not ranked in this period",
                    words: isTeams ? "Names of teams and player IDs are case-sensitive." : "Player IDs are case-sensitive.",
                    action: <Button onClick={() => show({ around: null })}>Show the top</Button>,
                  }
            }
          />
        </Card>
      )}
    </>
  );
}

const SettleDialog = dialogOnceOpen(() => import("./settle-dialog.tsx").then((loaded) => loaded.SettleDialog));

const TONES: Record<BoardPeriod["state"], Tone> = {
  Upcoming: "neutral",
  Current: "good",
  Ended: "warn",
  Settling: "info",
  Settled: "neutral",
};

interface HeaderProps {
  boardKey: string;
  period: BoardPeriod;
  isTeams: boolean;
  onSettled(): void;
}

/** A period's start, end and settling, and the number ranked; Editors can settle it now in the Sandbox. */
function PeriodHeader({ boardKey, period, isTeams, onSettled }: HeaderProps) {
  const { timeZone, can, environment } = useWhere();
  const [isAsking, setAsking] = useState(false);
  const { startsAt, endsAt, settlesAt, settledAt, state, participants, settleRefusal } = period;
  const why = refusalWords(settleRefusal, settlesAt === null ? null : instantInWords(settlesAt, timeZone));
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3 border-b border-line p-4">
      <dl className="grid min-w-0 flex-1 basis-80 grid-cols-2 gap-x-6 gap-y-3 text-[0.8125rem] sm:grid-cols-4">
        <DefinitionItem term="Period">
          <Badge tone={TONES[state]}>{state}</Badge>
        </DefinitionItem>
        <DefinitionItem term="Dates">{periodInWords(startsAt, endsAt, timeZone)}</DefinitionItem>
        <DefinitionItem term={settledAt === null ? "Settles" : "Settled"}>
          {settledAt !== null ? instantInWords(settledAt, timeZone) : settlesAt === null ? "Never" : instantInWords(settlesAt, timeZone)}
        </DefinitionItem>
        <DefinitionItem term="Ranked">{plural(participants, isTeams ? "team" : "player")}</DefinitionItem>
      </dl>
      <ExportMenu lists={[{ list: "standings", filters: { leaderboard: boardKey, start: period.start } }]} />
      {settleRefusal === null && can("Editor") && (
        <Button icon={<Gavel />} opens={SettleDialog} onClick={() => setAsking(true)}>
          Settle now
        </Button>
      )}
      {why !== null && (environment === "sandbox" || settleRefusal === "Live") && <p className="w-full text-xs text-quiet">{why}</p>}
      {settleRefusal === null && (
        <SettleDialog boardKey={boardKey} period={period} open={isAsking} onOpenChange={setAsking} onSettled={onSettled} />
      )}
    </div>
  );
}

interface ColumnsOf {
  timeZone: string;
  tiers: readonly { key: string; name: string }[] | null;
  /** Where each row of a league's group would move, if the period ended now. */
  zone: ((row: BoardRow) => Outcome) | null;
  isTeams: boolean;
  /** The player or team searched for. */
  marked: string | null;
  onGroup(seat: Seat): void;
}

type Outcome = NonNullable<NonNullable<BoardRow["seat"]>["outcome"]>;

type League = NonNullable<Answers["leaderboards"]["periods"]["league"]>;

function zonesOf(rows: readonly BoardRow[], tier: number, league: League): (row: BoardRow) => Outcome {
  const places = new Map(rows.map(({ id }, at) => [id, at]));
  return ({ id, seat }) => seat?.outcome ?? zoneOf(places.get(id) ?? 0, rows.length, tier, league);
}

const ZONES: Record<Outcome, string> = { Promoted: "Moves up", Relegated: "Moves down", Stayed: "Stays" };

const OUTCOMES: Record<Outcome, Tone> = { Promoted: "good", Relegated: "warn", Stayed: "neutral" };

function standingsColumns({ timeZone, tiers, zone, isTeams, marked, onGroup }: ColumnsOf): Column<BoardRow>[] {
  const columns: Column<BoardRow>[] = [
    numericColumn("Rank", ({ rank }) => formatted(rank), "w-px"),
    column(isTeams ? "Team" : "Player", ({ player, team }) => {
      if (team !== null)
        return (
          <span className="flex flex-wrap items-center gap-x-2">
            <span className="font-medium wrap-anywhere">{team.name}</span>
            <span className="text-xs text-quiet">{plural(team.members, "player")}</span>
            {team.name === marked && <Badge tone="info">Found</Badge>}
          </span>
        );
      if (player === null) return <span className="text-faint">Erased</span>;
      return (
        <span className="flex flex-wrap items-center gap-x-2">
          <PlayerLink of={player.externalId} tab="boards" className="inline-block py-0.5">
            {player.displayName ?? player.externalId}
          </PlayerLink>
          {player.displayName !== null && <code className="font-mono text-xs text-quiet wrap-anywhere">{player.externalId}</code>}
          {player.externalId === marked && <Badge tone="info">Found</Badge>}
        </span>
      );
    }),
    numericColumn("Score", ({ score }) => valueInWords(score, timeZone)),
  ];
  if (zone !== null) {
    columns.push(
      column("Zone", (row) => {
        const outcome = zone(row);
        // Settled periods show the actual moves, others the moves if the period ended now.
        const words = row.seat?.outcome == null ? ZONES[outcome] : outcome;
        return outcome === "Stayed" ? <span className="text-quiet">{words}</span> : <Badge tone={OUTCOMES[outcome]}>{words}</Badge>;
      }),
    );
  } else if (tiers !== null) {
    columns.push(
      column(
        "League",
        ({ seat }) =>
          seat === null ? (
            <span className="text-faint">Not in a group yet</span>
          ) : (
            <span className="flex flex-wrap items-center gap-x-2">
              <button type="button" onClick={() => onGroup(seat)} className="rounded hover:underline">
                {tiers[seat.tier]?.name ?? `Tier ${seat.tier + 1}`}, group {formatted(seat.group + 1)}
              </button>
              {seat.outcome !== null && <Badge tone={OUTCOMES[seat.outcome]}>{seat.outcome}</Badge>}
            </span>
          ),
        "max-sm:hidden",
      ),
    );
  }
  return columns;
}
