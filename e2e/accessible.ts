import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import type axe from "axe-core";

/** WCAG 2.2 has targets of 24 pixels, which axe looks for only when asked. What it says of `lang` it looks for anyway. */
const RULES = { "target-size": { enabled: true } };

/** Less than half of `axe.source`, which every page that is looked at is sent and reads. */
const SOURCE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/**
 * axe's findings on a page, or in a part of it; a good page has none. In the second theme only the colours differ, so `colours` checks
 * those alone.
 */
export async function violationsOf(
  page: Page,
  { within = "html", colours = false }: { within?: string; colours?: boolean } = {},
): Promise<string[]> {
  if (within !== "html") await page.locator(within).first().waitFor();
  // The second look at a page finds axe there. Without frames there is nothing to put together.
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
