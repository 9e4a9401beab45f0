import { notFound } from "next/navigation";
import { periodsInput } from "#web/boards/board-view.ts";
import { StandingsScreen } from "#web/boards/standings-screen.tsx";
import { Prefetch } from "#web/client/server.tsx";
import { DefinitionFrame } from "#web/definitions/overview/frame.tsx";
import { definitionFrom, type DefinitionProps, definitionMetadata, readDefinition } from "#web/definitions/overview/read-definition.ts";

export const generateMetadata = definitionMetadata((name) => `Standings of ${name}`);

/** Shows the standings of a leaderboard; no other kind has them. */
export default async function StandingsPage({ params }: DefinitionProps) {
  const { scope, kind, key } = await definitionFrom(params);
  if (kind !== "leaderboards") notFound();
  const known = await readDefinition({ scope, kind, key });
  return (
    <DefinitionFrame kind={kind} known={known} scope={scope}>
      <Prefetch find={(orpc) => [orpc.leaderboards.periods.queryOptions({ input: periodsInput(scope, key) })]}>
        <StandingsScreen boardKey={key} />
      </Prefetch>
    </DefinitionFrame>
  );
}
