import type { Environment } from "./environment.ts";
import type { Actor } from "./roles.ts";

/** The person who changes something, and the project they do it from. */
export interface InProject {
  person: { userId: string };
  actor: Actor;
  project: Pick<Environment, "organizationId" | "projectId">;
}
