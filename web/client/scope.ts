import { notFound } from "next/navigation";
import type { EnvironmentKind } from "../../server/model/kernel/environment.ts";

/** The part of every call's input that names the environment. */
export interface Scope {
  project: string;
  environment: EnvironmentKind;
}

export interface ScopeParams {
  project: string;
  environment: string;
}

/** The environment that the address of a page names; there is Sandbox and Live, and nothing else. A page may be rendered before its layout. */
export async function scopeFrom(params: Promise<ScopeParams>): Promise<Scope> {
  const { project, environment } = await params;
  return environment === "sandbox" || environment === "live" ? { project, environment } : notFound();
}
