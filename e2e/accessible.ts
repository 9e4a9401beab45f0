import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";
import { keepPicture } from "./pictures.ts";

/** Axe checks WCAG 2.2's 24-pixel targets only on request. Its message about `lang` is checked anyway. */
const RULES = { "target-size": { enabled: true } };

/** Less than half of `axe.source`, which is sent to and parsed by every checked page. */
const SOURCE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/**
 * axe's findings on a page or a part of it; a good page has none. The second theme only differs in colours, so `colours` checks only those.
 */
export async function violationsOf(
  page: Page,
  { within = "html", colours = false }: { within?: string; colours?: boolean } = {},
): Promise<string[]> {
  if (within !== "html") await page.locator(within).first().waitFor();
  // On the second check of a page axe is already loaded. Without frames there is nothing to merge.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(SOURCE);
  const violations = await page.evaluate(
    async ([selector, onlyColours, rules]) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(selector, {
        resultTypes: ["violations"],
        iframes: false,
        ...(onlyColours ? { runOnly: ["color-contrast"] } : { rules }),
      });
      return violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ target, html, failureSummary }) => `${target.join(" ")} ${html} ${failureSummary}`),
      }));
    },
    [within, colours, RULES] as const,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.join("\n")}`);
}

/**
 * Expects no findings, and keeps a picture in both themes. axe looks at the light one: a text that can be read there can be read in the dark
 * one (web/components/contrast.test.ts), and screens.spec.ts looks at every screen in both.
 */
export async function expectReadable(
  page: Page,
  name: string,
  { within, fullPage = false }: { within?: string; fullPage?: boolean } = {},
): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await keepPicture(page, `${name}.${colorScheme}`, { fullPage });
  }
  expect(await violationsOf(page, { within }), name).toEqual([]);
}
