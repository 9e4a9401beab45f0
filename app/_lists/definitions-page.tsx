import type { Metadata } from "next";
import type { Kind } from "../../server/definitions/contract.ts";
import type { EnvironmentKind } from "../../server/kernel/environment.ts";
import { KIND_WORDS } from "../_client/kinds.tsx";
import { Prefetch } from "../_client/server.tsx";
import { DefinitionList } from "./definition-list.tsx";
import { listInput, viewFrom } from "./question.ts";

interface Props {
  params: Promise<{ project: string; environment: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The page that lists the definitions of a kind, with its first rows in it. */
export function definitionsPage(kind: Kind) {
  return async function DefinitionsPage({ params, searchParams }: Props) {
    const { project, environment } = await params;
    const view = viewFrom(await searchParams);
    const scope = { project, environment: environment as EnvironmentKind };
    return (
      <Prefetch find={(orpc) => [orpc.definitions.list.queryOptions({ input: listInput(scope, kind, view, null) })]}>
        <DefinitionList kind={kind} initialView={view} />
      </Prefetch>
    );
  };
}

export const definitionsMetadata = (kind: Kind): Metadata => ({ title: KIND_WORDS[kind].many });
