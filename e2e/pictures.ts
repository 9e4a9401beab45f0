import { join } from "node:path";
import type { Page } from "@playwright/test";

/** The folder for pictures; taking them costs a quarter of the tests' time, so by default none are taken. */
const FOLDER = process.env["PICTURES"];

/** Keeps a picture of what a page shows now, if `PICTURES=<folder>` is set. `name` is such as "try-missions.wide.dark". */
export async function keepPicture(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  if (FOLDER !== undefined) await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage });
}

/** The same in both themes; the page is left in the light one. */
export async function keepPictures(page: Page, name: string, how: { fullPage?: boolean } = {}): Promise<void> {
  if (FOLDER === undefined) return;
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await keepPicture(page, `${name}.${colorScheme}`, how);
  }
}
