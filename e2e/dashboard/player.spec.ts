import { expect, type Page } from "@playwright/test";
import { expectReadable } from "../accessible.ts";
import { expectToFit } from "../fits.ts";
import { keepPicture } from "../pictures.ts";
import { take } from "./forms.ts";
import { refuse } from "./intercept.ts";
import { memberOf, ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

const mission = (key: string, name: string, target: number, more: object = {}) => ({
  ...{ key, name, objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target }] },
  ...{ rewards: [{ kind: "Points", points: 50 }], ...more },
});

const GOLD = { attribute: "tier", operator: "EqualTo", value: "gold" };

async function shopWithAnn(page: Page) {
  const shop = await ownProject(page);
  await shop.define({
    events: [{ key: "order_placed", name: "Order placed", properties: [{ key: "drink", type: "String" }] }],
    attributes: [{ key: "tier", name: "Tier", type: "String" }],
    segments: [{ key: "gold_customers", name: "Gold customers", rule: GOLD }],
    missions: [
      mission("first", "First order", 1),
      mission("ten", "Ten orders", 10),
      mission("gold_only", "Gold only", 1, { audience: { rule: GOLD } }),
    ],
  });
  const { key } = await shop.call<{ key: string }>("keys/create", { name: "backend" });
  const headers = { authorization: `Bearer ${key}` };
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`/v1/${path}`, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  await post("players", { playerId: "ann", displayName: "Ann" });
  await page.request.put("/v1/attributes", { headers, data: { playerId: "ann", attributes: { tier: "silver" } } });
  await post("missions", { playerId: "ann" });
  const events = ["latte", "mocha", "tea"].map((drink) => ({
    ...{ playerId: "ann", event: "order_placed", occurredAt: new Date().toISOString(), properties: { drink } },
  }));
  await post("events", { events });
  await expect
    .poll(async () => (await shop.call<{ balance: object }>("players/get", { externalId: "ann" })).balance)
    .toMatchObject({ balance: 50 });
  return shop;
}

const tab = (page: Page, name: string) => page.getByRole("navigation", { name: "About this player" }).getByRole("link", { name });

test("a player's page explains what happened, and what did not", async ({ page }) => {
  const { at } = await shopWithAnn(page);
  await page.goto(at("/players/ann"));
  const timeline = page.getByRole("list", { name: "Timeline" });
  await expect(timeline.getByText(/^Completed/)).toContainText("First order");
  await expect(timeline).toContainText("+50 points, from First order");
  await expect(timeline.getByRole("heading")).toHaveText(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+ [A-Z][a-z]{2} \d{4}$/);
  await expect(timeline).toContainText("drink mocha");
  await page.getByRole("group", { name: "Show only" }).getByRole("button", { name: "Points" }).click();
  await expect(timeline.getByRole("listitem")).toHaveCount(1);

  // A card that could not be loaded shows the error, and loads on another try.
  await refuse(page, "simulation/standing", 1);
  await tab(page, "Missions").click();
  await expect(page).toHaveURL(/\?tab=missions$/);
  const failed = page.getByRole("alert").filter({ hasText: "Missions could not be loaded" });
  await failed.getByRole("button", { name: "Try again" }).click();
  await expect(failed).toHaveCount(0);
  const others = page.getByRole("list", { name: "Other missions" });
  await others.getByText("Why not? Gold only").click();
  await expect(others).toContainText(/Tier.*silver.*gold/);
  await page.getByText("Why not? Ten orders").click();
  await expect(page.getByRole("main")).toContainText("3 of 10");
  // An objective without a description is named by its sentence.
  await expect(page.getByRole("progressbar", { name: "Order placed at least 10 times" })).toHaveCount(1);
  await page.getByRole("button", { name: "Grant mission: Ten orders" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByLabel("Reason").fill("The till was down");
  await dialog.getByRole("button", { name: "Grant mission" }).click();
  await expect(page.getByRole("table", { name: "Completed missions" })).toContainText("Ten orders");
  await expect(page.locator("dd", { hasText: /^100$/ }).first()).toBeVisible();
  await tab(page, "Attributes and segments").click();
  await expect(page.getByRole("list", { name: "Segments" })).toContainText("Not in");
  // Each tab has its own address: it survives a reload, and Back returns to the previous tab.
  await page.reload();
  await expect(page.getByRole("list", { name: "Segments" })).toContainText("Gold customers");
  await page.goBack();
  await expect(others).toBeVisible();
});

test("points, name and zone are changed with a reason and undone, and an erased player is gone", async ({ page, browser }) => {
  const { at, slug } = await shopWithAnn(page);
  const viewer = await memberOf(browser, page, slug, "Viewer");
  await viewer.goto(at("/players/ann"));
  await expect(viewer.getByRole("heading", { level: 1, name: "Ann" })).toBeVisible();
  await expect(viewer.getByRole("button", { name: /Adjust points|More actions/ })).toHaveCount(0);

  await page.goto(at("/players/ann"));
  const dialog = page.getByRole("alertdialog");
  await page.getByRole("button", { name: "Adjust points" }).click();
  const confirm = dialog.getByRole("button", { name: "Adjust points" });
  await dialog.getByLabel("Points").fill("-51");
  await expect(dialog).toContainText("The balance would be below 0.");
  await dialog.getByLabel("Points").fill("-20");
  await expect(dialog).toContainText("50 points → 30 points");
  await expect(confirm).toBeDisabled();
  await dialog.getByLabel("Reason").fill("Sent twice");
  await confirm.click();
  const timeline = page.getByRole("list", { name: "Timeline" });
  await expect(timeline).toContainText("−20 points, adjusted");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(timeline).toContainText("Undone: Sent twice");
  await expect(page.locator("dd", { hasText: /^50$/ }).first()).toBeVisible();

  const more = (name: string) => take(page, "More actions", name);
  await more("Name and time zone");
  await dialog.getByLabel("Name").fill("Anna");
  await dialog.getByLabel("Reason").press("Enter");
  await expect(dialog).toBeVisible();
  await dialog.getByLabel("Reason").fill("She asked");
  await dialog.getByRole("combobox").fill("Amstedam");
  await expect(page.getByText("No matches.")).toBeVisible();
  await dialog.getByRole("combobox").press("Enter");
  await expect(page.getByText("No matches.")).toHaveCount(0);
  await expect(dialog.getByRole("button", { name: "Save" })).toBeEnabled();
  await dialog.getByLabel("Reason").press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Anna" })).toBeVisible();

  await more("Export as JSON");
  await dialog.getByLabel("Reason").fill("She asked");
  const [download] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Export" }).click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({ profile: [{ externalId: "ann" }], events: [{}, {}, {}] });

  await more("Erase player");
  const erase = dialog.getByRole("button", { name: "Erase player" });
  await dialog.getByLabel("Reason").fill("She asked");
  await expect(erase).toBeDisabled();
  await dialog.getByLabel("Type ann to confirm").fill("ann");
  await erase.click();
  await page.waitForURL(at("/players"));
  await expect(page.getByText("Anna")).toHaveCount(0);
  expect((await page.goto(at("/players/ann")))!.status()).toBe(404);
});

test("large numbers fit a laptop: a report shows each on one line, and a player's squeeze nothing beside them", async ({ page }) => {
  const { at, call, define } = await ownProject(page);
  await define({ pointsValuations: [{ effectiveFrom: "2026-01-01T00:00:00Z", points: 100, amount: 1, currency: "EUR" }] });
  const { key } = await call<{ key: string }>("keys/create", { name: "backend" });
  const send = async (path: string, body: object) => {
    const answer = await page.request.post(`/v1/${path}`, {
      headers: { authorization: `Bearer ${key}` },
      data: { playerId: "ann", ...body },
    });
    expect(answer.status(), await answer.text()).toBe(200);
  };
  const adjust = (amount: number) => send("points/adjustments", { amount, reason: "Moved here" });
  await send("players", {});
  await page.setViewportSize({ width: 1024, height: 768 });
  await adjust(256_670);
  await page.goto(at("/analytics/points"));
  const worth = page.getByText("€2,566.70", { exact: true });
  const height = await worth.evaluate((shown) => `${shown.getBoundingClientRect().height}px`);
  await expect(worth).toHaveCSS("line-height", height);
  await adjust(Number.MAX_SAFE_INTEGER - 256_670);
  await page.goto(at("/players/ann"));
  await expect(page.getByText("9,007,199,254,740,991", { exact: true }).first()).toBeVisible();
  await expectToFit(page, 1024);
});

/** The cards of each tab. */
const TITLES: Record<string, string[]> = {
  ...{ Missions: ["Active missions", "Completed missions"], Points: ["Points history"], "Streaks and boards": ["Streaks"] },
  ...{ "Attributes and segments": ["Attributes", "Metric totals", "Segments"], Events: ["Events"] },
};

test("every tab has its cards and is accessible, in both themes and at every width", async ({ page }) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/dashboard/demo/sandbox/players/sofia");
  const tabs = page.getByRole("navigation", { name: "About this player" }).getByRole("link");
  await expect(tabs).toHaveCount(7);
  for (const link of await tabs.all()) {
    const tab = await link.innerText();
    const name = tab.toLowerCase().replaceAll(" ", "-");
    await page.setViewportSize({ width: 1440, height: 900 });
    await link.click();
    await expect(link).toHaveAttribute("aria-current", "page");
    for (const title of TITLES[tab] ?? []) await expect(page.getByRole("heading", { name: title, exact: true })).toBeVisible();
    // Waits until everything has replaced its skeleton.
    await expect(page.locator(".animate-pulse")).toHaveCount(0);
    await expectReadable(page, `player-${name}.wide`, { fullPage: true });
    await page.setViewportSize({ width: 360, height: 800 });
    await expectToFit(page, 360, name);
    await keepPicture(page, `player-${name}.narrow.light`, { fullPage: true });
  }
});
