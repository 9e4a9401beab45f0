import type { Environment } from "./environment.ts";
import type { Actor } from "./roles.ts";

/** Who changes something, and the project from which they do. */
export interface InProject {
  person: { userId: string };
  actor: Actor;
  project: Pick<Environment, "organizationId" | "projectId">;
}
