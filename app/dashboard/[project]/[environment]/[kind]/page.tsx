import type { Metadata } from "next";
import { DefinitionList } from "#web/definitions/list/definition-list.tsx";
import { LIST, definitionsInput } from "#web/definitions/list/list-view.ts";
import { Prefetch } from "#web/client/server.tsx";
import { KIND_SCREENS } from "#web/definitions/kinds/index.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { kindFrom, type KindProps } from "#web/definitions/overview/read-definition.ts";

export async function generateMetadata({ params }: KindProps): Promise<Metadata> {
  const { kind } = await kindFrom(params);
  return { title: KIND_SCREENS[kind].many };
}

/** Kinds whose rows name an event, metric or attribute. */
const NAMES_SOURCES: readonly Kind[] = ["streaks", "leaderboards"];

/** Lists the definitions of a kind, with its first rows in the page. */
export default async function DefinitionsPage({ params, searchParams }: KindProps) {
  const { scope, kind } = await kindFrom(params);
  const view = LIST.from(await searchParams);
  return (
    <Prefetch
      find={(orpc) => [
        orpc.definitions.list.queryOptions({ input: definitionsInput(scope, kind, view, null) }),
        ...(NAMES_SOURCES.includes(kind) ? [orpc.definitions.catalogue.queryOptions({ input: scope })] : []),
      ]}
    >
      <DefinitionList key={kind} kind={kind} />
    </Prefetch>
  );
}
