import { isTimeZone } from "../kernel/time.ts";

/** What a project is created with (operations.md). */
export interface ProjectSettings {
  slug: string;
  name: string;
  /** BCP 47: texts without a language of their own are in it. */
  defaultLanguage: string;
  /** IANA zone: days and periods of players who have none. */
  timeZone: string;
}

export const SLUG = /^[a-z][a-z0-9-]{0,62}$/;

const slugProblem = (what: string, slug: string): string[] =>
  SLUG.test(slug)
    ? []
    : [`${what} "${slug}" must start with a letter and have only a-z, 0-9 and "-", at most 63 characters, such as acme or acme-shop.`];

/** Everything that is wrong with the settings of a new project, one line each. */
export function projectProblems({ slug, name, defaultLanguage, timeZone }: ProjectSettings, organization?: string): string[] {
  const problems = slugProblem("The slug", slug);
  if (name.trim() === "" || name.length > 200) problems.push("The name must have 1 to 200 characters.");
  if (canonicalLanguage(defaultLanguage) === null) {
    problems.push(`"${defaultLanguage}" is not a language tag; use one such as en or nl-BE.`);
  }
  if (!isTimeZone(timeZone)) problems.push(`"${timeZone}" is not an IANA time zone; use one such as Europe/Amsterdam or UTC.`);
  if (organization !== undefined) problems.push(...slugProblem("The organization", organization));
  return problems;
}

/** "nl-be" as "nl-BE"; null for what is not a language tag. */
export function canonicalLanguage(tag: string): string | null {
  try {
    return /^[a-z]{2,3}(-|$)/i.test(tag) ? (Intl.getCanonicalLocales(tag)[0] ?? null) : null;
  } catch {
    return null;
  }
}
