import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";
import { keepPictures } from "./pictures.ts";

/**
 * Axe checks WCAG 2.2's 24-pixel targets only on request. Checking contrast would take half of its time; web/components/contrast.test.ts
 * checks the theme's colours instead, and texts and backgrounds have no others. So a page is checked in one theme only.
 */
const RULES = { "target-size": { enabled: true }, "color-contrast": { enabled: false } };

/** The minified script is less than half as long as `axe.source`; every checked page has to parse it. */
const SOURCE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** axe's findings on a page or a part of it; a good page has none. */
export async function violationsOf(page: Page, { within = "html" }: { within?: string } = {}): Promise<string[]> {
  // A page reached by a link may have its content a moment before its title.
  await expect(page).toHaveTitle(/\S/);
  if (within !== "html") await page.locator(within).first().waitFor();
  // On the second check of a page axe is already loaded. Without frames there is nothing to merge.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(SOURCE);
  const violations = await page.evaluate(
    async ([selector, rules]) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(selector, {
        resultTypes: ["violations"],
        iframes: false,
        rules,
      });
      return violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ target, html, failureSummary }) => `${target.join(" ")} ${html} ${failureSummary}`),
      }));
    },
    [within, RULES] as const,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.join("\n")}`);
}

/** Expects no findings, and keeps a picture in both themes. */
export async function expectReadable(
  page: Page,
  name: string,
  { within, ...how }: { within?: string; fullPage?: boolean } = {},
): Promise<void> {
  await keepPictures(page, name, how);
  expect.soft(await violationsOf(page, { within }), name).toEqual([]);
}
