import { expectToFit } from "../fits.ts";
import { expect, type Page } from "@playwright/test";
import { refuse } from "./intercept.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

const EVENT = { key: "paid", name: "Paid" };

/** Refuses the scripts that the HTML of an address does not name: parts load them later. Returns the way to answer them again. */
async function refuseParts(page: Page, path: string): Promise<() => void> {
  const html = await (await page.request.get(path)).text();
  let isDown = true;
  await page.route("**/_next/static/**/*.js", (route) =>
    isDown && !html.includes(new URL(route.request().url()).pathname) ? route.abort() : route.continue(),
  );
  return () => {
    isDown = false;
  };
}

test("a search that fails keeps its field, what is typed in it and the other filters", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define({ events: [EVENT] });
  for (const [path, procedure, label] of [
    ["/events", "definitions/list", "Search events"],
    ["/translations", "definitions/texts", "Search texts"],
  ] as const) {
    await page.goto(shop.at(path));
    const answer = await refuse(page, procedure);
    const search = page.getByRole("searchbox", { name: label });
    await search.fill("pai");
    await expect(page.getByText("Not now.")).toBeVisible();
    await expect(search).toBeFocused();
    answer();
    await page.keyboard.type("d");
    await expect(page.getByText("Not now.")).toHaveCount(0);
    await expect(search).toHaveValue("paid");
    await expect(page.getByRole("row", { name: /Paid/ })).toBeVisible();
  }
});

test("a report that cannot be read again stays on screen", async ({ page }) => {
  await page.clock.install();
  await page.goto("/dashboard/demo/sandbox/analytics");
  const figures = page.getByRole("radiogroup", { name: /^Show .* as$/ }).first();
  await figures.getByRole("radio", { name: "Table" }).click();
  const table = page.getByRole("table").first();
  await expect(table).toBeVisible();
  const answer = await refuse(page, "analytics/**");
  await page.clock.fastForward("01:01");
  await expect(page.getByText("The figures could not be loaded")).toBeVisible();
  await expect(table).toBeVisible();
  answer();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("The figures could not be loaded")).toHaveCount(0);
});

test("parts of a page that cannot be loaded take nothing away, say so, and load once they can", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define({ events: [EVENT] });
  const path = shop.at("/events/paid/edit");
  const answer = await refuseParts(page, path);
  await page.goto(path);
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("Settled");
  // Not by `failNext`, which sees no request of a page with a route.
  let isLost = true;
  await page.route("**/rpc/definitions/save", (route) => (isLost ? route.abort() : route.fallback()));
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.getByText("The event was not saved")).toBeVisible();
  isLost = false;
  await expect(page.getByText("The service cannot be reached.")).toBeVisible();
  await page.getByRole("button", { name: "Schedule…" }).click();
  await expect(page.getByText("could not be loaded").first()).toBeVisible();
  await expect(name).toHaveValue("Settled");
  answer();
  await page.getByRole("button", { name: "Try again" }).last().click();
  await page.getByRole("dialog", { name: "Schedule this change" }).getByRole("button", { name: "Cancel" }).click();
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expect(page.getByText("The event was not saved")).toHaveCount(0);
});

test("filters that cannot be loaded say so in their place, and load once they can", async ({ page }) => {
  const shop = await ownProject(page);
  const path = `/dashboard/${shop.slug}/audit-log`;
  const answer = await refuseParts(page, path);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(path);
  const again = page.getByRole("button").filter({ hasText: "Try again" });
  // A part that still loads would come without a press, once requests are answered.
  await expect(again).toHaveCount(6);
  await expect(page.getByRole("status").filter({ hasText: "Could not be loaded" })).toHaveCount(6);
  await expectToFit(page, 360);
  answer();
  // All selects are one part, and both times another. Each takes the focus of its button.
  await again.first().press("Enter");
  await expect(page.getByRole("combobox").first()).toBeFocused();
  await again.first().press("Enter");
  await expect(again).toHaveCount(0);
  await expect(page.locator("input[type=datetime-local]").first()).toBeFocused();
});

test("a difference and an entry of the audit log that cannot be loaded leave their page, and load once they can", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define({ events: [EVENT] });
  const entry = page.getByRole("list", { name: "Changes" }).getByRole("listitem").first();
  for (const [path, fold] of [
    [shop.at("/promote"), page.getByRole("button", { name: /^2 fields of/ })],
    [`/dashboard/${shop.slug}/audit-log?subjectKey=paid`, entry.locator("summary")],
  ] as const) {
    const answer = await refuseParts(page, path);
    await page.goto(path);
    await fold.click();
    const content = fold.locator("xpath=..");
    const failed = content.getByRole("alert").filter({ hasText: "This part of the page could not be loaded" });
    await expect(failed).toBeVisible();
    answer();
    await failed.getByRole("button", { name: "Try again" }).press("Enter");
    await expect(failed).toHaveCount(0);
    await expect(content.locator(":focus").getByText(/Name/).first()).toBeVisible();
  }
});

test("a report opens from another one although nothing more can be loaded than its figures", async ({ page }) => {
  const shop = await ownProject(page);
  const path = shop.at("/analytics/events");
  const answer = await refuseParts(page, path);
  await page.goto(path);
  await expect(page.getByText("No events in this range")).toBeVisible();
  await page.getByRole("navigation", { name: "Reports" }).getByRole("link", { name: "Points" }).click();
  await expect(page.getByText("No points yet")).toBeVisible();
  answer();
});
