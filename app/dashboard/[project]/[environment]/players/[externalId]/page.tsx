import type { Metadata } from "next";
import { type ScopeParams, scopeFrom } from "../../../../../_client/scope.ts";
import { Prefetch, serverRpc } from "../../../../../_client/server.tsx";
import { pageInput } from "../../../../../_players/player-input.ts";
import { PlayerScreen } from "../../../../../_players/player-screen.tsx";

interface Props {
  params: Promise<ScopeParams & { externalId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const externalId = decodeURIComponent((await params).externalId);
  const scope = await scopeFrom(params);
  const rpc = await serverRpc();
  // The exact id is found first. Whether the page is there at all is for the page to say.
  const found = await rpc.players.search({ ...scope, query: externalId, limit: 1 }).catch(() => null);
  const player = found?.players.find((one) => one.externalId === externalId);
  return { title: `${player?.displayName ?? externalId} · Players` };
}

export default async function PlayerPage({ params }: Props) {
  const externalId = decodeURIComponent((await params).externalId);
  const scope = await scopeFrom(params);
  return (
    <Prefetch
      decide={(orpc) => [orpc.players.get.queryOptions({ input: { ...scope, externalId } })]}
      find={(orpc) => [
        orpc.players.completions.queryOptions({ input: pageInput(scope, externalId, null) }),
        orpc.players.standings.queryOptions({ input: { ...scope, externalId } }),
        orpc.marketplace.purchases.queryOptions({ input: pageInput(scope, externalId, null) }),
        orpc.definitions.catalogue.queryOptions({ input: scope }),
      ]}
    >
      <PlayerScreen externalId={externalId} />
    </Prefetch>
  );
}
