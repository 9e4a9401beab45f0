import { notFound } from "next/navigation";
import type { Kind } from "../../server/model/definitions/contract.ts";
import { type Scope, type ScopeParams, scopeFrom } from "../client/scope.ts";
import { kindAt } from "./kinds/index.ts";

export interface KindProps {
  params: Promise<ScopeParams & { kind: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The kind and scope in the address. Unknown kinds are 404: pages check before they stream, so the status is right. */
export async function kindFrom(params: KindProps["params"]): Promise<{ scope: Scope; kind: Kind }> {
  const kind = kindAt((await params).kind);
  return kind === null ? notFound() : { scope: await scopeFrom(params), kind };
}
