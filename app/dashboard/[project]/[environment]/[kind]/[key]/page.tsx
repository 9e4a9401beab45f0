import type { Metadata } from "next";
import { cache } from "react";
import type { Kind } from "../../../../../../server/definitions/contract.ts";
import type { EnvironmentKind } from "../../../../../../server/kernel/environment.ts";
import type { ScopeParams } from "../../../../../_client/scope.ts";
import { orLeave, Prefetch, serverRpc } from "../../../../../_client/server.tsx";
import { SegmentPlayers } from "../../../../../_segments/segment-players.tsx";
import { FormOfKind } from "../../../../../authoring/forms/index.tsx";
import { KIND_MODULES } from "../../../../../authoring/kinds/index.ts";
import { kindFrom } from "../kind-from.ts";

interface Props {
  params: Promise<ScopeParams & { kind: string; key: string }>;
}

/** Read once for the title and the page. */
const definition = cache(async (project: string, environment: EnvironmentKind, kind: Kind, key: string) =>
  (await serverRpc()).definitions.get({ project, environment, kind, key }),
);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { scope, kind } = await kindFrom(params);
  const key = decodeURIComponent((await params).key);
  // Whether the page is there at all is for the page to say.
  const known = await definition(scope.project, scope.environment, kind, key).catch(() => null);
  return { title: `${known?.name || key} · ${KIND_MODULES[kind].many}` };
}

/** Shows one definition in its form. */
export default async function DefinitionPage({ params }: Props) {
  const { scope, kind } = await kindFrom(params);
  const key = decodeURIComponent((await params).key);
  const known = await orLeave(definition(scope.project, scope.environment, kind, key));
  return (
    <Prefetch find={(orpc) => [orpc.definitions.catalogue.queryOptions({ input: scope })]}>
      <FormOfKind key={`${kind} ${known.key}`} kind={kind} known={known} />
      {kind === "segments" && (
        <div className="mx-auto w-full max-w-7xl px-4 pb-16 sm:px-6 lg:px-8">
          <SegmentPlayers segmentKey={known.key} document={known.document} isActive={known.active} />
        </div>
      )}
    </Prefetch>
  );
}
