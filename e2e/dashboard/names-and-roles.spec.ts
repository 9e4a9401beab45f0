import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { test } from "./sign-in.ts";

type Role = Parameters<Page["getByRole"]>[0];

/** The list that docs/testing.md gives to people who test in the dashboard. */
const GUIDE = readFileSync(new URL("../../docs/testing.md", import.meta.url), "utf8").split("## The dashboard in a test")[1]!;
const IN_CODE = /`([^`]+)`/g;
const codesOf = (line: string): string[] => [...line.matchAll(IN_CODE)].map(([, code]) => code!);
const ROWS = GUIDE.split("\n")
  .filter((line) => line.startsWith("| `"))
  .map(codesOf);
const SECTIONS = codesOf(GUIDE.split("\n").find((line) => line.startsWith("In the navigation `Sections`"))!).slice(1);

test("every role and name of the testing guide exists once", async ({ page }) => {
  const everywhere = ROWS.filter((row) => row.length === 2);
  const inMain = Map.groupBy(
    ROWS.filter((row) => row.length === 3),
    ([path]) => path!,
  );
  expect([everywhere.length, inMain.size, SECTIONS.length].every((count) => count > 3)).toBe(true);
  await page.goto("/dashboard/demo/sandbox");
  for (const [role, name] of everywhere) await expect(page.getByRole(role as Role, { name: name!, exact: true }), name).toHaveCount(1);
  // The other way round, too: a new section is listed.
  await expect(page.getByRole("navigation", { name: "Sections" }).getByRole("link")).toHaveText(SECTIONS);
  for (const [path, rows] of inMain) {
    await page.goto(`/dashboard/demo/sandbox${path}`);
    for (const [, role, name] of rows) {
      const found = page.getByRole("main").getByRole(role as Role, { name: name!, exact: true });
      await expect(found, `${path} ${role} ${name}`).toHaveCount(1);
    }
  }
});
