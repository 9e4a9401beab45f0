import { expect } from "@playwright/test";
import { expectToFit } from "../fits.ts";
import { follow, hydrated } from "../hydrated.ts";
import { test as base } from "../service.ts";
import { failNext } from "./intercept.ts";
import { ownProject } from "./own-project.ts";

/** The owner on a phone. */
const test = base.extend({
  page: async ({ browser, service, ownerState }, use) => {
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, reducedMotion: "reduce" } as const;
    const context = await browser.newContext({ baseURL: service.url, storageState: ownerState, ...phone });
    await use(hydrated(await context.newPage()));
    await context.close();
  },
});

test("at 360 px the navigation opens, navigates and closes, and a form is filled in", async ({ page }) => {
  const shop = await ownProject(page);
  await page.goto(shop.at(""));
  await expectToFit(page, 360);
  await page.getByRole("button", { name: "Navigation" }).tap();
  const navigation = page.getByRole("dialog", { name: "Navigation" });
  await expect(navigation.getByRole("link", { name: "Players" })).toBeVisible();
  await navigation.getByRole("link", { name: "Events", exact: true }).tap();
  await page.waitForURL(/\/events$/);
  await expect(navigation).toBeHidden();
  await expectToFit(page, 360);

  await page.getByRole("link", { name: "New event" }).first().tap();
  await page.waitForURL(/\/events\/new$/);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Order placed");
  await page.getByRole("button", { name: "Add a property" }).tap();
  await page.getByLabel("Key of property 1").fill("amount");
  await page.getByLabel("Type of amount").tap();
  await page.getByRole("option", { name: /Number/ }).tap();
  await expectToFit(page, 360);
  await page.getByRole("button", { name: "Create event" }).tap();
  await page.waitForURL(/\/events\/order_placed$/);
  await expectToFit(page, 360);
  expect(await shop.stored("events", "order_placed")).toMatchObject({ properties: [{ key: "amount", type: "Number" }] });
});

test("at 360 px a name of 120 characters without a space breaks, also in a sentence", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.call("projectSettings/save", { name: "n".repeat(120), defaultLanguage: "en", timeZone: "UTC" });
  await page.goto(`/dashboard/${shop.slug}/settings/members`);
  await expect(page.getByText(/People who work on n{120}/)).toBeVisible();
  await expectToFit(page, 360);
});

test("at 360 px a definition's long name is readable beside its state, in its list and above its history", async ({ page }) => {
  const shop = await ownProject(page);
  const name = "Five orders in a row ".repeat(5).trim();
  await shop.define({ events: [{ key: "long", name, active: false }] });
  await page.goto(shop.at("/events"));
  const shown = page.getByRole("main").getByText(name).first();
  // A line is 20 px high. Two lines are needed to tell apart names that begin alike.
  expect((await shown.boundingBox())!.height).toBeGreaterThan(36);
  for (const path of ["/events", "/events/long", "/events/long/history"]) {
    await follow(page, shop.at(path));
    await expect(shown).toBeVisible();
    await expect(page.getByText("Off", { exact: true }).first()).toBeVisible();
    await expectToFit(page, 360);
  }
});

test("at 360 px the failure of a dialog is in view, however far its fields are scrolled", async ({ page }) => {
  const shop = await ownProject(page);
  await page.goto(shop.at("/alerts"));
  await page.getByRole("button", { name: "Add alert" }).tap();
  const dialog = page.getByRole("dialog", { name: "New alert" });
  await failNext(page, "alerts/save");
  await dialog.getByText("Checked during the hour.").scrollIntoViewIfNeeded();
  await dialog.getByRole("button", { name: "Add alert" }).tap();
  await expect(dialog.getByText("The service cannot be reached.")).toBeInViewport();
  await expectToFit(page, 360);
});
