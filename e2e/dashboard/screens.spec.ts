import { mkdirSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { test } from "./sign-in.ts";

/**
 * Every screen, full and empty, in light and dark, wide and narrow: nothing hangs over the side, nothing is out of reach of a
 * screen reader or too faint, the browser complains about nothing, and nothing is asked of another host. A picture of each is
 * kept in test-results/screens, for people to look at.
 */
const PICTURES = "test-results/screens";

/** Kinds whose pages have all of the parts between them. */
const KINDS = ["missions", "streaks", "leaderboards", "segments", "listings", "mission-collections", "events", "valuations"];

/** Lists and forms are the same parts for every kind; pages of definitions are looked at below. */
const LISTS = ["missions", "events", "players"];
const FORMS = ["missions", "leaderboards"];

const inSandbox = (path: string): string => `/dashboard/demo/sandbox${path}`;
const FULL = [
  ...["", "/promote", "/developers", "/developers/webhooks", "/developers/quickstart", "/settings"].map(inSandbox),
  ...LISTS.map((kind) => inSandbox(`/${kind}`)),
  ...FORMS.map((kind) => inSandbox(`/${kind}/new`)),
  "/dashboard/demo/settings/members",
  "/dashboard/demo/audit-log",
  "/dashboard/account",
  "/dashboard/new-project",
];
const EMPTY = ["", "/missions", "/settings"].map((path) => `/dashboard/demo/live${path}`);

for (const path of [...FULL, ...EMPTY]) {
  test(`${path} can be read by everybody, everywhere`, async ({ page, baseURL }) => {
    const complaints = complaintsOf(page, baseURL!);
    await page.setViewportSize({ width: 1360, height: 900 });
    await page.goto(path);
    await settled(page);
    await looksRight(page, path, "wide");
    await page.setViewportSize({ width: 360, height: 740 });
    await settled(page);
    await nothingHangsOver(page, path);
    await looksRight(page, path, "narrow");
    expect(complaints).toEqual([]);
  });
}

test("a definition's page can be read by everybody, everywhere", async ({ page, baseURL }) => {
  test.slow();
  const complaints = complaintsOf(page, baseURL!);
  for (const kind of KINDS) {
    await page.setViewportSize({ width: 1360, height: 900 });
    await page.goto(`/dashboard/demo/sandbox/${kind}`);
    await settled(page);
    const first = page.locator("main tbody a").first();
    if ((await first.count()) === 0) continue;
    await page.goto((await first.getAttribute("href"))!);
    await settled(page);
    const path = `/dashboard/demo/sandbox/${kind}/one`;
    await looksRight(page, path, "wide");
    await page.setViewportSize({ width: 360, height: 740 });
    await settled(page);
    await nothingHangsOver(page, path);
    await looksRight(page, path, "narrow");
  }
  expect(complaints).toEqual([]);
});

const nothingHangsOver = (page: Page, path: string): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth), `${path}: nothing hangs over the side`)
    .toBeLessThanOrEqual(360);

/** In both themes: a picture, and what axe finds; of a narrow page, which has the same parts, a picture alone. */
async function looksRight(page: Page, path: string, width: "wide" | "narrow"): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  const name = path.replace("/dashboard/", "").replaceAll("/", "-");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: `${PICTURES}/${name}.${width}.${colorScheme}.png`, fullPage: width === "wide" });
    if (width === "narrow") continue;
    const axe = new AxeBuilder({ page });
    const { violations } = await (colorScheme === "light" ? axe : axe.withRules(["color-contrast"])).analyze();
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(" ")} ${failureSummary}`).join("\n")}`,
    );
    expect(found, `${path} (${colorScheme})`).toEqual([]);
  }
}

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => document.fonts.ready);
}

function complaintsOf(page: Page, baseURL: string): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${baseURL}/`) && !request.url().startsWith("data:")) complaints.push(request.url());
  });
  return complaints;
}
