import type { Metadata } from "next";
import type { EnvironmentKind } from "../../../../../../server/kernel/environment.ts";
import { Prefetch } from "../../../../../_client/server.tsx";
import { pageInput } from "../../../../../_players/player-input.ts";
import { PlayerScreen } from "../../../../../_players/player-screen.tsx";

interface Props {
  params: Promise<{ project: string; environment: string; externalId: string }>;
}

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => ({
  title: `${decodeURIComponent((await params).externalId)} · Players`,
});

export default async function PlayerPage({ params }: Props) {
  const { project, environment, externalId: written } = await params;
  const externalId = decodeURIComponent(written);
  const scope = { project, environment: environment as EnvironmentKind };
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
