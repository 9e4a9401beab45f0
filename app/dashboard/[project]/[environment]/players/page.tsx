import type { Metadata } from "next";
import { type ScopeParams, scopeFrom } from "#web/client/scope.ts";
import { Prefetch } from "#web/client/server.tsx";
import { PlayerList } from "#web/players/player-list.tsx";
import { playersInput, searchFrom } from "#web/players/players-input.ts";

export const metadata: Metadata = { title: "Players" };

interface Props {
  params: Promise<ScopeParams>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function PlayersPage({ params, searchParams }: Props) {
  const search = searchFrom(await searchParams);
  const scope = await scopeFrom(params);
  return (
    <Prefetch find={(orpc) => [orpc.players.list.queryOptions({ input: playersInput(scope, search, null) })]}>
      <PlayerList initialSearch={search} />
    </Prefetch>
  );
}
