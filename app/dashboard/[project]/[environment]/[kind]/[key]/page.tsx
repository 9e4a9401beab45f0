import type { Metadata } from "next";
import type { ScopeParams } from "../../../../../_client/scope.ts";
import { orLeave, Prefetch, serverRpc } from "../../../../../_client/server.tsx";
import { FormOfKind } from "../../../../../authoring/forms/index.tsx";
import { KIND_MODULES } from "../../../../../authoring/kinds/index.ts";
import { kindFrom } from "../kind-from.ts";

interface Props {
  params: Promise<ScopeParams & { kind: string; key: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { kind } = await kindFrom(params);
  return { title: `${decodeURIComponent((await params).key)} · ${KIND_MODULES[kind].many}` };
}

/** Shows one definition in its form. */
export default async function DefinitionPage({ params }: Props) {
  const { scope, kind } = await kindFrom(params);
  const { key } = await params;
  const rpc = await serverRpc();
  const known = await orLeave(rpc.definitions.get({ ...scope, kind, key: decodeURIComponent(key) }));
  return (
    <Prefetch find={(orpc) => [orpc.definitions.catalogue.queryOptions({ input: scope })]}>
      <FormOfKind key={`${kind} ${known.key}`} kind={kind} known={known} />
    </Prefetch>
  );
}
