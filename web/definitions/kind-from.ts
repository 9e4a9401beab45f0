import { notFound } from "next/navigation";
import type { Kind } from "../../server/model/definitions/contract.ts";
import { type Scope, type ScopeParams, scopeFrom } from "../client/scope.ts";
import { kindAt } from "./kinds/index.ts";

export interface KindProps {
  params: Promise<ScopeParams & { kind: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The kind that the address names, and where. An address without a kind is no page: pages ask before they send anything, so the status is 404. */
export async function kindFrom(params: KindProps["params"]): Promise<{ scope: Scope; kind: Kind }> {
  const kind = kindAt((await params).kind);
  return kind === null ? notFound() : { scope: await scopeFrom(params), kind };
}
