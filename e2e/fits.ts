import { expect, type Page } from "@playwright/test";

/** Nothing of the page hangs over the side of a window of `width` px, once the page has followed the window's size. */
export async function expectToFit(page: Page, width: number, name = page.url()): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth), `${name} at ${width} px: nothing hangs over the side`)
    .toBeLessThanOrEqual(width);
}
