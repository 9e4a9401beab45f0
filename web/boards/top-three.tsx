"use client";

import { longDate } from "../../server/model/kernel/dates.ts";
import { useQueries } from "@tanstack/react-query";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type BoardPeriod, type BoardRow, orpc, useRead, useWhere } from "../client/service.tsx";
import { PlayerLink } from "../client/links.tsx";
import { MoreLink } from "../components/button.tsx";
import { lengthInWords } from "../components/relative.ts";
import { Loaded } from "../components/problems.tsx";
import { Card, Skeleton } from "../components/surface.tsx";
import { definitionPath } from "../definitions/kinds/index.ts";
import { valueInWords } from "../players/values.ts";
import { formatted, plural } from "../../server/model/kernel/thousands.ts";

const TOP = 3;

/** More than the rows that a search shows above its result. */
const AROUND = 20;

/** The leaders of a board's current period, how far they moved since the last one, and the time left. */
export function TopThree({ boardKey }: { boardKey: string }) {
  const { scope, href, now, timeZone } = useWhere();
  const board = useRead(orpc.leaderboards.periods, { key: boardKey, limit: 10 });
  const periods = board.data?.periods ?? [];
  const current = periods.find(({ state }) => state === "Current");
  const last = periods.find(({ state }) => state === "Settled");
  const standings = useRead(
    orpc.leaderboards.standings,
    { key: boardKey, start: current?.start ?? "", limit: TOP },
    { enabled: current !== undefined },
  );
  const rows = standings.data?.rows ?? [];
  const before = useQueries({
    queries: rows.map((row) => ({
      ...orpc.leaderboards.standings.queryOptions({
        input: { ...scope, key: boardKey, start: last?.start ?? "", around: nameOf(row), limit: AROUND },
      }),
      enabled: last !== undefined && nameOf(row) !== null,
    })),
  });
  if (board.data === undefined) return <Skeleton className="h-36 rounded-xl" />;
  if (current === undefined) return null;
  return (
    <Card
      title={current.start === "" ? "Leaders" : `Leaders since ${longDate(current.start)}`}
      description={timeLeft(current, now)}
      padded={false}
      actions={<MoreLink href={href(`${definitionPath("leaderboards", boardKey)}/standings`)}>Standings</MoreLink>}
    >
      <Loaded of={standings} what="The leaders" isInset className="h-16">
        {() =>
          rows.length === 0 ? (
            <p className="px-4 py-3 text-quiet">No scores yet.</p>
          ) : (
            <ol aria-label="Leaders" className="divide-y divide-line">
              {rows.map((row, at) => {
                const was = before[at]?.data?.rows.find(({ id }) => id === row.id)?.rank;
                return (
                  <li key={row.id} className="flex items-center gap-3 px-4 py-2">
                    <span className="w-6 text-right text-quiet tabular-nums">{row.rank}</span>
                    <span dir="auto" title={labelOf(row)} className="min-w-0 flex-1 truncate text-left font-medium">
                      {row.player === null ? (
                        (row.team?.name ?? <span className="text-faint">Erased</span>)
                      ) : (
                        <PlayerLink of={row.player.externalId} tab="boards">
                          {labelOf(row)}
                        </PlayerLink>
                      )}
                    </span>
                    {was !== undefined && <Moved places={was - row.rank} />}
                    <span className="tabular-nums">{valueInWords(row.score, timeZone)}</span>
                  </li>
                );
              })}
            </ol>
          )
        }
      </Loaded>
    </Card>
  );
}

const labelOf = ({ player, team }: BoardRow): string | undefined => player?.displayName ?? player?.externalId ?? team?.name;

const nameOf = ({ player, team }: BoardRow): string | null => team?.name ?? player?.externalId ?? null;

function timeLeft({ endsAt, participants }: BoardPeriod, now: string): string {
  const ranked = `${formatted(participants)} ranked`;
  const left = endsAt === null ? 0 : Date.parse(endsAt) - Date.parse(now);
  return left > 0 ? `${lengthInWords(left)} left · ${ranked}` : ranked;
}

/** How many places up or down since the last period. */
function Moved({ places }: { places: number }) {
  if (places === 0) return <span className="text-xs text-faint">same place</span>;
  const Icon = places > 0 ? ArrowUp : ArrowDown;
  return (
    <span className="flex items-center gap-0.5 text-xs text-quiet" title="Since the last period">
      <Icon className="size-3" />
      <span className="sr-only">{places > 0 ? "Up" : "Down"} </span>
      {plural(Math.abs(places), "place")}
    </span>
  );
}
