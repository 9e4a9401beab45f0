"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { UserRound } from "lucide-react";
import { useState } from "react";
import type { DashboardClient } from "../../server/api/dashboard.ts";
import { longDate } from "../analytics/dates.ts";
import { ExportMenu } from "../client/export-menu.tsx";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { Button, LinkButton } from "../components/button.tsx";
import { formatted } from "../../server/model/kernel/thousands.ts";
import { Page } from "../components/page.tsx";
import { ReadFailed } from "../components/problems.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { Pager, usePages } from "../components/pager.tsx";
import { instantColumn } from "../components/instant-column.tsx";
import { type Column, DataTable } from "../components/table.tsx";
import { SearchInput, TableToolbar } from "../components/table-toolbar.tsx";
import { PLAYER_COLUMNS } from "./player-columns.tsx";
import { PAGE_SIZE, playersInput } from "./players-input.ts";

type Listed = Awaited<ReturnType<DashboardClient["players"]["list"]>>["players"][number];

/** An environment's players, newest first, or those matching a prefix of id or name. */
export function PlayerList({ initialSearch }: { initialSearch: string }) {
  const { scope, href, can } = useWhere();
  const [search, setSearch] = useState(initialSearch);
  const pages = usePages();
  const show = (next: string) => {
    setSearch(next);
    pages.toFirst();
    history.replaceState(null, "", next === "" ? location.pathname : `${location.pathname}?${new URLSearchParams({ q: next })}`);
  };
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...orpc.players.list.queryOptions({ input: playersInput(scope, search, pages.cursor) }),
    placeholderData: keepPreviousData,
  });
  const columns: Column<Listed>[] = [
    ...PLAYER_COLUMNS,
    {
      id: "active",
      header: "Last active",
      className: "w-40 max-md:hidden",
      cell: ({ lastActiveOn }) => <span className="text-quiet">{lastActiveOn === null ? "–" : longDate(lastActiveOn)}</span>,
    },
    instantColumn("First seen", ({ createdAt }) => createdAt, { className: "w-40 max-sm:hidden", onClock: true, isQuiet: true }),
  ];
  const isEmpty = data !== undefined && data.players.length === 0 && search.trim() === "" && pages.number === 1;
  return (
    <Page
      title="Players"
      description="Players are created with their first event, with POST /v1/players, or by an import."
      actions={
        <>
          <ExportMenu lists={EXPORTED} />
          {can("Editor") && (
            <LinkButton href={href("/import")} prefetch={false}>
              Import data
            </LinkButton>
          )}
        </>
      }
    >
      <ReadFailed title="Players could not be loaded" error={error} onRetry={refetch} />
      {data && (
        <Card padded={false}>
          {isEmpty ? (
            <EmptyState
              icon={<UserRound aria-hidden />}
              title="No players yet"
              action={<LinkButton href={href("/developers/quickstart")}>Send a first event</LinkButton>}
            >
              Players appear here with their first event, or when you import them.
            </EmptyState>
          ) : (
            <>
              <TableToolbar>
                <SearchInput value={search} onValueChange={show} label="Search by ID or name" />
              </TableToolbar>
              <DataTable
                label="Players"
                columns={columns}
                rows={data.players}
                rowKey={({ externalId }) => externalId}
                href={({ externalId }) => href(`/players/${encodeURIComponent(externalId)}`)}
                isStale={isPlaceholderData}
                empty={
                  <EmptyState title="No players found" action={<Button onClick={() => show("")}>Show the newest</Button>}>
                    No ID or name starts with “{search.trim()}”. IDs are case-sensitive, names are not.
                  </EmptyState>
                }
              />
              <Pager summary={summaryOf(data, search, pages.number)} pages={pages} next={data.next} />
            </>
          )}
        </Card>
      )}
    </Page>
  );
}

const EXPORTED = [
  { list: "players", label: "Players" },
  { list: "transactions", label: "Points history" },
  { list: "purchases", label: "Purchases" },
];

function summaryOf({ players, isCut }: { players: Listed[]; isCut: boolean }, search: string, page: number): string {
  if (search.trim() === "")
    return players.length === 0
      ? "No more players"
      : `${formatted((page - 1) * PAGE_SIZE + 1)}–${formatted((page - 1) * PAGE_SIZE + players.length)}, newest first`;
  return isCut ? `The first ${players.length}: type more to narrow it down` : `${players.length} found`;
}
