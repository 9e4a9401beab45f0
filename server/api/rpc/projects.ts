import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { boundedRole } from "../../model/tokens/token.ts";
import { archiveProject } from "../../people/projects/archive.ts";
import { changeProject, readProjectSettings } from "../../authoring/definitions/service/project-settings.ts";
import { projectsDashboard, projectSettingsDashboard, testProjectsDashboard } from "../../people/projects/contract.dashboard.ts";
import { createProjectAs, organizationsToBuildIn } from "../../people/projects/create-as.ts";
import { createTestProject } from "../../people/projects/create-test.ts";
import { removeTestProject } from "../../people/projects/remove-test.ts";
import { selectProjectsOf } from "../../people/projects/store.ts";

const dashboard = implement(projectsDashboard).$context<DashboardContext>().use(guard);

export const projectsDashboardProcedures = {
  me: dashboard.me.handler(async ({ context: { database, person, token } }) => ({
    email: person.email,
    projects: (await selectProjectsOf(database.sql, person.userId))
      .filter(({ slug }) => token === null || slug === token.projectSlug)
      .map(({ role, ...project }) => ({ ...project, role: boundedRole(role, token) })),
  })),

  organizations: dashboard.organizations.handler(async ({ context: { database, person } }) =>
    (await organizationsToBuildIn(database, person)).map(({ slug, name }) => ({ slug, name })),
  ),

  create: dashboard.create.handler(async ({ input: { organization, ...settings }, context: { database, person, actor } }) => ({
    problems: await createProjectAs(database, person, actor, organization, settings),
  })),

  archive: dashboard.archive.handler(({ input: { project, confirmation }, context: { database, actor } }) => {
    if (confirmation.trim() !== project) throw new OperatorError(`Type ${project} to archive the project.`);
    return archiveProject(database, project, actor);
  }),

  place: dashboard.place.handler(async ({ context: { environment, role, projectName, now } }) => ({
    project: environment.projectSlug,
    projectName,
    role,
    timeZone: environment.timeZone,
    defaultLanguage: environment.defaultLanguage,
    now: { sandbox: formatInstant(now), live: formatInstant(now - environment.clockOffsetMs) },
    isClockMoved: environment.clockOffsetMs !== 0,
  })),
};

const settings = implement(projectSettingsDashboard).$context<DashboardContext>().use(guard);

export const projectSettingsDashboardProcedures = {
  read: settings.read.handler(({ context: { database, environment } }) => readProjectSettings(database, environment.projectId)),
  save: settings.save.handler(async ({ input: { project: _, ...settings }, context: { database, environment, actor } }) => ({
    problems: await changeProject(database, environment, settings, actor),
  })),
};

const tests = implement(testProjectsDashboard).$context<DashboardContext>().use(guard);

export const testProjectsDashboardProcedures = {
  create: tests.create.handler(async ({ input: { project: _, ...wanted }, context: { database, environment, actor } }) => {
    const made = await createTestProject(database, environment, actor, wanted);
    return "problems" in made ? made : { ...made, expiresAt: formatInstant(made.expiresAt) };
  }),
  remove: tests.remove.handler(({ input: { slug }, context: { database, environment, actor } }) =>
    removeTestProject(database, environment, actor, slug),
  ),
};
