import type { Metadata } from "next";
import { AUTHORING_EXAMPLES, examplesOf } from "#server/model/rules/authoring-examples.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { parseJson, writeJson } from "#server/model/kernel/json.ts";
import type { Scope } from "#web/client/address.ts";
import { orLeave, Prefetch, serverRpc } from "#web/client/server.tsx";
import { documentOfExample, filledIn } from "#web/definitions/examples/choices.ts";
import { ExampleGallery } from "#web/definitions/examples/gallery.tsx";
import { type AlongDocument, AlongProvider } from "#web/definitions/along.tsx";
import { copyOf, type Draft, nextKey } from "#web/definitions/document/draft.ts";
import { FormOfKind } from "#web/definitions/kinds/forms/index.tsx";
import { entriesOf, KIND_SCREENS } from "#web/definitions/kinds/index.ts";
import { kindFrom, type KindProps, requestFrom } from "#web/definitions/overview/read-definition.ts";

export async function generateMetadata({ params }: KindProps): Promise<Metadata> {
  const { kind } = await kindFrom(params);
  return { title: `New ${KIND_SCREENS[kind].one}` };
}

/**
 * Makes a new definition: from nothing, from another (`?from=<key>`), or from an example (`?examples` shows them, `?example=<key>` takes
 * one).
 */
export default async function NewDefinitionPage({ params, searchParams }: KindProps) {
  const { scope, kind } = await kindFrom(params);
  const { from, examples, request: id, of, ...asked } = await searchParams;
  const request = typeof of === "string" ? await requestFrom({ scope, kind, key: of }, id) : null;
  if (examples !== undefined && examplesOf(kind).length > 0) return <ExampleGallery scope={scope} kind={kind} />;
  const begun =
    typeof from === "string" ? { document: await copyFrom(scope, kind, from), along: [] } : await exampleFrom(scope, kind, asked);
  const copied = begun?.document ?? null;
  return (
    <Prefetch find={(orpc) => [orpc.definitions.catalogue.queryOptions({ input: scope })]}>
      <AlongProvider value={begun?.along ?? NOTHING}>
        <FormOfKind key={`${kind} ${copied ?? request?.revision ?? ""}`} kind={kind} known={null} copied={copied} request={request} />
      </AlongProvider>
    </Prefetch>
  );
}

const NOTHING: AlongDocument[] = [];

/** The example named by the address, with a free key and its defaults written out; null if it names none. */
async function exampleFrom(scope: Scope, kind: Kind, asked: Record<string, string | string[] | undefined>) {
  const example = AUTHORING_EXAMPLES.find((one) => one.kind === kind && one.key === asked.example);
  if (example === undefined) return null;
  const catalogue = await orLeave((await serverRpc()).definitions.catalogue(scope));
  const { definition, along } = filledIn(example, asked, catalogue);
  const isTaken = (key: string) => entriesOf(catalogue, kind).some((one) => one.key === key);
  const key = isTaken(definition.key) ? nextKey(definition.key, isTaken) : definition.key;
  return { document: documentOfExample(example.kind, { ...definition, key }, catalogue.defaultLanguage), along };
}

/** The initial document of a copy, as JSON text: the same definition under the next free key. */
async function copyFrom(scope: Scope, kind: Kind, key: string): Promise<string> {
  const rpc = await serverRpc();
  const [{ document }, catalogue] = await orLeave(
    Promise.all([rpc.definitions.get({ ...scope, kind, key }), rpc.definitions.catalogue(scope)]),
  );
  if (KIND_SCREENS[kind].isKeyless) return document;
  const taken = new Set(entriesOf(catalogue, kind).map((one) => one.key));
  const free = nextKey(key, (next) => taken.has(next));
  return writeJson(copyOf(parseJson(document) as Draft, free));
}
