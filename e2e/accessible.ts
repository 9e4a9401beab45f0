import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/**
 * axe's findings on a page, or in a part of it; a good page has none. In the second theme only the colours differ, so `colours` checks
 * those alone.
 */
export async function violationsOf(
  page: Page,
  { within, colours = false }: { within?: string; colours?: boolean } = {},
): Promise<string[]> {
  // Without frames there is nothing to put together in a page of its own, for which it opens one otherwise.
  let axe = new AxeBuilder({ page }).setLegacyMode(true);
  if (within !== undefined) axe = axe.include(within);
  if (colours) axe = axe.withRules(["color-contrast"]);
  const { violations } = await axe.analyze();
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, html, failureSummary }) => `${target.join(" ")} ${html} ${failureSummary}`).join("\n")}`,
  );
}
