import { expect } from "@playwright/test";
import { follow } from "../hydrated.ts";
import { take } from "./forms.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

const SANDBOX = "/dashboard/demo/sandbox";

test("definitions are called by their names, points add up, and settings offer the same languages as a new project", async ({ page }) => {
  await test.step("the title of the browser and the breadcrumbs end in a name, not in a key", async () => {
    await page.goto(`${SANDBOX}/missions/coffee_lover`);
    await expect(page).toHaveTitle(/^Coffee lover · Missions/);
    const crumbs = page.getByRole("navigation", { name: "Breadcrumbs" });
    await expect(crumbs.getByRole("link")).toHaveText(["Missions"]);
    await expect(crumbs.locator('[aria-current="page"]')).toHaveText("Coffee lover");
  });
  await test.step("a definition that cannot be deleted gives the reason, without a red button", async () => {
    await follow(page, `${SANDBOX}/missions`);
    await take(page, "Actions for Coffee lover", "Delete…");
    const dialog = page.getByRole("alertdialog");
    await expect(dialog).toContainText(/cannot be deleted|is used by/);
    await expect(dialog.getByRole("button", { name: "Delete mission" })).toHaveCount(0);
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toBeHidden();
  });
  await test.step("the points of a player are shown as earned, spent and adjusted", async () => {
    await follow(page, `${SANDBOX}/players/sofia`);
    const shown = async (term: string) => {
      const value = page
        .locator("div", { has: page.locator("dt").getByText(term, { exact: true }) })
        .last()
        .locator("dd");
      return Number((await value.innerText()).replaceAll(",", ""));
    };
    expect((await shown("Earned")) - (await shown("Spent")) + (await shown("Adjusted"))).toBe(await shown("Points"));
  });
  await test.step("the settings choose the default language from the list that a new project has", async () => {
    await follow(page, `${SANDBOX}/settings`);
    const language = page.getByRole("combobox", { name: "Default language" });
    await language.fill("Portuguese");
    await expect(page.getByRole("option", { name: /Brazilian Portuguese/ })).toBeVisible();
    await page.keyboard.press("Escape");
  });
});

test("recent changes name a definition by its name, and a deleted one by its key", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define({ attributes: ["City", "Tier"].map((name) => ({ key: name.toLowerCase(), name, type: "String" })) });
  for (const key of ["city", "tier"]) await shop.call("definitions/setActive", { kind: "attributes", key, active: false });
  await shop.call("definitions/remove", { kind: "attributes", key: "tier" });
  await page.goto(shop.at(""));
  await expect(page.getByRole("link", { name: "City", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "tier", exact: true })).toHaveCount(2);
});
