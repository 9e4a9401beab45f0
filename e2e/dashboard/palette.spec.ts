import { expect, type Page } from "@playwright/test";
import { test } from "./sign-in.ts";

/** The command palette goes everywhere by a few letters, from the keyboard alone. */
const HOME = "/dashboard/demo/sandbox";

async function open(page: Page, keys = "Control+k") {
  await page.waitForLoadState("networkidle");
  await page.keyboard.press(keys);
  const palette = page.getByRole("dialog", { name: "Search or jump to" });
  await expect(palette.getByPlaceholder("Search definitions, players and pages…")).toBeFocused();
  return palette;
}

const JOURNEYS: [to: string, typed: string, option: RegExp, address: RegExp][] = [
  ["a page", "audit", /Audit log/, /\/dashboard\/demo\/audit-log$/],
  ["a page by another word for it", "webhooks", /Developers/, /\/sandbox\/developers/],
  ["a definition", "coffee lov", /Coffee lover/, /\/sandbox\/missions\/coffee_lover$/],
  ["a player", "sofi", /sofia/i, /\/sandbox\/players\/sofia$/],
  ["something to create", "new streak", /New streak/, /\/sandbox\/streaks\/new$/],
];

for (const [to, typed, option, address] of JOURNEYS) {
  test(`the palette leads to ${to}`, async ({ page }) => {
    await page.goto(HOME);
    const palette = await open(page, to === "a page" ? "Meta+k" : "Control+k");
    await page.keyboard.type(typed);
    const wanted = palette.getByRole("option", { name: option }).first();
    await expect(wanted).toBeVisible();
    for (let pressed = 0; pressed < 12 && (await wanted.getAttribute("aria-selected")) !== "true"; pressed++)
      await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(address);
    await expect(palette).toBeHidden();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
}

test("the palette finds the documentation first by its short name", async ({ page }) => {
  await page.goto(HOME);
  const palette = await open(page);
  await page.keyboard.type("docs");
  await expect(palette.getByRole("option").first()).toContainText("Documentation");
});

test("the palette closes by Escape, and gives the focus back", async ({ page }) => {
  await page.goto(HOME);
  await page.getByRole("button", { name: "Search or jump to…" }).click();
  const palette = page.getByRole("dialog", { name: "Search or jump to" });
  await expect(palette).toBeVisible();
  await page.keyboard.type("nothing is called so");
  await expect(palette.getByText(/^No results in this environment for/)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  await expect(page.getByRole("button", { name: "Search or jump to…" })).toBeFocused();
});

test("a player's page shows their state, and viewing it does not enter them into missions", async ({ page }) => {
  await page.goto(`${HOME}/players`);
  await page.getByLabel("Search by ID or name").fill("SOFI");
  await expect(page).toHaveURL(/\?q=SOFI$/);
  const found = page.getByRole("table", { name: "Players" }).getByRole("link");
  await expect(found).toHaveText([/sofia$/]);
  await found.click();
  await page.waitForURL(/\/players\/sofia$/);
  const titles = {
    ...{ Missions: ["Active missions", "Completed missions"], Points: ["Points history"], "Streaks and boards": ["Streaks"] },
    ...{ "Attributes and segments": ["Attributes", "Metric totals", "Segments"], Events: ["Events"] },
  };
  for (const [tab, headings] of Object.entries(titles)) {
    await page.getByRole("navigation", { name: "About this player" }).getByRole("link", { name: tab, exact: true }).click();
    for (const title of headings) await expect(page.getByRole("heading", { name: title, exact: true })).toBeVisible();
  }
  const facts = page.getByRole("table", { name: "Events" });
  await expect(facts.getByRole("link", { name: "Order placed" }).first()).toBeVisible();
  await page.goto(`${HOME}/players/nobody-of-that-name`);
  await expect(page.getByText("The Sandbox has never seen this player")).toBeVisible();
  await page.getByRole("link", { name: "All players" }).click();
  await page.waitForURL(/\/players$/);
});
