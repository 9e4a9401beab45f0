import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";

type Role = Parameters<Page["getByRole"]>[0];

/** The list that docs/testing.md gives to people who test in the dashboard. */
const GUIDE = readFileSync(new URL("../../docs/testing.md", import.meta.url), "utf8").split("## The dashboard in a test")[1]!;
const IN_CODE = /`([^`]+)`/g;
const codesOf = (line: string): string[] => [...line.matchAll(IN_CODE)].map(([, code]) => code!);
const ROWS = GUIDE.split("\n")
  .filter((line) => line.startsWith("| `"))
  .map(codesOf);
const SECTIONS = codesOf(GUIDE.split("\n").find((line) => line.startsWith("In the navigation `Sections`"))!).slice(1);
const EVERYWHERE = ROWS.filter((row) => row.length === 2);
const IN_MAIN = Map.groupBy(
  ROWS.filter((row) => row.length === 3),
  ([path]) => path!,
);
expect([EVERYWHERE.length, IN_MAIN.size, SECTIONS.length].every((count) => count > 3)).toBe(true);

/** The pages of the guide, as paths in an environment. */
export const GUIDE_PATHS = [...IN_MAIN.keys()];

/** Each role and name that the guide gives for every page exists once, and the sections are those that it lists. */
export async function expectNamesOfEveryPage(page: Page): Promise<void> {
  for (const [role, name] of EVERYWHERE) await expect(page.getByRole(role as Role, { name: name!, exact: true }), name).toHaveCount(1);
  // A section that the guide does not list is an error too.
  await expect(page.getByRole("navigation", { name: "Sections" }).getByRole("link")).toHaveText(SECTIONS);
}

/** The same for the roles and names that the guide gives for one page, if it has any. */
export async function expectNamesOf(page: Page, path: string): Promise<void> {
  for (const [, role, name] of IN_MAIN.get(path) ?? []) {
    const found = page.getByRole("main").getByRole(role as Role, { name: name!, exact: true });
    await expect(found, `${path} ${role} ${name}`).toHaveCount(1);
  }
}
