import { nameProblem } from "../kernel/input-text.ts";
import { canonicalLanguage, languageNamed } from "../kernel/languages.ts";
import type { FieldProblem } from "../kernel/problem.ts";
import type { Actor, Role } from "../kernel/environment.ts";
import { isTimeZone } from "../kernel/time.ts";

export interface ProjectSettings {
  slug: string;
  name: string;
  /** BCP 47: the language of texts that do not name one. */
  defaultLanguage: string;
  /** IANA zone for days and periods of players without one. */
  timeZone: string;
}

const SLUG = /^[a-z][a-z0-9-]{0,62}$/;

const slugProblem = (what: string, slug: string): string[] =>
  SLUG.test(slug)
    ? []
    : [`${what} "${slug}" must start with a letter and have only a-z, 0-9 and "-", at most 63 characters, such as acme or acme-shop.`];

/** Paths of dashboard pages that would collide with a project's slug. */
const TAKEN_BY_PAGES = ["account", "command-line", "new-project"];

/** The problems of a new project's slug, apart from a collision. */
export const newSlugProblems = (slug: string): string[] =>
  TAKEN_BY_PAGES.includes(slug) ? [`"${slug}" is a page of the dashboard; choose another slug.`] : slugProblem("The slug", slug);

/** The problems of a new project's settings, one line each. */
export const projectProblems = ({ slug, ...settings }: ProjectSettings, organization?: string): string[] => [
  ...newSlugProblems(slug),
  ...settingsProblems(settings).map(({ message }) => message),
  ...(organization === undefined ? [] : slugProblem("The organization", organization)),
];

export type ChangeableSettings = Omit<ProjectSettings, "slug">;

export function settingsProblems({ name, defaultLanguage, timeZone }: ChangeableSettings): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const add = (setting: keyof ChangeableSettings, message: string) => problems.push({ pointer: `#/${setting}`, message });
  const misnamed = nameProblem("The name", name);
  if (misnamed !== null) add("name", misnamed);
  if (canonicalLanguage(defaultLanguage) === null) {
    add(
      "defaultLanguage",
      `"${defaultLanguage}" is not a language code; use one such as ${languageNamed(defaultLanguage) ?? "en or nl-BE"}.`,
    );
  }
  if (!isTimeZone(timeZone)) add("timeZone", `"${timeZone}" is not an IANA time zone; use one such as Europe/Amsterdam or UTC.`);
  return problems;
}

/** The slug of the demo project. Commands without an explicit project prefer any other one. */
export const DEMO_SLUG = "demo";

/** An entry about a test project, in the log of the project it belongs to: its own log is deleted with it. */
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

/** The most test projects that one project may have at a time: 50 workers of test runs, or a dozen killed runs of four. */
export const MAX_TEST_PROJECTS = 50;

/**
 * The most test projects that are in use or being removed, of a project and of an organization. It bounds how far creation may get ahead of
 * removal.
 */
export const MAX_KEPT = { project: 150, organization: 300 };

/** The beginning of every test project's slug. */
export const TEST_PREFIX = "test-";

/** In a test project an Editor has an Admin's rights over the data: it only has test data. */
export const roleInTests = (role: Role): Role => (role === "Editor" ? "Admin" : role);
