import { expect, type Locator } from "@playwright/test";
import { keepPicture } from "../pictures.ts";
import { OWNER } from "../service.ts";
import { follow } from "../hydrated.ts";
import { openForm, take, expectToast } from "./forms.ts";
import { hold, intercept } from "./intercept.ts";
import { callAnswer, memberOf, type OwnProject, ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

const objectives = [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 3 }];

async function defineMission(shop: OwnProject, points: number): Promise<void> {
  const mission = { key: "regular", name: "Regular", objectives, rewards: [{ kind: "Points", points }] };
  await shop.define({ events: [{ key: "order_placed", name: "Order placed" }], missions: [mission] });
}

test("a definition has tabs with addresses, each prefetched once it is hovered, and an overview in words", async ({ page }) => {
  const shop = await ownProject(page);
  await defineMission(shop, 40);
  const prefetched: string[] = [];
  page.on("request", (request) => request.url().includes("_rsc=") && prefetched.push(new URL(request.url()).pathname));
  await page.goto(shop.at("/missions/regular"));
  await page.getByRole("link", { name: "History", exact: true }).first().hover();
  await expect.poll(() => new Set(prefetched)).toEqual(new Set([shop.at("/missions/regular/history")]));
  await expect(page.getByText("Order placed at least 3 times")).toBeVisible();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Order placed" })).toHaveAttribute("href", shop.at("/events/order_placed"));
  await keepPicture(page, "definition-overview", { fullPage: true });

  // On a slow line, a bar shows that the pressed link's page is on its way.
  const { release: answer } = await hold(page, /\/regular\/edit\?/);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await expect(page.locator("[data-navigating]")).toBeAttached();
  answer();
  await openForm(page);
  await expect(page.locator("[data-navigating]")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Save", exact: true })).toHaveCount(0);
  await page.getByLabel("Points", { exact: true }).fill("45");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expectToast(page, "Saved");
  await expect(page.getByRole("button", { name: "Save", exact: true })).toHaveCount(0);
  await page.reload();
  await expect(page.getByLabel("Points", { exact: true })).toHaveValue("45");
});

test("a mission's form keeps its author's changes and another user's, and starts over only with a save", async ({ page }) => {
  const shop = await ownProject(page);
  await defineMission(shop, 40);
  await page.goto(shop.at("/missions/regular/edit"));
  await test.step("a save that does not reach the service keeps the text and the focus, and says so once", async () => {
    await page.getByLabel("Points", { exact: true }).fill("45");
    const reconnect = await intercept(page, "**/rpc/definitions/save", (request) => request.abort());
    const save = page.getByRole("button", { name: "Save", exact: true });
    // The toast is hidden from screen readers, which read a separate text.
    const notices = page.getByRole("alertdialog", { includeHidden: true });
    for (const attempt of ["first", "second"]) {
      const failed = page.waitForEvent("requestfailed");
      await save.press("Enter");
      await failed;
      await expect(notices.filter({ hasText: "The mission was not saved" }), attempt).toHaveCount(1);
      await expect(save, attempt).toBeFocused();
    }
    reconnect();
    await save.press("Enter");
    await expectToast(page, "Saved");
    expect(await shop.stored("missions", "regular")).toMatchObject({ rewards: [{ points: 45 }] });
  });
  await test.step("a save after another user's shows both changes, wherever the page was scrolled to", async () => {
    await page.getByLabel("Points", { exact: true }).fill("55");
    await page.getByRole("radio", { name: "Collections only" }).focus();
    await defineMission(shop, 50);
    for (const attempt of ["first", "second"]) {
      await page.keyboard.press("ControlOrMeta+s");
      const notice = page.getByText("Your changes were not saved.", { exact: false });
      await expect(notice, attempt).toBeInViewport();
      await page.getByRole("radio", { name: "Collections only" }).focus();
      await expect(notice, attempt).not.toBeInViewport();
    }
    // The other user saves once more while both sides are compared: that is another conflict, and nothing is overwritten unseen.
    const overwrite = page.getByRole("button", { name: "Overwrite with mine" });
    await defineMission(shop, 60);
    await overwrite.click();
    await expect(page.getByRole("region", { name: "Their changes" })).toContainText("60");
    await overwrite.click();
    // The toast of the save before may still be there.
    await expect.poll(() => shop.stored("missions", "regular")).toMatchObject({ rewards: [{ points: 55 }] });
    await expect(page.getByRole("button", { name: "Save", exact: true })).toHaveCount(0);
  });
  await test.step("a mission without players is started over under the same key, and nothing is deleted before the save", async () => {
    await expect(page.getByText("Can't be changed: key, objectives, objective order, entry and repeats.")).toBeVisible();
    await page.getByRole("link", { name: "Start over" }).click();
    await expect(page.getByText("You are starting over")).toBeVisible();
    await expect(page.getByLabel(/^Key/)).toBeDisabled();
    await page.getByLabel("Value", { exact: true }).fill("5");
    expect(await shop.stored("missions", "regular")).toMatchObject({ objectives: [{ target: 3 }] });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForURL(/\/missions\/regular$/);
    await expect(page.getByText("Order placed at least 5 times")).toBeVisible();
    expect(await shop.stored("missions", "regular")).toMatchObject({ objectives: [{ target: 5 }] });
  });
});

test("the focus is never behind the save bar, and goes to the first problem, also among weekdays", async ({ page }) => {
  const shop = await ownProject(page);
  const where = { when: { weekdays: ["Monday"] } };
  const rule = { event: "order_placed", where, measure: { kind: "Count" }, operator: "GreaterThanOrEqualTo", value: 3, lastDays: 30 };
  const events = [{ key: "order_placed", name: "Order placed" }];
  await shop.define({ events, segments: [{ key: "regulars", name: "Regulars", rule: { all: Array.from({ length: 12 }, () => rule) } }] });
  await page.goto(shop.at("/segments/regulars/edit"));
  const monday = page.getByRole("button", { name: "Monday", exact: true });
  await monday.first().click();
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.getByText("Fix 1 problem")).toBeAttached();
  await expect(monday.first()).toBeFocused();
  const bar = page.locator("[data-action-bar]");
  for (let at = 1; at < 12; at++) {
    await monday.nth(at).focus();
    const [field, edge] = [await monday.nth(at).boundingBox(), await bar.boundingBox()];
    expect(field!.y + field!.height, `condition ${at + 1}`).toBeLessThanOrEqual(edge!.y);
  }
});

test("two versions are compared in words, one is restored, and so is a deleted definition", async ({ page, browser }) => {
  const shop = await ownProject(page);
  await defineMission(shop, 40);
  await defineMission(shop, 45);
  await page.goto(shop.at("/missions/regular/history"));
  const main = page.getByRole("main");
  await expect(main.getByText("Before: ").first().locator("..")).toContainText("40 points");
  await expect(main.getByText("After: ").first().locator("..")).toContainText("45 points");
  await follow(page, shop.at("/missions/regular/history?from=2&to=1"));
  await expect(main.getByText("After: ").first().locator("..")).toContainText("40 points");
  await keepPicture(page, "definition-history", { fullPage: true });

  await page.getByRole("button", { name: "Restore version 1" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore", exact: true }).click();
  await expectToast(page, "Version 1 restored");
  await expect(page.getByRole("listitem").filter({ hasText: "Version 3" })).toContainText("restored an earlier version");
  expect(await shop.stored("missions", "regular")).toMatchObject({ rewards: [{ points: 40 }] });

  const editor = await memberOf(browser, page, shop.slug, "Editor");
  const off = { project: shop.slug, environment: "sandbox", kind: "missions", key: "regular", active: false };
  await callAnswer(editor, "definitions/setActive", off);
  await take(page, "More actions", /^Delete/);
  await page.getByRole("button", { name: "Delete mission" }).click();
  await page.waitForURL(/\/missions$/);
  await page.goto(shop.at("/missions/regular"));
  await page.waitForURL(/\/missions\/regular\/history$/);
  await expect(page.getByText("Its history is kept.")).toBeVisible();
  await follow(page, shop.at("/missions/regular/history?before=5"));
  await expect(page.getByText(/deleted this mission on/), "among older versions, too").toContainText(OWNER.email);
  await page.getByRole("button", { name: "Restore version 2" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore", exact: true }).click();
  await expectToast(page, "Version 2 restored");
  expect(await shop.stored("missions", "regular")).toMatchObject({ rewards: [{ points: 45 }] });
});

test("a new leaderboard names its immutable fields, and all problems in the first round", async ({ page }) => {
  const shop = await ownProject(page);
  await page.goto(shop.at("/leaderboards/new"));
  await expect(page.getByText(/^Can't be changed once the leaderboard is created: key, score/)).toBeVisible();
  await page.getByRole("radio", { name: /^Points/ }).click();
  await page.getByRole("switch", { name: /Play in leagues/ }).click();
  await page.getByLabel(/^Players in a group/).fill("5");
  await page.getByRole("button", { name: "Create leaderboard" }).click();
  const list = page.getByRole("alert").filter({ hasText: "Fix" });
  await expect(list).toContainText("Enter a name");
  await expect(list).toContainText("as many as move up and down together");
  // A field added after a failed save shows no problem before it was visited.
  await page.getByRole("button", { name: "Add a prize" }).click();
  await expect(page.getByLabel("Points", { exact: true })).not.toHaveAttribute("aria-invalid", "true");
});

test("a rule's row is one line at 1440 px, and its value never wraps alone", async ({ page }) => {
  const shop = await ownProject(page);
  const properties = [{ key: "amount", type: "Number", required: true }];
  await shop.define({ events: [{ key: "order_placed", name: "Order placed", properties }] });
  const rule = {
    ...{ event: "order_placed", where: null, operator: "GreaterThanOrEqualTo", value: 3, lastDays: 30 },
    measure: { kind: "Sum", property: "amount" },
  };
  await shop.define({ segments: [{ key: "spenders", name: "Spenders", rule: { all: [rule, rule] } }] });
  await page.goto(shop.at("/segments/spenders/edit"));
  const value = page.getByLabel("Value", { exact: true }).first();
  const box = (name: string) => page.getByRole("combobox", { name, exact: true }).first();
  // The page follows its window's size a moment later.
  const onOneLine = (width: number, ...fields: Locator[]) =>
    expect
      .poll(async () => {
        const tops = await Promise.all(fields.map(async (field) => (await field.boundingBox())!.y));
        return Math.max(...tops) - Math.min(...tops);
      }, `${width} px`)
      .toBeLessThan(8);
  for (const width of [1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await onOneLine(width, value, box("event"), box("What is measured"), box("How it is compared"));
    await keepPicture(page, `rule-row-${width}`);
  }
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await onOneLine(width, value, box("How it is compared"));
    await keepPicture(page, `rule-row-${width}`);
  }
});
