import { expect, type Page } from "@playwright/test";
import example from "../../server/model/definitions/example.json" with { type: "json" };
import { answerOf } from "../../testing/rpc.ts";
import { follow } from "../hydrated.ts";
import { callAnswer, memberOf, type OwnProject, ownProject } from "./own-project.ts";
import { choose, moveUp, openForm, take } from "./forms.ts";
import { test } from "./sign-in.ts";

/**
 * Each kind of definition that has no journey of its own is created and edited on its screens. Switching off and deleting are the same code
 * for every kind.
 */

const main = (page: Page) => page.getByRole("main");
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
const saved = (page: Page) => expect(page.getByRole("status").filter({ hasText: "Unsaved changes" })).toHaveCount(0);

async function begin(page: Page, project: OwnProject, path: string, one: string): Promise<void> {
  await follow(page, project.at(`/${path}`));
  await page
    .getByRole("link", { name: `New ${one}` })
    .first()
    .click();
  await page.waitForURL(new RegExp(`/${path}/new$`));
}

async function create(page: Page, one: string, address: RegExp): Promise<void> {
  await page.getByRole("button", { name: `Create ${one}` }).click();
  await page.waitForURL(address);
  await openForm(page);
}

async function search(page: Page, label: string | RegExp, typed: string, option: RegExp): Promise<void> {
  await page.getByRole("combobox", { name: label }).fill(typed);
  await page.getByRole("option", { name: option }).first().click();
}

async function switchOff(page: Page): Promise<void> {
  await take(page, "More actions", /^Switch off/);
  await expect(main(page).getByText("Off", { exact: true })).toBeVisible();
}

async function remove(page: Page, one: string, path: string, name: string): Promise<void> {
  await take(page, "More actions", /^Delete/);
  await page.getByRole("button", { name: `Delete ${one}` }).click();
  await page.waitForURL(new RegExp(`/${path}$`));
  await expect(page.getByText(`${name} is deleted`).first()).toBeVisible();
}

test("each kind without a journey of its own is created and edited on its screens", async ({ page }) => {
  test.slow();
  const shop = await ownProject(page);
  const objectives = [{ event: "visited", operator: "GreaterThanOrEqualTo", target: 1 }];
  const missions = ["One", "Two", "Three"].map((name) => ({
    key: name.toLowerCase(),
    name,
    objectives,
    rewards: [{ kind: "Points", points: 5 }],
  }));
  await shop.define({ events: [{ key: "visited", name: "Visited" }], missions });
  await page.goto(shop.at(""));
  await test.step("an event gets properties, a new name, is switched off and deleted", async () => {
    await begin(page, shop, "events", "event");
    await page.getByRole("button", { name: "Create event" }).click();
    await expect(page.getByRole("alert").first()).toBeVisible();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Order placed");
    await page.getByRole("button", { name: "Add a property" }).click();
    await page.getByLabel("Key of property 1").fill("amount");
    await choose(page.getByLabel("Type of amount"), "Number");
    await create(page, "event", /\/events\/order_placed$/);

    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Order");
    await page.getByRole("button", { name: "Add a property" }).click();
    await page.getByLabel("Key of property 2").fill("shop");
    await save(page);
    await saved(page);
    expect(await shop.stored("events", "order_placed")).toMatchObject({
      properties: [
        { key: "amount", type: "Number" },
        { key: "shop", type: "String" },
      ],
    });
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Order");
    await switchOff(page);
    await remove(page, "event", "events", "Order");
  });
  await test.step("a metric's kind is immutable once created, and the form says so", async () => {
    await begin(page, shop, "metrics", "metric");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Steps");
    await page.getByRole("radio", { name: /^Number/ }).click();
    await create(page, "metric", /\/metrics\/steps$/);
    await expect(page.getByRole("radio", { name: /^Money/ })).toBeDisabled();
    await expect(page.getByText("Can't be changed: key and type.")).toBeVisible();
  });
  await test.step("an attribute and a catalog item are created with a type", async () => {
    await begin(page, shop, "attributes", "attribute");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Birthday");
    await page.getByRole("radio", { name: /^Date and time/ }).click();
    await create(page, "attribute", /\/attributes\/birthday$/);
    expect(await shop.stored("attributes", "birthday")).toMatchObject({ type: "DateTime" });

    await begin(page, shop, "catalog-items", "catalog item");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Tasting box");
    await page.getByRole("radio", { name: /^List of texts/ }).click();
    await create(page, "catalog item", /\/catalog-items\/tasting_box$/);
    expect(await shop.stored("catalogItems", "tasting_box")).toMatchObject({ valueType: "Collection" });
  });
  await test.step("a collection is reordered by keyboard", async () => {
    await begin(page, shop, "mission-collections", "mission collection");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("First steps");
    for (const name of ["One", "Two", "Three"]) await search(page, "Add a mission", name, new RegExp(`^${name}`));
    await create(page, "mission collection", /\/mission-collections\/first_steps$/);
    expect(await shop.stored("missionCollections", "first_steps")).toMatchObject({ missions: ["one", "two", "three"] });

    await moveUp(page, "Three", { from: 3, of: 3 });
    await expect(page.getByRole("status").filter({ hasText: "Unsaved changes" })).toBeVisible();
    await save(page);
    await saved(page);
    expect(await shop.stored("missionCollections", "first_steps")).toMatchObject({ missions: ["one", "three", "two"] });
    // The arrow buttons do the same for users who cannot drag.
    await page.getByRole("button", { name: "Move up: Three" }).click();
    await expect(page.getByText("Moved to place 1 of 3.")).toBeAttached();
    await page.getByRole("button", { name: "Move down: Three" }).click();
    await expect(page.getByText("Moved to place 2 of 3.")).toBeAttached();
    await page.getByRole("button", { name: "Remove One", exact: true }).click();
    await save(page);
    await saved(page);
    expect(await shop.stored("missionCollections", "first_steps")).toMatchObject({ missions: ["three", "two"] });
  });
  await test.step("a valuation sets the worth of points from a date on", async () => {
    await begin(page, shop, "valuations", "valuation");
    await page.getByLabel(/^From/).fill("2026-04-01T00:00");
    await page.getByLabel(/^Points/).fill("100");
    await page.getByLabel("Are worth").fill("1.5");
    await search(page, "Currency", "EUR", /^EUR/);
    await create(page, "valuation", /\/valuations\/[^/]+$/);
    const key = decodeURIComponent(page.url().split("/").at(-2)!);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("From 1 Apr 2026, 00:00");
    // Midnight in Amsterdam, in summer.
    expect(await shop.stored("pointsValuations", key)).toMatchObject({
      effectiveFrom: "2026-03-31T22:00:00.000Z",
      points: 100,
      amount: 1.5,
      currency: "EUR",
    });
    await page.getByLabel("Are worth").fill("2");
    await save(page);
    await saved(page);
    expect(await shop.stored("pointsValuations", key)).toMatchObject({ amount: 2 });
    await remove(page, "valuation", "valuations", "From 1 Apr 2026, 00:00");
  });
  await test.step("an exchange rate needs a base currency first, and is exact", async () => {
    await begin(page, shop, "exchange-rates", "exchange rate");
    await expect(page.getByText("This environment has no base currency yet")).toBeVisible();
    await shop.call("definitions/saveSettings", { baseCurrency: "EUR" });
    await page.reload();
    await search(page, "Currency", "USD", /^USD/);
    await page.getByLabel("Worth in EUR").fill("0.91234567");
    await create(page, "exchange rate", /\/exchange-rates\/USD$/);
    await page.getByLabel("Worth in EUR").fill("0.92000001");
    await save(page);
    await saved(page);
    expect(await shop.stored("exchangeRates", "USD")).toMatchObject({ rate: 0.92000001 });
  });
});

/** Forms that together have every kind of field: a disabled fieldset disables all of them (web/definitions/kinds/forms/forms.test.ts). */
const KINDS: [path: string, kind: string][] = [
  ["missions", "missions"],
  ["listings", "marketplaceItems"],
  ["leaderboards", "leaderboards"],
];

const VIEW_ONLY = "View only. You need the Editor role to make changes.";

test("a Viewer sees definitions and can change nothing", async ({ page, browser }) => {
  test.slow();
  const shop = await ownProject(page);
  await shop.define(example);
  const viewer = await memberOf(browser, page, shop.slug, "Viewer");
  await viewer.goto(shop.at("/missions/new"));
  await expect(viewer.getByText(VIEW_ONLY)).toBeVisible();
  await viewer.keyboard.press("Control+k");
  const palette = viewer.getByRole("dialog", { name: "Search or jump to" });
  await expect(palette.getByRole("option", { name: "Missions", exact: true })).toBeVisible();
  await expect(palette.getByRole("option", { name: /^New / })).toHaveCount(0);
  await viewer.keyboard.press("Escape");
  // One list stands for all kinds, which share its code. Calls without a button are refused too (server/api/access.test.ts).
  await viewer.getByRole("link", { name: "Missions", exact: true }).first().click();
  await expect(viewer.getByRole("table").getByRole("row").nth(1)).toBeVisible();
  await expect(viewer.getByRole("link", { name: "New mission" })).toHaveCount(0);
  for (const [path, kind] of KINDS) {
    const list = { project: shop.slug, environment: "sandbox", kind };
    const { rows } = await answerOf<{ rows: { key: string }[] }>("definitions/list", callAnswer(viewer, "definitions/list", list));
    await follow(viewer, shop.at(`/${path}/${encodeURIComponent(rows[0]!.key)}/edit`));
    await expect(viewer.getByText(VIEW_ONLY), path).toBeVisible();
    for (const name of ["Save", "More actions"]) await expect(viewer.getByRole("button", { name, exact: true }), path).toHaveCount(0);
    await expect(viewer.getByRole("button", { name: "Copy key" }), path).toBeEnabled();
    const enabled = main(viewer).locator("form :is(input, textarea, select, button):enabled:not([aria-hidden=true])");
    expect(await enabled.evaluateAll((all) => all.map((one) => one.outerHTML.slice(0, 200))), path).toEqual([]);
  }
});
