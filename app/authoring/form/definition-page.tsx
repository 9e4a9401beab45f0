import type { Metadata } from "next";
import { type ComponentType, createElement } from "react";
import { Prefetch, orLeave, serverRpc } from "../../_client/server.tsx";
import { KIND_WORDS } from "../../_client/kinds.tsx";
import type { Kind } from "../../../server/definitions/contract.ts";
import type { EnvironmentKind } from "../../../server/kernel/environment.ts";
import { parseJson, writeJson } from "../../../server/kernel/json.ts";
import { copyOf, nextKey } from "../document/blank.ts";
import type { Draft } from "../document/draft.ts";
import type { Begin } from "./use-definition-form.ts";

interface NewProps {
  params: Promise<{ project: string; environment: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}
interface EditProps {
  params: Promise<{ project: string; environment: string; key: string }>;
}

/** The page that makes a new definition of a kind, from nothing or from another (`?from=<key>`). */
export function newDefinitionPage(kind: Kind, Form: ComponentType<Begin>) {
  return async function NewDefinitionPage({ params, searchParams }: NewProps) {
    const { project, environment } = await params;
    const { from } = await searchParams;
    const scope = { project, environment: environment as EnvironmentKind };
    const copied = typeof from === "string" ? await copyFrom({ ...scope, kind, key: from }) : null;
    return (
      <Prefetch find={(orpc) => [orpc.definitions.catalogue.queryOptions({ input: scope })]}>
        {createElement(Form, { key: copied ?? "", known: null, copied })}
      </Prefetch>
    );
  };
}

/** What a copy of a definition begins with, as JSON text: the same under the next key that is free. */
async function copyFrom(source: { project: string; environment: EnvironmentKind; kind: Kind; key: string }): Promise<string> {
  const { kind, key, ...scope } = source;
  const rpc = await serverRpc();
  const [{ document }, catalogue] = await orLeave(Promise.all([rpc.definitions.get(source), rpc.definitions.catalogue(scope)]));
  // A rate is called by its currency, a valuation by its day: there is no next one to propose.
  if (kind === "exchangeRates" || kind === "pointsValuations") return document;
  const taken = new Set(catalogue[kind].map((one) => one.key));
  return writeJson(
    copyOf(
      parseJson(document) as Draft,
      nextKey(key, (next) => taken.has(next)),
    ),
  );
}

/** The page of one definition of a kind. */
export function editDefinitionPage(kind: Kind, Form: ComponentType<Begin>) {
  return async function EditDefinitionPage({ params }: EditProps) {
    const { project, environment, key } = await params;
    const scope = { project, environment: environment as EnvironmentKind };
    const rpc = await serverRpc();
    const known = await orLeave(rpc.definitions.get({ ...scope, kind, key: decodeURIComponent(key) }));
    return (
      <Prefetch find={(orpc) => [orpc.definitions.catalogue.queryOptions({ input: scope })]}>
        {createElement(Form, { key: known.key, known })}
      </Prefetch>
    );
  };
}

export const newMetadata = (kind: Kind): Metadata => ({ title: `New ${KIND_WORDS[kind].one}` });

export const editMetadata =
  (kind: Kind) =>
  async ({ params }: EditProps): Promise<Metadata> => ({ title: `${decodeURIComponent((await params).key)} · ${KIND_WORDS[kind].many}` });
