import type { Metadata } from "next";
import type { Kind } from "../../../../../../server/definitions/contract.ts";
import { parseJson, writeJson } from "../../../../../../server/kernel/json.ts";
import type { Scope } from "../../../../../_client/scope.ts";
import { orLeave, Prefetch, serverRpc } from "../../../../../_client/server.tsx";
import { copyOf, nextKey } from "../../../../../authoring/document/copy.ts";
import type { Draft } from "../../../../../authoring/document/draft.ts";
import { FormOfKind } from "../../../../../authoring/forms/index.tsx";
import { KIND_MODULES, namedIn } from "../../../../../authoring/kinds/index.ts";
import { kindFrom, type KindProps } from "../kind-from.ts";

export async function generateMetadata({ params }: KindProps): Promise<Metadata> {
  const { kind } = await kindFrom(params);
  return { title: `New ${KIND_MODULES[kind].one}` };
}

/** Makes a new definition, from nothing or from another (`?from=<key>`). */
export default async function NewDefinitionPage({ params, searchParams }: KindProps) {
  const { scope, kind } = await kindFrom(params);
  const { from } = await searchParams;
  const copied = typeof from === "string" ? await copyFrom(scope, kind, from) : null;
  return (
    <Prefetch find={(orpc) => [orpc.definitions.catalogue.queryOptions({ input: scope })]}>
      <FormOfKind key={`${kind} ${copied ?? ""}`} kind={kind} known={null} copied={copied} />
    </Prefetch>
  );
}

/** What a copy of a definition begins with, as JSON text: the same under the next key that is free. */
async function copyFrom(scope: Scope, kind: Kind, key: string): Promise<string> {
  const rpc = await serverRpc();
  const [{ document }, catalogue] = await orLeave(
    Promise.all([rpc.definitions.get({ ...scope, kind, key }), rpc.definitions.catalogue(scope)]),
  );
  if (KIND_MODULES[kind].isKeyless) return document;
  const taken = new Set(namedIn(catalogue, kind).map((one) => one.key));
  const free = nextKey(key, (next) => taken.has(next));
  return writeJson(copyOf(parseJson(document) as Draft, free));
}
