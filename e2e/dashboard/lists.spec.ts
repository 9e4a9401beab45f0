import { expect, type JSHandle, type Locator } from "@playwright/test";
import { violationsOf } from "../accessible.ts";
import { expectToFit } from "../fits.ts";
import { follow } from "../hydrated.ts";
import { keepPicture } from "../pictures.ts";
import { take } from "./forms.ts";
import { hold } from "./intercept.ts";
import { callAnswer, memberOf, ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

const order = { event: "order_placed", operator: "GreaterThanOrEqualTo", target: 3 };
const mission = (key: string, more: object = {}) => ({
  key,
  name: key,
  objectives: [order],
  rewards: [{ kind: "Points", points: 10 }],
  ...more,
});
const BASE = { events: [{ key: "order_placed", name: "Order placed" }] };
const COFFEE = { catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }] };
const listing = (key: string, more: object) => ({ key, name: key, contents: [{ catalogItem: "coffee", value: 1 }], ...more });

test("selected definitions are switched, all or none, and opened in Promote", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define({ ...BASE, missions: [mission("one"), mission("two"), mission("three"), mission("four")] });
  await page.goto(shop.at("/missions"));
  await expect(page.getByRole("columnheader", { name: "Audience" })).toBeVisible();
  await page.getByRole("checkbox", { name: "Select one", exact: true }).check();
  await page.getByRole("checkbox", { name: "Select two", exact: true }).check();
  await page.getByRole("checkbox", { name: "Select four", exact: true }).check();
  const bar = page.getByRole("region", { name: "Selected" });
  await expect(bar).toContainText("3 missions selected");
  expect(await violationsOf(page)).toEqual([]);
  await keepPicture(page, "bulk-missions.wide.light");
  // A row that was deleted is deselected.
  await take(page, "Actions for four", "Delete…");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(bar).toContainText("2 missions selected");
  await expect(bar.getByRole("link", { name: "Promote…" })).toHaveAttribute("href", /\/promote\?chosen=missions:one,missions:two$/);
  /** Presses a button, and checks that the other one is disabled until the response arrives. */
  const press = async (name: string, other: string, meanwhile?: () => Promise<void>) => {
    const { release } = await hold(page, "**/rpc/definitions/setActiveOfMany", 1);
    await bar.getByRole("button", { name }).click();
    await expect(bar.getByRole("button", { name: other })).toBeDisabled();
    await meanwhile?.();
    release();
  };
  const three = page.getByRole("checkbox", { name: "Select three", exact: true });
  await press("Switch on", "Switch off", () => three.check());
  await expect(page.getByText("2 missions switched on"), "not the one selected meanwhile").toBeVisible();
  await expect(bar).toContainText("3 missions selected");
  await three.uncheck();
  await press("Switch off", "Switch on");
  await expect(page.getByText("2 missions switched off")).toBeVisible();
  await expect(bar).toBeHidden();
  await expect(page.getByRole("row", { name: /two/ })).toContainText("Off");
  expect(await shop.stored("missions", "three")).toMatchObject({ active: true });

  await follow(page, shop.at("/events"));
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await bar.getByRole("button", { name: "Switch off" }).click();
  await expect(bar.getByRole("alert")).toContainText(/three/);
  await press("Switch on", "Switch off");
  await expect(page.getByText("1 event switched on")).toBeVisible();
  expect(await shop.stored("events", "order_placed")).toMatchObject({ active: true });
});

test("Next and Previous keep the focus on the last and the first page, and pressed twice open one page", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define({ events: Array.from({ length: 101 }, (_, at) => ({ key: `event_${at}`, name: `Event ${at}` })) });
  await page.goto(shop.at("/events"));
  const next = page.getByRole("button", { name: "Next" });
  const previous = page.getByRole("button", { name: "Previous" });
  await expect(page.getByText("1–50 of 101")).toBeVisible();
  await expect(previous).toBeDisabled();
  const { release } = await hold(page, "**/rpc/definitions/list");
  await next.press("Enter");
  await next.press("Enter");
  release();
  await expect(page.getByRole("row", { name: /event_50/ })).toBeVisible();
  await expect(page.getByText("51–100 of 101")).toBeVisible();
  await next.press("Enter");
  await expect(page.getByText("101 of 101")).toBeVisible();
  await expect(next).toBeDisabled();
  await expect(next).toBeFocused();
  await page.keyboard.press("Enter");
  await previous.press("Enter");
  await expect(page.getByText("51–100 of 101")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText("1–50 of 101")).toBeVisible();
  await expect(previous).toBeFocused();

  // Without its only row the last page is gone, and the one before it is shown.
  await next.click();
  await expect(page.getByText("51–100 of 101")).toBeVisible();
  await next.click();
  await expect(page.getByText("101 of 101")).toBeVisible();
  await page.getByRole("button", { name: "Actions for" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete event" }).click();
  await expect(page.getByText("51–100 of 100")).toBeVisible();
});

test("a search without results keeps the focus while it is cleared, and finds a name in any case", async ({ page }) => {
  const shop = await ownProject(page);
  const { key } = await shop.call<{ key: string }>("keys/create", { name: "backend" });
  await page.request.post("/v1/players", { headers: { authorization: `Bearer ${key}` }, data: { playerId: "ann", displayName: "Ann" } });
  await page.goto(shop.at("/players?q=zoe"));
  await expect(page.getByText("No players found")).toBeVisible();
  const { release } = await hold(page, "**/rpc/players/list");
  const search = page.getByRole("searchbox", { name: "Search by ID or name" });
  const written = await textsWrittenBy(search);
  await search.clear();
  await expect(page).toHaveURL(/\/players$/);
  await expect(search).toBeFocused();
  release();
  await expect(page.getByRole("row", { name: /ann/ })).toBeVisible();
  await expect(search).toBeFocused();
  await search.fill("AN");
  await expect(page).toHaveURL(/\?q=AN$/);
  await expect(page.getByRole("row", { name: /ann/ })).toBeVisible();
  // If the page wrote the input itself, it would undo what is typed before the URL has followed.
  expect(await written.jsonValue()).toEqual([]);
});

/** The texts that the page itself gives an input from now on. */
const textsWrittenBy = (input: Locator): Promise<JSHandle<string[]>> =>
  input.evaluateHandle((element) => {
    const written: string[] = [];
    const { get, set } = Object.getOwnPropertyDescriptor(element, "value")!;
    Object.defineProperty(element, "value", {
      configurable: true,
      get,
      set(text: string) {
        written.push(text);
        set!.call(this, text);
      },
    });
    return written;
  });

test("listings show the remaining stock, are sorted by price, and are added to a collection together", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define({
    ...COFFEE,
    marketplaceItems: [listing("cheap", { priceInPoints: 0, stock: 5 }), listing("dear", { priceInPoints: 90 })],
    marketplaceCollections: [{ key: "shelf", name: "Shelf", items: ["dear"] }],
  });
  await shop.call("definitions/promoteAll", { dryRun: false });
  await page.goto(shop.at("/listings"));
  await expect(page.getByRole("row", { name: /cheap/ })).toContainText("5 of 5");
  await expect(page.getByRole("row", { name: /dear/ })).toContainText("No limit");
  await page.getByRole("button", { name: "Price" }).click();
  await expect(page).toHaveURL(/sort=price/);
  await expect(page.locator("tbody tr").first()).toContainText("cheap");
  await page.getByRole("button", { name: "Price" }).click();
  await expect(page.locator("tbody tr").first()).toContainText("dear");

  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Add to collection…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Add to Shelf" }).click();
  await expect(page.getByText("1 added to Shelf")).toBeVisible();
  expect(await shop.stored("marketplaceCollections", "shelf")).toMatchObject({ items: ["dear", "cheap"] });

  // In Live it becomes a request, and the dialog is not left open to make it again.
  await shop.call("projectSettings/guardLive", { isOn: true });
  await page.goto(`/dashboard/${shop.slug}/live/listings`);
  await page.getByRole("checkbox", { name: "Select cheap" }).check();
  await page.getByRole("button", { name: "Add to collection…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Add to Shelf" }).click();
  await expect(page.getByText("Change requested", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Add to Shelf" })).toHaveCount(0);
});

test("a segment shows its count and members, and explains why a player is in it or not", async ({ page, service }) => {
  const shop = await ownProject(page);
  await shop.define({
    attributes: [{ key: "level", name: "Level", type: "Number" }],
    segments: [{ key: "high", name: "High", rule: { attribute: "level", operator: "GreaterThan", value: 1 } }],
  });
  const { key } = await shop.call<{ key: string }>("keys/create", { name: "backend" });
  for (const [playerId, level] of [
    ["ann", 1],
    ["bob", 2],
  ]) {
    const answer = await page.request.put(`${service.url}/v1/attributes`, {
      headers: { authorization: `Bearer ${key}` },
      data: { playerId, attributes: { level } },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
  }
  await page.goto(shop.at("/segments/high"));
  const players = page.locator("section").filter({ has: page.getByRole("heading", { name: "Players", exact: true }) });
  await players.getByRole("button", { name: "Count again" }).click();
  await expect(players).toContainText("1 of 2 players");
  await expect(players).toContainText(/Counted (just now|\d+ minutes? ago)/);
  await expect(players.getByRole("link", { name: "bob" })).toBeVisible();
  await page.getByRole("combobox", { name: "Player" }).fill("ann");
  await page.getByRole("option", { name: "ann" }).click();
  await expect(page.getByText("ann is not in the segment")).toBeVisible();
  await expect(page.getByText(/Level is 1/)).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await keepPicture(page, "segment.wide.light", { fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await keepPicture(page, "segment.wide.dark", { fullPage: true });
  await page.setViewportSize({ width: 390, height: 800 });
  await expectToFit(page, 390);
  await keepPicture(page, "segment.narrow.dark", { fullPage: true });
  await follow(page, shop.at("/segments"));
  await expect(page.getByRole("row", { name: /High/ })).toContainText("1");
});

test("Support reverses purchases and changes no definitions", async ({ page, browser }) => {
  const shop = await ownProject(page);
  await shop.define({ ...COFFEE, marketplaceItems: [listing("voucher", { priceInPoints: 0 })] });
  const { key } = await shop.call<{ key: string }>("keys/create", { name: "backend" });
  const headers = { authorization: `Bearer ${key}` };
  expect((await page.request.post("/v1/players", { headers, data: { playerId: "ann" } })).ok()).toBe(true);
  const bought = await page.request.post("/v1/marketplace-items/voucher/purchases", { headers, data: { playerId: "ann" } });
  expect(bought.ok(), await bought.text()).toBe(true);

  const support = await memberOf(browser, page, shop.slug, "Support");
  await support.goto(shop.at("/players/ann?tab=purchases"));
  await support.getByRole("button", { name: "Reverse purchase: voucher" }).click();
  await support.getByRole("alertdialog").getByLabel("Reason").fill("by mistake");
  await support.getByRole("alertdialog").getByRole("button", { name: "Reverse purchase" }).click();
  await expect(support.getByText("Reversed", { exact: true })).toBeVisible();
  await follow(support, shop.at("/listings/voucher/edit"));
  await expect(support.getByText("View only. You need the Editor role to make changes.")).toBeVisible();
  await follow(support, shop.at("/listings"));
  await expect(support.getByRole("row", { name: /voucher/ })).toBeVisible();
  await expect(support.getByRole("checkbox")).toHaveCount(0);
  const input = { project: shop.slug, environment: "sandbox", kind: "marketplaceItems", key: "voucher", active: false };
  expect((await callAnswer(support, "definitions/setActive", input)).status()).toBe(403);
});

const FRESH = /^(just now|\d+ minutes? ago)$/;

test("on a clock ahead of real time every screen says so, and each time follows its own clock", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define(BASE);
  await shop.call("work/moveClock", { by: "PT168H" });
  await page.goto(shop.at(""));
  for (const path of ["", "/events", "/players", "/promote", "/developers"]) {
    await follow(page, shop.at(path));
    await expect(page.getByRole("complementary", { name: "Sandbox clock" })).toContainText("1 week ahead of real time");
  }
  const { key } = await shop.call<{ key: string }>("keys/create", { name: "backend" });
  await page.request.post("/v1/players", { headers: { authorization: `Bearer ${key}` }, data: { playerId: "ann" } });
  await page.setViewportSize({ width: 1440, height: 900 });
  await follow(page, shop.at("/events"));
  await expect(page.getByRole("row", { name: /Order placed/ }).locator("time")).toHaveText(FRESH);
  await page.goto(shop.at("/players"));
  await expect(page.getByRole("row", { name: /ann/ }).locator("time")).toHaveText(FRESH);
  await keepPicture(page, "clock-ahead.wide.light");
  await follow(page, shop.at("/events").replace("/sandbox/", "/live/"));
  await expect(page.getByRole("complementary", { name: "Sandbox clock" })).toHaveCount(0);
});
