import { setTimeout as delay } from "node:timers/promises";
import { expect, type Page } from "@playwright/test";
import { violationsOf } from "../accessible.ts";
import { expectToFit } from "../fits.ts";
import { keepPicture } from "../pictures.ts";
import { follow } from "../hydrated.ts";
import { hold, intercept, refuse } from "./intercept.ts";
import { test } from "./sign-in.ts";

const HOME = "/dashboard/demo/sandbox";

async function open(page: Page, keys = "Control+k") {
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

test("the palette leads to pages, definitions, players and forms, and says what could not be searched", async ({ page }) => {
  await page.goto(HOME);
  await test.step("the palette finds the documentation first by its short name, closes by Escape, and gives the focus back", async () => {
    await page.getByRole("button", { name: "Search or jump to…" }).click();
    const palette = page.getByRole("dialog", { name: "Search or jump to" });
    const field = palette.getByPlaceholder("Search definitions, players and pages…");
    await field.fill("docs");
    await expect(palette.getByRole("option").first()).toContainText("Documentation");
    await field.fill("nothing is called so");
    await expect(palette.getByText(/^No results in this environment for/)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(palette).toBeHidden();
    await expect(page.getByRole("button", { name: "Search or jump to…" })).toBeFocused();
    // The next search begins anew.
    await open(page);
    await page.keyboard.type("listings");
    await page.keyboard.press("Escape");
    const again = await open(page);
    await page.keyboard.type("audit");
    await expect(again.getByRole("option", { name: "Audit log" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(again).toBeHidden();
  });
  await test.step("the palette leads to pages by their names and other words, to definitions, players and forms", async () => {
    for (const [to, typed, option, address] of JOURNEYS)
      await test.step(to, async () => {
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
  });
  await test.step("the palette shows no players of the previous search while the next one is running or has failed, and says which", async () => {
    const palette = await open(page);
    const field = palette.getByPlaceholder("Search definitions, players and pages…");
    await field.fill("sofi");
    await expect(palette.getByRole("option", { name: /sofia/i })).toBeVisible();
    const { held, release } = await hold(page, "**/rpc/players/search");
    await field.fill("bob-4711");
    await expect.poll(() => held).toHaveLength(1);
    await expect(palette.getByRole("option")).toHaveCount(0);
    await expect(palette.getByText("Searching…")).toBeVisible();
    release();
    await expect(palette.getByText("No results in this environment for “bob-4711”.")).toBeVisible();
    await refuse(page, "players/search");
    await field.fill("bob-4712");
    await expect(palette.getByText("Players could not be searched. Not now.")).toBeVisible();
    await refuse(page, "definitions/catalogue");
    await page.goto("/dashboard/demo/audit-log");
    await (await open(page)).getByPlaceholder("Search definitions, players and pages…").fill("bob-4711");
    await expect(page.getByText("Definitions could not be searched. Not now.")).toBeVisible();
  });
});

test("single keys navigate, search, create, edit and open menus, ? lists them, and a field receives them as text", async ({ page }) => {
  await page.goto(HOME);
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help.getByText("Leaderboards")).toBeVisible();
  expect(await violationsOf(page, { within: "[role=dialog]" })).toEqual([]);
  await keepPicture(page, "keys.wide.light");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page, 390);
  await keepPicture(page, "keys.narrow.light");
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await page.waitForURL(/\/missions$/);
  await expect(page.getByRole("link", { name: "New mission" })).toBeVisible();
  await page.keyboard.press("/");
  const search = page.getByRole("searchbox");
  await expect(search).toBeFocused();
  await page.keyboard.type("gm?c");
  await expect(search).toHaveValue("gm?c");
  await page.waitForURL(/\?q=/);
  // The page arrives after the search's debounce: writing the search into the address by then would cancel the navigation.
  await intercept(page, /\/missions\/new\?/, async (request) => {
    await delay(500);
    await request.continue();
  });
  await search.fill("");
  await search.blur();
  await page.keyboard.press("c");
  await page.waitForURL(/\/missions\/new/);
  await follow(page, `${HOME}/missions/coffee_lover`);
  await expect(page.getByRole("button", { name: "More actions" })).toBeVisible();
  await page.keyboard.press(".");
  await expect(page.getByRole("menuitem", { name: "Promote to Live" })).toBeVisible();
  // An open menu takes the focus a moment later.
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest("[role=menu]") != null)).toBe(true);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "More actions" })).toBeFocused();
  await page.keyboard.press(".");
  await expect(page.getByRole("menuitem", { name: "Promote to Live" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("e");
  await page.waitForURL(/\/missions\/coffee_lover\/edit$/);
  await follow(page, `${HOME}/missions`);
  await expect(page.getByRole("link", { name: "New mission" })).toBeVisible();
  await page.keyboard.press("?");
  await help.getByRole("checkbox", { name: "Single-key shortcuts" }).click();
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();
  await page.keyboard.press("?");
  await expect(help).toBeHidden();
  // The palette has the menus' commands, so the help opens although single keys are off.
  const palette = await open(page);
  await page.keyboard.type("hotkeys");
  await palette.getByRole("option", { name: "Keyboard shortcuts" }).click();
  await expect(help).toBeVisible();
});
