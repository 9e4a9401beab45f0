import { canonicalLanguage, languageNamed } from "../kernel/languages.ts";
import { nameProblem } from "../kernel/printable.ts";
import type { FieldProblem } from "../kernel/problem.ts";
import { isTimeZone } from "../kernel/time.ts";

/** The settings of a new project. */
export interface ProjectSettings {
  slug: string;
  name: string;
  /** BCP 47: texts without a language of their own are in it. */
  defaultLanguage: string;
  /** IANA zone for days and periods of players without one. */
  timeZone: string;
}

const MAX_NAME_LENGTH = 200;

export const SLUG = /^[a-z][a-z0-9-]{0,62}$/;

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

/** The settings that can change later. */
export type ChangeableSettings = Omit<ProjectSettings, "slug">;

export function settingsProblems({ name, defaultLanguage, timeZone }: ChangeableSettings): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const add = (setting: keyof ChangeableSettings, message: string) => problems.push({ pointer: `#/${setting}`, message });
  const misnamed = nameProblem("The name", name, MAX_NAME_LENGTH);
  if (misnamed !== null) add("name", misnamed);
  if (canonicalLanguage(defaultLanguage) === null) {
    add(
      "defaultLanguage",
      `"${defaultLanguage}" is not the code of a language; use one such as ${languageNamed(defaultLanguage) ?? "en or nl-BE"}.`,
    );
  }
  if (!isTimeZone(timeZone)) add("timeZone", `"${timeZone}" is not an IANA time zone; use one such as Europe/Amsterdam or UTC.`);
  return problems;
}

/** The project of the first start; without an explicit project, any other one is preferred. */
export const DEMO_SLUG = "demo";
