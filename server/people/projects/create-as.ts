import type { Database } from "#db/client.ts";
import type { FieldProblem } from "../../model/kernel/problem.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { type Actor, isAtLeast } from "../../model/kernel/roles.ts";
import { createProject } from "./create.ts";
import { newSlugProblems, type ProjectSettings, settingsProblems } from "../../model/projects/settings.ts";
import { type OrganizationRow, selectOrganizationsOf } from "./store.ts";

/** The organizations in which a person may create projects: those where they are Owner or Admin of the whole. */
export const organizationsToBuildIn = async ({ sql }: Database, person: { userId: string }): Promise<OrganizationRow[]> =>
  (await selectOrganizationsOf(sql, person.userId)).filter(({ role }) => isAtLeast(role, "Admin"));

/** Creates a project in one of those organizations; returns the problems of its settings, empty on success. Throws OperatorError. */
export async function createProjectAs(
  database: Database,
  person: { userId: string },
  actor: Actor,
  organization: string,
  settings: ProjectSettings,
): Promise<FieldProblem[]> {
  const own = await organizationsToBuildIn(database, person);
  if (!own.some(({ slug }) => slug === organization)) {
    throw new OperatorError("Creating a project takes an Owner or Admin of the whole organization.");
  }
  const problems = [...newSlugProblems(settings.slug).map((message) => ({ pointer: "#/slug", message })), ...settingsProblems(settings)];
  if (problems.length > 0) return problems;
  try {
    await createProject(database, settings, organization, 0, actor);
    return [];
  } catch (error) {
    // Everything else was checked before, so the slug is taken, perhaps by a concurrent call.
    if (error instanceof OperatorError) return [{ pointer: "#/slug", message: error.message }];
    throw error;
  }
}
