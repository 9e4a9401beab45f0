import type { EnvironmentKind } from "../../server/kernel/environment.ts";

/** The part of every call's input that names the environment. */
export interface Scope {
  project: string;
  environment: EnvironmentKind;
}

export interface ScopeParams {
  project: string;
  environment: string;
}

/** The environment that the address of a page names; its layout has refused any other (dashboard/[project]/[environment]/layout.tsx). */
export async function scopeFrom(params: Promise<ScopeParams>): Promise<Scope> {
  const { project, environment } = await params;
  return { project, environment: environment as EnvironmentKind };
}
