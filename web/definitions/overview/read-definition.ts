import type { Answers } from "../../client/service.tsx";
import { ORPCError } from "@orpc/client";
import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import type { EnvironmentKind } from "#server/model/kernel/environment.ts";
import { type EnvironmentPageProps, type Scope, scopeFrom, uuid } from "../../client/address.ts";
import { orLeave, serverRpc } from "../../client/server.tsx";
import { catalogueOf } from "../catalogue.ts";
import { definitionPath, KIND_SCREENS, kindAt, titleOfKey } from "../kinds/index.ts";
import { objectiveSentences } from "../kinds/summaries.ts";

export type Definition = Answers["definitions"]["get"];

export type KindProps = EnvironmentPageProps<{ kind: string }>;
export type DefinitionProps = EnvironmentPageProps<{ kind: string; key: string }>;

/** The kind and scope in the address. Unknown kinds are 404: pages check before they stream, so the status is right. */
export async function kindFrom(params: KindProps["params"]): Promise<{ scope: Scope; kind: Kind }> {
  const kind = kindAt((await params).kind);
  return kind === null ? notFound() : { scope: await scopeFrom(params), kind };
}

interface Which {
  scope: Scope;
  kind: Kind;
  key: string;
}

/** The definition in the address, whether or not it exists. */
export const definitionFrom = async (params: DefinitionProps["params"]): Promise<Which> => ({
  ...(await kindFrom(params)),
  key: decodeURIComponent((await params).key),
});

/** Cached for title and page. */
const read = cache(async (project: string, environment: EnvironmentKind, kind: Kind, key: string) =>
  (await serverRpc()).definitions.get({ project, environment, kind, key }),
);

/** A definition; null if there is none or it was deleted. */
export const findDefinition = ({ scope: { project, environment }, kind, key }: Which): Promise<Definition | null> =>
  orLeave(
    read(project, environment, kind, key).catch((error: unknown) => {
      if (error instanceof ORPCError && error.code === "NOT_FOUND") return null;
      throw error;
    }),
  );

/** A definition; for a deleted one redirects to its history. */
export async function readDefinition(which: Which): Promise<Definition> {
  const found = await findDefinition(which);
  if (found !== null) return found;
  await orLeave((await serverRpc()).definitions.history({ ...which.scope, kind: which.kind, key: which.key, limit: 1 }));
  redirect(`/dashboard/${which.scope.project}/${which.scope.environment}${definitionPath(which.kind, which.key)}/history`);
}

/** A mission's objectives as sentences. Only the server makes them: in the browser the rules would load zod. */
export const readObjectiveSentences = async (scope: Scope, { document }: Definition): Promise<string[]> =>
  objectiveSentences(document, catalogueOf(await orLeave((await serverRpc()).definitions.catalogue(scope))));

/** The browser's title of a definition's page, from its name and its kind's. The page itself decides between 200 and 404. */
export const definitionMetadata = (title: (name: string, many: string) => string) =>
  async function generateMetadata({ params }: DefinitionProps): Promise<Metadata> {
    const { scope, kind, key } = await definitionFrom(params);
    const known = await read(scope.project, scope.environment, kind, key).catch(() => null);
    return { title: title(known?.name || key, KIND_SCREENS[kind].many) };
  };

/** Its title on the page. */
export const titleOf = ({ name, key }: { name: string; key: string }, kind: Kind, timeZone: string): string =>
  name === "" || name === key ? titleOfKey(kind, key, timeZone) : name;

/** The waiting change request in the address (`?request=<id>`), with the definition as it would leave it; null if there is none. */
export async function requestFrom({ scope, kind, key }: Which, asked: string | string[] | undefined) {
  const id = typeof asked === "string" ? uuid(asked) : null;
  if (id === null) return null;
  return { id, ...(await orLeave((await serverRpc()).changeRequests.document({ ...scope, id, kind, key }))) };
}
