import { OperatorError } from "../../model/kernel/operator-error.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { boundedRole } from "../../model/tokens/token.ts";
import { archiveProject, createProjectAs, organizationsToBuildIn } from "../../people/projects/projects.ts";
import { setLiveGuard } from "../../authoring/definitions/service/make-request.ts";
import { countRequestsOf } from "../../authoring/definitions/store/requests.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { changeProject } from "../../authoring/definitions/service/project-settings.ts";
import { selectProjectsOf, selectSettings } from "../../people/projects/store/projects.ts";
import { createTestProject, removeTestProject } from "../../people/projects/test-projects.ts";
import { z } from "zod";
import { forPerson, forProject, NOTHING } from "../access.ts";
import { inProject, requestTexts } from "../../model/contract/rpc.ts";

const projectSettings = z.object({ name: z.string(), defaultLanguage: z.string(), timeZone: z.string() });

/** The default lifetime of a test project in hours: a killed test run leaves its project behind. */
const DEFAULT_HOURS = 4;
const MAX_HOURS = 24;

export const projectsDashboardProcedures = {
  /** The caller and their projects (also before a due second factor), in order of creation; with a token, its project alone. */
  me: forPerson("cheap", { tokens: "any", isBeforeFactor: true })(NOTHING, async (_, { database, person, token }) => ({
    email: person.email,
    /** Whether they have to set up a second factor before anything else. */
    isFactorDue: token === null && person.isFactorDue,
    projects: (await selectProjectsOf(database.sql, person.userId))
      .filter(({ slug }) => token === null || slug === token.projectSlug)
      .map(({ role, ...project }) => ({ ...project, role: boundedRole(role, token) })),
  })),

  /** The organizations in which the caller may create projects. */
  organizations: forPerson("cheap", { tokens: "none" })(NOTHING, async (_, { database, person }) =>
    (await organizationsToBuildIn(database, person)).map(({ slug, name }) => ({ slug, name })),
  ),

  /** With its Sandbox and Live, both empty. */
  create: forPerson("cheap", { tokens: "none" })(
    z.object({
      slug: z.string(),
      name: z.string(),
      defaultLanguage: z.string(),
      timeZone: z.string(),
      /** The slug of one of `organizations`. */
      organization: z.string(),
    }),
    async ({ organization, ...settings }, { database, person, actor }) => ({
      problems: await createProjectAs(database, person, actor, organization, settings),
    }),
  ),

  /** Its keys stop working and it disappears from every list; `confirmation` repeats its slug. */
  archive: forProject("Owner", "cheap", { tokens: "ofBothEnvironments" })(
    inProject.extend({ confirmation: z.string() }),
    ({ project, confirmation }, { database, actor }) => {
      if (confirmation.trim() !== project) throw new OperatorError(`Type ${project} to archive the project.`);
      return archiveProject(database, project, actor);
    },
  ),

  /** The common data of a project's screens: the person's roles, the project's settings, and the current time in both environments. */
  place: forProject("Viewer", "cheap", { tokens: "any" })(
    inProject,
    async (_, { database, environment, roles, mayApprove, isLiveGuarded, projectName, now }) => ({
      project: environment.projectSlug,
      projectName,
      roles,
      timeZone: environment.timeZone,
      defaultLanguage: environment.defaultLanguage,
      now: { sandbox: formatInstant(now), live: formatInstant(now - environment.clockOffsetMs) },
      isClockMoved: environment.clockOffsetMs !== 0,
      /** Change requests of Live: whether they are asked for, who decides them, how many wait, and how many of those for an approval. */
      approvals: {
        isOn: isLiveGuarded,
        mayApprove: mayApprove.live,
        ...(await countRequestsOf(database.sql, environment.projectId)),
      },
    }),
  ),
};

/** The settings that the two environments of a project share. */
export const projectSettingsDashboardProcedures = {
  read: forProject("Viewer", "cheap", { tokens: "any" })(inProject, async (_, { database, environment, isLiveGuarded }) => ({
    ...(await selectSettings(database.sql, environment.projectId)),
    isLiveGuarded,
  })),
  /** Whether changes to Live need an approval. Turning that off is itself a change request. */
  guardLive: forProject("Admin", "cheap", { tokens: "ofBothEnvironments", isSensitive: true })(
    inProject.extend({ isOn: z.boolean(), request: requestTexts.optional() }),
    async ({ project, isOn }, { database, actor }) => {
      await setLiveGuard(database, await findEnvironment(database, project, "live"), isOn, actor);
    },
  ),
  save: forProject("Admin", "cheap", { tokens: "ofBothEnvironments" })(
    inProject.extend(projectSettings.partial().shape),
    async ({ project: _, ...settings }, { database, environment, actor }) => ({
      problems: await changeProject(database, environment, settings, actor),
    }),
  ),
};

/**
 * Projects for automated tests, made for a project by its members or by tokens for tests. Such a token may otherwise only call their
 * Sandboxes. They appear in no list; people with access to the project that they were made for may open them by URL.
 */
export const testProjectsDashboardProcedures = {
  /** Omitted settings are those of `project`. Other calls name it by the slug. */
  create: forProject("Editor", "cheap", { tokens: "tests" })(
    inProject.extend({
      name: z.string().max(200).optional(),
      defaultLanguage: z.string().max(100).optional(),
      timeZone: z.string().max(100).optional(),
      /** Hours until it is removed automatically. */
      hours: z.number().min(0.1).max(MAX_HOURS).default(DEFAULT_HOURS),
    }),
    async ({ project: _, ...wanted }, { database, environment, actor }) => {
      const made = await createTestProject(database, environment, actor, wanted);
      return "problems" in made ? made : { ...made, expiresAt: formatInstant(made.expiresAt) };
    },
  ),
  /** It is unknown from the next call on; its data are deleted soon after. */
  remove: forProject("Editor", "cheap", { tokens: "tests" })(
    inProject.extend({ slug: z.string().max(200) }),
    ({ slug }, { database, environment, actor }) => removeTestProject(database, environment, actor, slug),
  ),
};
