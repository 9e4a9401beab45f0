import { type Database, type Sql, transact } from "#db/client.ts";
import { recordChange } from "../audit-log/record.ts";
import { type Environment, type Actor, COMMAND_LINE, isAtLeast } from "../../model/kernel/environment.ts";
import { canonicalLanguage } from "../../model/kernel/languages.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { newSlugProblems, projectEntry, projectProblems, type ProjectSettings, settingsProblems } from "../../model/projects/settings.ts";
import * as store from "./store/projects.ts";
import { type OrganizationRow, selectOrganizationsOf } from "./store/projects.ts";
import { selectEnvironmentsOf } from "../../engine/environment.ts";
import type { FieldProblem } from "../../model/kernel/problem.ts";

/**
 * Creates a project with its Sandbox and Live, in the organization of that slug (created if new) or the first one. Its Sandbox clock starts
 * `sandboxBehindMs` milliseconds behind real time. Logged if there is an actor. Throws OperatorError.
 */
export async function createProject(
  database: Database,
  settings: ProjectSettings,
  organization?: string,
  sandboxBehindMs = 0,
  actor?: Actor,
): Promise<{ id: string; sandbox: Environment; live: Environment }> {
  const problems = projectProblems(settings, organization);
  if (problems.length > 0) throw new OperatorError(...problems);
  const defaultLanguage = canonicalLanguage(settings.defaultLanguage) ?? settings.defaultLanguage;
  return transact(database, async (tx) => {
    const { id: organizationId } = await ensureOrganization(tx, organization);
    const id = await store.insertProject(
      tx,
      organizationId,
      { ...settings, name: settings.name.trim(), defaultLanguage },
      -sandboxBehindMs,
    );
    if (id === null) throw new OperatorError(`There is already a project "${settings.slug}"; choose another slug.`);
    if (actor) await recordChange(tx, { ...projectEntry(id, settings.slug, actor), action: "create" });
    const [sandbox, live] = await selectEnvironmentsOf(tx, settings.slug);
    return { id, sandbox: sandbox!, live: live! };
  });
}

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

/** Archives a project: requests with its keys get 404 project_environment.not_found. Throws OperatorError. */
export async function archiveProject({ sql }: Database, slug: string, actor = COMMAND_LINE): Promise<void> {
  await sql.begin(async (tx) => {
    const id = await store.setArchived(tx, slug);
    if (id !== null) await recordChange(tx, { ...projectEntry(id, slug, actor), action: "archive" });
    else if (!(await store.hasProject(tx, slug))) throw new OperatorError(`There is no project "${slug}".`);
  });
}

/** All projects in order of creation, including archived ones, without test projects. */
export const listProjects = ({ sql }: Database): Promise<store.ProjectRow[]> => store.selectProjects(sql);

const FIRST_ORGANIZATION = "main";

/** The organization of that slug, or the first one; created if missing. */
export async function ensureOrganization(sql: Sql, slug?: string): Promise<{ id: string }> {
  const found = await store.selectOrganization(sql, slug);
  if (found) return found;
  await store.insertOrganization(sql, slug ?? FIRST_ORGANIZATION);
  const created = await store.selectOrganization(sql, slug);
  if (!created) throw new Error("The organization was removed while it was created.");
  return created;
}
