import { expect, type Page } from "@playwright/test";
import { expectReadable } from "../accessible.ts";
import { expectToFit } from "../fits.ts";
import { follow } from "../hydrated.ts";
import { keepPicture } from "../pictures.ts";
import { answerOf } from "../../testing/rpc.ts";
import { callAnswer } from "./own-project.ts";
import { test } from "./sign-in.ts";
import { expectNamesOf, expectNamesOfEveryPage, GUIDE_PATHS } from "./testing-guide.ts";

/**
 * Every screen, full and empty, wide and narrow: no overflow, no accessibility problems, no browser errors, and no requests to other hosts.
 * The pages of the testing guide have its roles and names, each once. Both themes have the same parts and colours that can be read
 * (web/components/contrast.test.ts).
 */

/** Kinds that together cover all page parts, by path segment. */
const KINDS = {
  missions: "missions",
  streaks: "streaks",
  leaderboards: "leaderboards",
  segments: "segments",
  listings: "marketplaceItems",
  "mission-collections": "missionCollections",
  events: "events",
  valuations: "pointsValuations",
};

/** Lists are the same parts for every kind, and so are new forms; forms of existing definitions are checked below. */
const LISTS = ["missions", "events", "players"];
const FORMS = ["missions"];
const DEVELOPERS = ["", "/webhooks", "/deliveries", "/quarantine", "/events", "/requests", "/quickstart"];
/** A report of charts, and one with a table of subjects: the others are the same parts. */
const REPORTS = ["players", "missions"];
const OTHER_REPORTS = ["points", "shop", "streaks", "leaderboards", "events", "webhooks", "missions/coffee_lover"];

const SANDBOX = "/dashboard/demo/sandbox";
const inSandbox = (path: string): string => `${SANDBOX}${path}`;
const SCREENS: Record<string, readonly string[]> = {
  "the home, lists and forms": ["", ...LISTS.map((kind) => `/${kind}`), ...FORMS.map((kind) => `/${kind}/new`)].map(inSandbox),
  "what developers look at": DEVELOPERS.map((path) => inSandbox(`/developers${path}`)),
  "the reports with their charts": REPORTS.map((report) => inSandbox(`/analytics/${report}`)),
  settings: [
    ...["/settings", "/alerts"].map(inSandbox),
    ...["settings/members", "settings/channels", "settings/tokens", "audit-log"].map((path) => `/dashboard/demo/${path}`),
    ...["/dashboard/account", "/dashboard/new-project"],
  ],
  "an environment without anything": ["", "/missions", "/settings"].map((path) => `/dashboard/demo/live${path}`),
};

test.describe.configure({ mode: "parallel", timeout: 600_000 });

for (const [what, paths] of Object.entries(SCREENS))
  test(`${what} is readable for everyone, at every width`, async ({ page, baseURL }) => {
    const complaints = complaintsOf(page, baseURL!);
    for (const path of paths) {
      await page.goto(path);
      await settled(page);
      await looksRight(page, path);
      expect.soft(complaints.splice(0), path).toEqual([]);
    }
  });

test("the other reports open without an error, and fit a narrow screen", async ({ page, baseURL }) => {
  const complaints = complaintsOf(page, baseURL!);
  const [width] = WIDTHS;
  await page.setViewportSize({ width, height: 900 });
  await page.goto(inSandbox("/missions"));
  for (const report of OTHER_REPORTS) {
    await follow(page, inSandbox(`/analytics/${report}`));
    // The demo has no endpoint of webhooks.
    await expect(page.getByRole("application").or(page.getByText("No webhook endpoints yet")).first()).toBeVisible();
    await expectToFit(page, width, report);
    expect.soft(complaints.splice(0), report).toEqual([]);
  }
});

test("the other pages of the testing guide have its roles and names too", async ({ page }) => {
  await page.goto(SANDBOX);
  for (const path of GUIDE_PATHS.filter((path) => !Object.values(SCREENS).flat().includes(inSandbox(path)))) {
    await follow(page, inSandbox(path));
    await expectNamesOf(page, path);
  }
});

test("a definition's page is accessible in both themes and at every width", async ({ page, baseURL }) => {
  const complaints = complaintsOf(page, baseURL!);
  for (const [path, kind] of Object.entries(KINDS)) {
    const input = { project: "demo", environment: "sandbox", kind, direction: "ascending" };
    const { rows } = await answerOf<{ rows: { key: string }[] }>("definitions/list", callAnswer(page, "definitions/list", input));
    // The other tabs are the same parts for every kind.
    for (const tab of path === "missions" ? ["", "/edit", "/history"] : ["/edit"]) {
      await page.goto(inSandbox(`/${path}/${encodeURIComponent(rows[0]!.key)}${tab}`));
      await settled(page);
      await looksRight(page, inSandbox(`/${path}/one${tab}`));
    }
  }
  expect(complaints).toEqual([]);
});

const WIDTHS = [360, 1024, 1360] as const;

/**
 * Nothing overflows at any width. Axe and the guide's names are checked on the wide page only, as narrow ones have the same parts. A page
 * begins with the width that the previous one ended with: each change of it costs a fifth of loading the page.
 */
async function looksRight(page: Page, path: string): Promise<void> {
  const name = path.replace("/dashboard/", "").replaceAll("/", "-");
  for (const width of page.viewportSize()!.width === 360 ? WIDTHS : WIDTHS.toReversed()) {
    await page.setViewportSize({ width, height: 900 });
    await expectToFit(page, width, path);
    if (width < 1360) {
      await keepPicture(page, `${name}.${width}.light`);
      continue;
    }
    await expectReadable(page, `${name}.1360`, { fullPage: true });
    if (path.startsWith(SANDBOX)) await expectNamesOf(page, path.slice(SANDBOX.length));
    if (path === SANDBOX) await expectNamesOfEveryPage(page);
  }
}

/**
 * Waits until everything has replaced its skeleton. Playwright's "networkidle" can be lost: on a busy machine it is reached before the page
 * is loaded, a later request takes it back, and it never comes again.
 */
async function settled(page: Page): Promise<void> {
  await expect(page.locator(".animate-pulse")).toHaveCount(0);
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
