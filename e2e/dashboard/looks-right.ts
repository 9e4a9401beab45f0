import type { Page } from "@playwright/test";
import { expectReadable } from "../accessible.ts";
import { expectToFit } from "../fits.ts";
import { keepPicture } from "../pictures.ts";

/** Checks a page with axe and at a phone's width, and keeps pictures of both. */
export async function looksRight(page: Page, name: string, how: { fullPage?: boolean } = {}): Promise<void> {
  await expectReadable(page, `${name}.wide`, how);
  const wide = page.viewportSize()!;
  await page.setViewportSize({ width: 360, height: 740 });
  await expectToFit(page, 360, name);
  await keepPicture(page, `${name}.narrow.light`, how);
  await page.setViewportSize(wide);
}
