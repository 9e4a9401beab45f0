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

/** The environment in a page's address; Sandbox and Live are the only ones. A page may render before its layout. */
export async function scopeFrom(params: Promise<ScopeParams>): Promise<Scope> {
  const { project, environment } = await params;
  return environment === "sandbox" || environment === "live" ? { project, environment } : notFound();
}
