import { randomBytes } from "node:crypto";
import { type Database, transact } from "#db/client.ts";
import { recordChange } from "../audit-log/record.ts";
import type { Environment, Actor } from "../../model/kernel/environment.ts";
import { canonicalLanguage } from "../../model/kernel/languages.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import type { FieldProblem } from "../../model/kernel/problem.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { MAX_KEPT, MAX_TEST_PROJECTS, settingsProblems, TEST_PREFIX, testProjectEntry } from "../../model/projects/settings.ts";
import * as store from "./store/projects.ts";
import { archiveTestProject, countKept, lockProject, selectTestProjects } from "./store/test-projects.ts";

/** Omitted settings are those of the project that the test project is made for. */
interface WantedTestProject {
  name?: string;
  defaultLanguage?: string;
  timeZone?: string;
  /** Hours until it is removed automatically. */
  hours: number;
}

/**
 * Creates a test project of a project: empty, like any other, but removed automatically. Problems are returned by field. Throws
 * OperatorError if the project has reached its limit, or is itself a test project.
 */
export function createTestProject(
  database: Database,
  home: Environment,
  actor: Actor,
  { name, defaultLanguage = home.defaultLanguage, timeZone = home.timeZone, hours }: WantedTestProject,
): Promise<{ slug: string; expiresAt: number } | { problems: FieldProblem[] }> {
  const slug = `${TEST_PREFIX}${randomBytes(8).toString("hex")}`;
  const wanted = { slug, name: (name ?? `Tests of ${home.projectSlug}`).trim(), defaultLanguage, timeZone };
  const problems = settingsProblems(wanted);
  if (problems.length > 0) return Promise.resolve({ problems });
  const settings = { ...wanted, defaultLanguage: canonicalLanguage(defaultLanguage) ?? defaultLanguage };
  return transact(database, async (tx) => {
    const kept = await countKept(tx, home.projectId, home.organizationId);
    const { isTest } = await lockProject(tx, home.projectId);
    if (isTest) throw new OperatorError("A test project has no test projects of its own.");
    if ((await selectTestProjects(tx, home.projectId)).length >= MAX_TEST_PROJECTS) {
      throw new OperatorError(`This project has ${MAX_TEST_PROJECTS} test projects already. Remove some, or wait until they expire.`);
    }
    for (const scope of ["project", "organization"] as const) {
      if (kept[scope] >= MAX_KEPT[scope])
        throw new OperatorError(
          `This ${scope} has made ${MAX_KEPT[scope]} test projects that are in use or still being removed. Removing them takes a minute or more; try again then.`,
        );
    }
    const id = await store.insertProject(tx, home.organizationId, settings, 0, { of: home.projectId, hours });
    const made = (await selectTestProjects(tx, home.projectId)).find((project) => project.id === id);
    if (made === undefined) throw new Error(`There is already a project ${slug}, by a chance in 2^64.`);
    const difference = [{ type: "CREATE", path: ["expiresAt"], value: formatInstant(made.expiresAt) }];
    await recordChange(tx, { ...testProjectEntry(home.projectId, slug, actor), action: "create", difference });
    return { slug, expiresAt: made.expiresAt };
  });
}

/**
 * Removes a test project: from the next call on it is unknown and its keys get 404. The worker deletes its data soon after, in slices.
 * Throws OperatorError if the project no longer has such a test project.
 */
export function removeTestProject(database: Database, { projectId }: Pick<Environment, "projectId">, actor: Actor, slug: string) {
  return transact(database, async (tx) => {
    if (!(await archiveTestProject(tx, projectId, slug)))
      throw new OperatorError(`There is no test project "${slug}"; it may have been removed already.`);
    await recordChange(tx, { ...testProjectEntry(projectId, slug, actor), action: "remove", difference: null });
  });
}
