import type { Actor } from "../kernel/roles.ts";

export const projectEntry = (projectId: string, slug: string, actor: Actor) => ({
  projectId,
  environmentId: null,
  actor,
  subjectKind: "project",
  subjectKey: slug,
  difference: null,
});
