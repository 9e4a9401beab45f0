"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import type { StandingSeen } from "../../server/game/leaderboards/contract.dashboard.ts";
import { formatted, plural } from "../../server/model/kernel/thousands.ts";
import { useWhere } from "../client/where.tsx";
import { Badge, type Tone } from "../components/surface.tsx";
import { type Column, DataTable } from "../components/table.tsx";
import { valueInWords } from "../players/values.ts";

interface Props {
  rows: StandingSeen[];
  tiers: readonly { key: string; name: string }[] | null;
  isTeams: boolean;
  /** The player or team searched for. */
  marked: string | null;
  isStale: boolean;
  onGroup(seat: { tier: number; group: number }): void;
  empty: ReactNode;
}

type Outcome = NonNullable<NonNullable<StandingSeen["seat"]>["outcome"]>;

const OUTCOMES: Record<Outcome, Tone> = { Promoted: "good", Relegated: "warn", Stayed: "neutral" };

/** Ranked rows of a board. */
export function StandingsTable({ rows, tiers, isTeams, marked, isStale, onGroup, empty }: Props) {
  const { timeZone, href } = useWhere();
  const columns: Column<StandingSeen>[] = [
    { id: "rank", header: "Rank", isNumeric: true, className: "w-px", cell: ({ rank }) => formatted(rank) },
    {
      id: "who",
      header: isTeams ? "Team" : "Player",
      cell: ({ player, team }) => {
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
            <Link
              href={href(`/players/${encodeURIComponent(player.externalId)}?tab=boards`)}
              prefetch={false}
              className="inline-block rounded py-0.5 font-medium wrap-anywhere hover:underline"
            >
              {player.displayName ?? player.externalId}
            </Link>
            {player.displayName !== null && <code className="font-mono text-xs text-quiet wrap-anywhere">{player.externalId}</code>}
            {player.externalId === marked && <Badge tone="info">Found</Badge>}
          </span>
        );
      },
    },
    { id: "score", header: "Score", isNumeric: true, cell: ({ score }) => valueInWords(score, timeZone) },
  ];
  if (tiers !== null) {
    columns.push({
      id: "seat",
      header: "League",
      className: "max-sm:hidden",
      cell: ({ seat }) =>
        seat === null ? (
          <span className="text-faint">Not in a group yet</span>
        ) : (
          <span className="flex flex-wrap items-center gap-x-2">
            <button type="button" onClick={() => onGroup({ tier: seat.tier, group: seat.group })} className="rounded hover:underline">
              {tiers[seat.tier]?.name ?? `Tier ${seat.tier + 1}`}, group {formatted(seat.group + 1)}
            </button>
            {seat.outcome !== null && <Badge tone={OUTCOMES[seat.outcome]}>{seat.outcome}</Badge>}
          </span>
        ),
    });
  }
  return <DataTable label="Standings" columns={columns} rows={rows} rowKey={({ id }) => id} isStale={isStale} empty={empty} />;
}
