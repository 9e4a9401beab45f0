import { ORPCError } from "@orpc/client";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import type { EnvironmentKind } from "#server/model/kernel/environment.ts";
import type { ScopeParams } from "../../client/scope.ts";
import { orLeave, serverRpc } from "../../client/server.tsx";
import { definitionPath, titleOfKey } from "../kinds/index.ts";

export type Definition = Awaited<ReturnType<Awaited<ReturnType<typeof serverRpc>>["definitions"]["get"]>>;

export interface DefinitionProps {
  params: Promise<ScopeParams & { kind: string; key: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

interface Which {
  project: string;
  environment: EnvironmentKind;
  kind: Kind;
  key: string;
}

/** Cached for title and page. */
const read = cache(async (project: string, environment: EnvironmentKind, kind: Kind, key: string) =>
  (await serverRpc()).definitions.get({ project, environment, kind, key }),
);

/** A definition; null where there is none or it was deleted. */
export const findDefinition = ({ project, environment, kind, key }: Which): Promise<Definition | null> =>
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
  await orLeave((await serverRpc()).definitions.history({ ...which, limit: 1 }));
  redirect(`/dashboard/${which.project}/${which.environment}${definitionPath(which.kind, which.key)}/history`);
}

/** The browser's title. The page itself decides between 200 and 404. */
export async function nameOfDefinition({ project, environment, kind, key }: Which): Promise<string> {
  const known = await read(project, environment, kind, key).catch(() => null);
  return known?.name || key;
}

/** What it is called on the page. */
export const titleOf = ({ name, key }: { name: string; key: string }, kind: Kind, timeZone: string): string =>
  name === "" || name === key ? titleOfKey(kind, key, timeZone) : name;
