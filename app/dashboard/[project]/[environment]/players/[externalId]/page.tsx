import type { Metadata } from "next";
import { type EnvironmentPageProps, scopeFrom } from "#web/client/address.ts";
import { Prefetch, serverRpc } from "#web/client/server.tsx";
import { pageInput, tabFrom, timelineInput } from "#web/players/inputs.ts";
import { PlayerScreen } from "#web/players/player-screen.tsx";

type Props = EnvironmentPageProps<{ externalId: string }>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const externalId = decodeURIComponent((await params).externalId);
  const scope = await scopeFrom(params);
  const rpc = await serverRpc();
  // An exact id match comes first. The page itself decides between 200 and 404.
  const found = await rpc.players.search({ ...scope, query: externalId, limit: 1 }).catch(() => null);
  const player = found?.players.find((one) => one.externalId === externalId);
  return { title: `${player?.displayName ?? externalId} · Players` };
}

export default async function PlayerPage({ params, searchParams }: Props) {
  const externalId = decodeURIComponent((await params).externalId);
  const scope = await scopeFrom(params);
  const tab = tabFrom((await searchParams)["tab"]);
  const player = { ...scope, externalId };
  return (
    <Prefetch
      decide={(orpc) => [orpc.players.get.queryOptions({ input: player })]}
      find={(orpc) => [
        orpc.definitions.catalogue.queryOptions({ input: scope }),
        ...(tab === "timeline" ? [orpc.players.timeline.queryOptions({ input: timelineInput(scope, externalId, [], null) })] : []),
        ...(tab === "points" ? [orpc.players.timeline.queryOptions({ input: timelineInput(scope, externalId, ["Points"], null) })] : []),
        ...(tab === "events" ? [orpc.players.timeline.queryOptions({ input: timelineInput(scope, externalId, ["Events"], null) })] : []),
        ...(tab === "missions" ? [orpc.players.completions.queryOptions({ input: pageInput(scope, externalId, null) })] : []),
        ...(tab === "missions" || tab === "attributes" ? [orpc.simulation.standing.queryOptions({ input: player })] : []),
        ...(tab === "boards" ? [orpc.players.standings.queryOptions({ input: player })] : []),
        ...(tab === "purchases" ? [orpc.marketplace.purchases.queryOptions({ input: pageInput(scope, externalId, null) })] : []),
      ]}
    >
      <PlayerScreen externalId={externalId} />
    </Prefetch>
  );
}
