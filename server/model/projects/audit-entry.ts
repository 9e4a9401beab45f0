import type { Actor } from "../kernel/roles.ts";

/** An entry about a test project, in the log of the project that it was made for: its own log goes with it. */
export const testProjectEntry = (projectId: string, slug: string, actor: Actor) => ({
  projectId,
  environmentId: null,
  actor,
  subjectKind: "testProject",
  subjectKey: slug,
});

export const projectEntry = (projectId: string, slug: string, actor: Actor) => ({
  projectId,
  environmentId: null,
  actor,
  subjectKind: "project",
  subjectKey: slug,
  difference: null,
});
