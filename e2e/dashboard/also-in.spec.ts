import { expect, type Page } from "@playwright/test";
import { expectReadable, violationsOf } from "../accessible.ts";
import { keepPicture } from "../pictures.ts";
import { created, openForm, expectToast } from "./forms.ts";
import { type OwnProject, ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

/** "Also in Live": a save into both environments never changes Live without showing it first. */

const ORDER = { key: "order", name: "Order placed" };
const mission = (points: number, more: object = {}) => ({
  ...{ key: "three_orders", name: "Three orders", rewards: [{ kind: "Points", points }] },
  objectives: [{ event: "order", operator: "GreaterThanOrEqualTo", target: 3 }],
  ...more,
});

const put = (shop: OwnProject, environment: string, lists: object) =>
  shop.call("definitions/importFile", { environment, text: JSON.stringify({ version: 1, ...lists }) });

const inLive = async (shop: OwnProject): Promise<{ rewards: { points: number }[]; description: string | null }> =>
  JSON.parse(
    (await shop.call<{ document: string }>("definitions/get", { environment: "live", kind: "missions", key: "three_orders" })).document,
  ) as { rewards: { points: number }[]; description: string | null };

async function describeAndTick(page: Page, shop: OwnProject): Promise<void> {
  await page.goto(shop.at("/missions/three_orders/edit"));
  await page.getByRole("textbox", { name: "Description", exact: true }).first().fill("Order three times");
  await page.getByText("Also in Live").click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
}

/** The bar with the save button, which also shows messages about Live. */
const bar = (page: Page) => page.locator("[data-action-bar]");

test("Live paid 45, Sandbox 40, and only the description is edited: Live stays at 45 unless that is confirmed", async ({ page }) => {
  const shop = await ownProject(page);
  await put(shop, "sandbox", { events: [ORDER], missions: [mission(40)] });
  await put(shop, "live", { events: [ORDER], missions: [mission(45)] });
  await describeAndTick(page, shop);

  const question = page.getByRole("dialog", { name: "This would change Live" });
  const untouched = question.getByRole("region", { name: "Not changed by you", exact: true });
  await expect(untouched).toContainText("You did not change this; Live differs");
  await expect(untouched).toContainText(/Reward 1.*45 points.*40 points/);
  await expect(question.getByRole("region", { name: "Changed by you", exact: true })).toContainText("Order three times");
  await expectReadable(page, "also-in.question");
  await page.setViewportSize({ width: 390, height: 800 });
  await keepPicture(page, "also-in.question.narrow");
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  expect((await inLive(shop)).rewards[0]!.points).toBe(45);

  await page.getByRole("button", { name: "Save", exact: true }).click();
  await question.getByRole("button", { name: "Save in Sandbox only" }).click();
  await expectToast(page, "Saved");
  expect((await inLive(shop)).rewards[0]!.points).toBe(45);
  expect(await shop.stored("missions", "three_orders")).toMatchObject({ description: { texts: { en: "Order three times" } } });

  await page.getByRole("textbox", { name: "Description", exact: true }).first().fill("Order three times, by Sunday");
  await page.getByText("Also in Live").click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await question.getByRole("button", { name: "Save in both, overwrite Live" }).click();
  await expect.poll(async () => (await inLive(shop)).rewards[0]!.points).toBe(40);
});

test("a change to Live after the preview is not overwritten: the user confirms again, with its present state", async ({ page }) => {
  const shop = await ownProject(page);
  await put(shop, "sandbox", { events: [ORDER], missions: [mission(40)] });
  await put(shop, "live", { events: [ORDER], missions: [mission(45)] });
  await describeAndTick(page, shop);
  const question = page.getByRole("dialog", { name: "This would change Live" });
  await expect(question).toContainText("45 points");
  await put(shop, "live", { missions: [mission(50)] });
  await question.getByRole("button", { name: "Save in both, overwrite Live" }).click();
  await expect(question).toContainText("changed it in Live meanwhile");
  await expect(question).toContainText("50 points");
  expect((await inLive(shop)).rewards[0]!.points).toBe(50);
  expect(await shop.stored("missions", "three_orders")).toMatchObject({ description: null });
});

test("Live's refusals are shown at the save bar with their remedies, and the page does not jump", async ({ page }) => {
  const shop = await ownProject(page);
  await put(shop, "sandbox", { events: [ORDER], missions: [mission(40)] });
  await put(shop, "live", {
    events: [ORDER],
    missions: [mission(40, { objectives: [{ event: "order", operator: "GreaterThanOrEqualTo", target: 9 }] })],
  });
  await describeAndTick(page, shop);
  const scrolled = await page.evaluate(() => scrollY);
  const refusal = bar(page).getByRole("alert");
  await expect(refusal).toContainText("Not saved: Live rejected it");
  await expect(refusal).toContainText("cannot change");
  await expect(refusal).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(scrolled);
  await expect(refusal.getByRole("link", { name: "Open in Live" })).toHaveAttribute("href", /\/live\/missions\/three_orders$/);
  expect(await violationsOf(page)).toEqual([]);
  await keepPicture(page, "also-in.refusal");
  await refusal.getByRole("button", { name: "Save in Sandbox only" }).click();
  await expectToast(page, "Saved");
  await expect(refusal).toHaveCount(0);
  expect(await shop.stored("missions", "three_orders")).toMatchObject({ description: { texts: { en: "Order three times" } } });
});

test("a new definition is saved in both environments by the keyboard too, and the choice ends with that save", async ({ page }) => {
  const shop = await ownProject(page);
  await page.goto(shop.at("/attributes/new"));
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("City");
  await page.getByText("Also in Live").click();
  await page.keyboard.press("ControlOrMeta+s");
  await created(page, "Attribute");
  expect(await shop.call("definitions/get", { environment: "live", kind: "attributes", key: "city" })).toMatchObject({ key: "city" });

  await openForm(page);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Town");
  await page.keyboard.press("ControlOrMeta+s");
  await expectToast(page, "Saved");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Place");
  await expect(page.getByRole("checkbox", { name: "Also in Live" })).not.toBeChecked();
  await page.goto(shop.at("/catalog-items/new"));
  await expect(page.getByRole("button", { name: "Create catalog item" })).toBeVisible();
  await expect(page.getByText("Also in Live")).toHaveCount(0);
});
