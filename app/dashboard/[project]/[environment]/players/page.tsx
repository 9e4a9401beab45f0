import type { Metadata } from "next";
import type { EnvironmentKind } from "../../../../../server/kernel/environment.ts";
import { Prefetch } from "../../../../_client/server.tsx";
import { PlayerList } from "../../../../_players/player-list.tsx";
import { playersInput, searchFrom } from "../../../../_players/players-input.ts";

export const metadata: Metadata = { title: "Players" };

interface Props {
  params: Promise<{ project: string; environment: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function PlayersPage({ params, searchParams }: Props) {
  const { project, environment } = await params;
  const search = searchFrom(await searchParams);
  const scope = { project, environment: environment as EnvironmentKind };
  return (
    <Prefetch find={(orpc) => [orpc.players.list.queryOptions({ input: playersInput(scope, search, null) })]}>
      <PlayerList initialSearch={search} />
    </Prefetch>
  );
}
