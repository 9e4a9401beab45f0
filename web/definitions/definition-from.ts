import type { Kind } from "../../server/model/definitions/contract.ts";
import type { Scope } from "../client/scope.ts";
import type { DefinitionProps } from "./overview/read-definition.ts";
import { kindFrom } from "./kind-from.ts";

/** The definition in the address, whether or not it exists. */
export async function definitionFrom(params: DefinitionProps["params"]): Promise<Scope & { scope: Scope; kind: Kind; key: string }> {
  const { scope, kind } = await kindFrom(params);
  return { ...scope, scope, kind, key: decodeURIComponent((await params).key) };
}
