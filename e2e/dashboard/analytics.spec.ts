import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { zoneOfNoon } from "../zone-of-noon.ts";
import { follow } from "../hydrated.ts";
import { take } from "./forms.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

test("a mission's figures are those of its players, as a chart, a table and a file, at an address that can be shared", async ({ page }) => {
  const { at, call, define } = await ownProject(page, { timeZone: zoneOfNoon() });
  await define({
    events: [{ key: "visit", name: "Visit" }],
    missions: [
      {
        key: "two_visits",
        name: "=Two visits",
        objectives: [{ event: "visit", operator: "GreaterThanOrEqualTo", target: 2 }],
        rewards: [{ kind: "Points", points: 30 }],
      },
    ],
  });
  await page.goto(at("/analytics"));
  await expect(page.getByText("No active players in this range")).toBeVisible();
  const { key } = await call<{ key: string }>("keys/create", { name: "backend" });
  const headers = { authorization: `Bearer ${key}` };
  for (const [playerId, visits] of [
    ["ann", 2],
    ["bob", 1],
  ] as const) {
    expect((await page.request.post("/v1/missions", { headers, data: { playerId } })).status()).toBeLessThan(300);
    const events = Array.from({ length: visits }, () => ({ playerId, event: "visit", occurredAt: new Date().toISOString() }));
    expect((await page.request.post("/v1/events", { headers, data: { events } })).status()).toBeLessThan(300);
  }

  // From the definition to its figures.
  await follow(page, at("/missions/two_visits"));
  await page.getByRole("main").getByRole("link", { name: "Results", exact: true }).click();
  await page.waitForURL(/\/missions\/two_visits\/results$/);
  const funnel = page.getByRole("list", { name: "From offer to completion" }).getByRole("listitem");
  await expect(async () => {
    await page.reload();
    await expect(funnel).toHaveText([/Offered2/, /Accepted2/, /Progressed2/, /Completed1/], { timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole("list", { name: "Objectives met" })).toHaveText(/Visit at least 2 times/);

  // The page of all missions keeps the range and the table's order in its address.
  await follow(page, at("/analytics/missions"));
  await page.waitForURL(/\/analytics\/missions$/);
  await take(page, "Range: Last 28 days", "Last 7 days");
  await page.getByRole("radio", { name: "Week" }).click();
  await page.getByRole("button", { name: "Points paid" }).click();
  await expect(page).toHaveURL(/\?range=7d&by=Week&sort=points$/);
  await page.reload();
  const row = page.getByRole("row", { name: /=Two visits/ });
  await expect(row).toContainText("30");
  await expect(page.getByRole("columnheader", { name: "Points paid" })).toHaveAttribute("aria-sort", "descending");

  await page.getByRole("radiogroup", { name: "Show Completions as" }).getByRole("radio", { name: "Table" }).click();
  const table = page.getByRole("table", { name: "Completions" });
  await expect(table.getByRole("row").last()).toContainText(/Week of .* \(so far\)10/);

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download All missions as CSV" }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/-sandbox-all-missions\.csv$/);
  const [heading, ...lines] = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
  expect(heading).toMatch(/^\uFEFFMission,Offered,Accepted,Progressed,Completed,Rate,Completions,Median time \(s\),Points paid,/);
  // Spreadsheets must not run a name.
  expect(lines).toEqual([expect.stringMatching(/^'=Two visits,2,2,2,1,0\.5,1,\d+(\.\d+)?,30,30,0,0$/)]);

  // The range is kept; charts can be read by keyboard alone.
  await page.getByRole("navigation", { name: "Reports" }).getByRole("link", { name: "Players" }).click();
  await page.waitForURL(/\/analytics\/players\?range=7d&by=Week$/);
  const chart = page.getByRole("application", { name: /^Active players/ });
  await chart.focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator(".recharts-tooltip-wrapper").first()).toContainText(/Week of .* \(so far\)Active2/);

  // A range of days is typed by keyboard, although the report follows each digit.
  await follow(page, at("/analytics/missions?from=2025-03-20&to=2025-03-25"));
  await page.getByLabel("From", { exact: true }).focus();
  await page.keyboard.press("1");
  await expect(page).toHaveURL(/from=2025-01-20&/);
  await page.keyboard.type("2252024");
  await expect(page).toHaveURL(/from=2024-12-25&/);

  // The home has the same figures, as soon as there was an event.
  await follow(page, at(""));
  await expect(page.getByRole("heading", { name: /^Today so far/ })).toBeVisible();
  const figure = (label: string) => page.locator("dl > div").filter({ hasText: label }).locator("dd > span").first();
  await expect(figure("Active players")).toHaveText(/^2/);
  await expect(figure("Missions completed")).toHaveText(/^1/);
  await expect(figure("Points outstanding")).toHaveText(/^30/);
});

test("the home lists items that need attention, and links to them", async ({ page }) => {
  const { at, call, define } = await ownProject(page);
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString();
  await define({
    events: [{ key: "visit", name: "Visit" }],
    catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
    marketplaceItems: [{ key: "free", name: "Free coffee", priceInPoints: 0, stock: 1, contents: [{ catalogItem: "coffee", value: 1 }] }],
    missions: [
      {
        key: "ending",
        name: "November special",
        window: { endsAt: soon },
        objectives: [{ event: "visit", operator: "GreaterThanOrEqualTo", target: 1 }],
        rewards: [{ kind: "Points", points: 1 }],
      },
    ],
  });
  const { key } = await call<{ key: string }>("keys/create", { name: "backend" });
  const headers = { authorization: `Bearer ${key}` };
  await page.request.post("/v1/players", { headers, data: { playerId: "ann" } });
  const bought = await page.request.post("/v1/marketplace-items/free/purchases", { headers, data: { playerId: "ann" } });
  expect(bought.status(), await bought.text()).toBeLessThan(300);
  await page.goto(at(""));
  const items = page.getByRole("list", { name: "Needs attention" }).getByRole("listitem");
  await expect(items).toHaveText([/Free coffee is sold out.*0 of 1 left/, /November special ends soon/]);
  await items.last().getByRole("link").click();
  await page.waitForURL(/\/missions\/ending$/);
});
