import type { Metadata } from "next";
import { DefinitionList } from "../../../../_lists/definition-list.tsx";
import { listInput, viewFrom } from "../../../../_lists/list-view.ts";
import { Prefetch } from "../../../../_client/server.tsx";
import { KIND_MODULES } from "../../../../authoring/kinds/index.ts";
import { kindFrom, type KindProps } from "./kind-from.ts";

export async function generateMetadata({ params }: KindProps): Promise<Metadata> {
  const { kind } = await kindFrom(params);
  return { title: KIND_MODULES[kind].many };
}

/** Lists the definitions of a kind, with its first rows in the page. */
export default async function DefinitionsPage({ params, searchParams }: KindProps) {
  const { scope, kind } = await kindFrom(params);
  const view = viewFrom(await searchParams);
  return (
    <Prefetch find={(orpc) => [orpc.definitions.list.queryOptions({ input: listInput(scope, kind, view, null) })]}>
      <DefinitionList key={kind} kind={kind} initialView={view} />
    </Prefetch>
  );
}
