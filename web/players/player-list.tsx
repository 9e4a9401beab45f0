"use client";

import { dateOf, longDate } from "../../server/model/kernel/dates.ts";
import { UserRound } from "lucide-react";
import { type Answers, orpc, useWhere } from "../client/service.tsx";
import { ExportMenu } from "../client/export-menu.tsx";
import { useAddress } from "../client/use-address.ts";
import { Button, LinkButton } from "../components/button.tsx";
import { ListCard, rowNumbers, useListed } from "../components/list-card.tsx";
import { Page } from "../components/page.tsx";
import { relativeDay } from "../components/relative.ts";
import { type Column, column, instantColumn } from "../components/table.tsx";
import { SearchInput, TableToolbar } from "../components/table-toolbar.tsx";
import { PLAYER_COLUMNS } from "./player-columns.tsx";
import { PAGE_SIZE, PLAYERS, playersInput } from "./inputs.ts";

type Listed = Answers["players"]["list"]["players"][number];

/** An environment's players, newest first, or those matching a prefix of id or name. */
export function PlayerList() {
  const { scope, href, can, now, timeZone } = useWhere();
  const [{ q }, show] = useAddress(PLAYERS);
  const list = useListed((cursor) => orpc.players.list.queryOptions({ input: playersInput(scope, q, cursor) }));
  const { data, pages } = list;
  const search = q?.trim() ?? "";
  const today = dateOf(now, timeZone);
  const columns: Column<Listed>[] = [
    ...PLAYER_COLUMNS,
    column(
      "Last active",
      ({ lastActiveOn }) =>
        lastActiveOn === null ? (
          <span className="text-quiet">–</span>
        ) : (
          <span data-hint={longDate(lastActiveOn)} className="relative text-quiet">
            {relativeDay(lastActiveOn, today)}
          </span>
        ),
      "w-40 max-md:hidden",
    ),
    instantColumn("First seen", ({ createdAt }) => createdAt, { className: "w-40 max-sm:hidden", onClock: true, isQuiet: true }),
  ];
  const isEmpty = data !== undefined && data.players.length === 0 && search === "" && pages.number === 1;
  return (
    <Page
      title="Players"
      description="Players are created with their first event, with POST /v1/players, or by an import."
      actions={
        <>
          <ExportMenu lists={EXPORTED} />
          {can("Editor") && <LinkButton href={href("/import")}>Import data</LinkButton>}
        </>
      }
    >
      <ListCard
        label="Players"
        isFiltered={search !== ""}
        filters={
          <TableToolbar>
            <SearchInput value={q ?? ""} onValueChange={(text) => show({ q: text })} label="Search by ID or name" />
          </TableToolbar>
        }
        columns={columns}
        list={list}
        rows={data?.players}
        rowKey={({ externalId }) => externalId}
        href={({ externalId }) => href(`/players/${encodeURIComponent(externalId)}`)}
        empty={
          isEmpty
            ? {
                icon: <UserRound />,
                title: "No players yet",
                words: "Players appear here with their first event, or when you import them.",
                action: <LinkButton href={href("/developers/quickstart")}>Send your first event</LinkButton>,
              }
            : {
                title: "No players found",
                words: `No ID or name starts with “${search}”. IDs are case-sensitive, names are not.`,
                action: <Button onClick={() => show({ q: null })}>Show the newest</Button>,
              }
        }
        summary={data && !isEmpty ? summaryOf(data, search, pages.number) : undefined}
      />
    </Page>
  );
}

const EXPORTED = [
  { list: "players", label: "Players" },
  { list: "transactions", label: "Points history" },
  { list: "purchases", label: "Purchases" },
];

function summaryOf({ players, isCut }: { players: Listed[]; isCut: boolean }, search: string, page: number): string {
  if (search === "") return players.length === 0 ? "No more players" : `${rowNumbers(page, PAGE_SIZE, players)}, newest first`;
  return isCut ? `The first ${players.length}: type more to narrow it down` : `${players.length} found`;
}
