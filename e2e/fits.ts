import { expect, type Page } from "@playwright/test";

/**
 * Waits until the page fits a window of `width` px: nothing overflows sideways, and no text is squeezed into a column of letters.
 */
export async function expectToFit(page: Page, width: number, name = page.url()): Promise<void> {
  await expect
    .poll(() => page.evaluate(misfits, width), `${name} at ${width} px: nothing overflows sideways, and no text is squeezed`)
    .toEqual([]);
}

/** The page's width if it overflows, and texts with fewer than three letters a line, outside of code blocks. */
function misfits(width: number): string[] {
  const { scrollWidth } = document.documentElement;
  const found = scrollWidth > width ? [`the page is ${scrollWidth} px wide`] : [];
  const range = document.createRange();
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const text = node.textContent!.trim();
    if (text.length < 6 || node.parentElement!.closest("pre")) continue;
    range.selectNodeContents(node);
    const lines = new Set([...range.getClientRects()].map(({ top }) => top));
    if (text.length / lines.size < 3) found.push(text);
  }
  return found;
}
