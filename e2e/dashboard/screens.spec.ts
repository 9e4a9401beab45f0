import { expect, type Page } from "@playwright/test";
import { violationsOf } from "../accessible.ts";
import { expectToFit } from "../fits.ts";
import { keepPicture } from "../pictures.ts";
import { answerOf } from "../../testing/rpc.ts";
import { callAnswer } from "./own-project.ts";
import { test } from "./sign-in.ts";

/**
 * Every screen, full and empty, light and dark, wide and narrow: no overflow, no accessibility or contrast problems, no browser errors, and
 * no requests to other hosts.
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

/** Lists and forms are the same parts for every kind; pages of definitions are checked below. */
const LISTS = ["missions", "events", "players"];
const FORMS = ["missions", "leaderboards"];

const inSandbox = (path: string): string => `/dashboard/demo/sandbox${path}`;
const FULL = [
  ...[
    "",
    "/developers",
    "/developers/webhooks",
    "/developers/deliveries",
    "/developers/quarantine",
    "/developers/events",
    "/developers/requests",
    "/developers/quickstart",
    "/settings",
    "/alerts",
  ].map(inSandbox),
  ...LISTS.map((kind) => inSandbox(`/${kind}`)),
  ...FORMS.map((kind) => inSandbox(`/${kind}/new`)),
  "/dashboard/demo/settings/members",
  "/dashboard/demo/settings/channels",
  "/dashboard/demo/settings/tokens",
  "/dashboard/demo/audit-log",
  "/dashboard/account",
  "/dashboard/new-project",
];
const EMPTY = ["", "/missions", "/settings"].map((path) => `/dashboard/demo/live${path}`);

for (const path of [...FULL, ...EMPTY]) {
  test(`${path} can be read by everybody, everywhere`, async ({ page, baseURL }) => {
    const complaints = complaintsOf(page, baseURL!);
    await page.goto(path);
    await settled(page);
    await looksRight(page, path);
    expect(complaints).toEqual([]);
  });
}

test("a definition's page can be read by everybody, everywhere", async ({ page, baseURL }) => {
  test.slow();
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

/** A wide page in both themes: a picture, and what axe finds. A narrow one, which has the same parts: a picture, and nothing hangs over. */
async function looksRight(page: Page, path: string): Promise<void> {
  const name = path.replace("/dashboard/", "").replaceAll("/", "-");
  await page.setViewportSize({ width: 1360, height: 900 });
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await keepPicture(page, `${name}.wide.${colorScheme}`, { fullPage: true });
    expect(await violationsOf(page, { colours: colorScheme === "dark" }), `${path} (${colorScheme})`).toEqual([]);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await expectToFit(page, 360, path);
  await keepPicture(page, `${name}.narrow.light`);
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
