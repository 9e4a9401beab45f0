import { join } from "node:path";
import type { Page } from "@playwright/test";

/** Where pictures for people to look at are kept; taking them costs a quarter of the time of the tests, so by default none are. */
const FOLDER = process.env["PICTURES"];

/** Keeps a picture of what a page shows now, where `PICTURES=<folder>` asks for it. `name` is "try-missions.wide.dark". */
export async function keepPicture(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  if (FOLDER !== undefined) await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage });
}
