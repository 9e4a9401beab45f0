import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "./sign-in.ts";

/** Opens a page whose scripts are held until `arrive`: it shows the server's HTML. */
async function openSlowly(page: Page, path: string): Promise<{ arrive(): void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/_next\/.*\.js/, async (route) => {
    await promise;
    await route.continue();
  });
  // The frame's `goto` does not wait for hydration.
  await page.mainFrame().goto(path, { waitUntil: "commit" });
  return { arrive: resolve };
}

/** Types like a person, who sees the field first: streamed HTML is hidden until it is revealed, and a hidden field takes no focus. */
async function type(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.pressSequentially(text);
}

test("a search typed before hydration is run", async ({ page }) => {
  const { arrive } = await openSlowly(page, "/dashboard/demo/sandbox/missions");
  const search = page.getByRole("searchbox", { name: /^Search/ });
  await type(search, "coffee");
  arrive();
  await expect(page).toHaveURL(/[?&]\w+=coffee/);
  await expect(search).toHaveValue("coffee");
});

test("text typed before the page's scripts arrive stays, and Enter does not submit it", async ({ page }) => {
  const { arrive } = await openSlowly(page, "/dashboard/new-project");
  // By their labels: while a list is open the rest of the page is hidden from screen readers.
  const name = page.getByLabel("Name", { exact: true });
  await type(name, "Corner Coffee");
  await name.press("Enter");
  await page.getByLabel("Default language", { exact: true }).fill("Deutsch");
  arrive();
  // The form's state has the typed text too: the slug is derived from it, and the options are those that match it.
  await expect(page.getByLabel("Slug")).toHaveValue("corner-coffee");
  await expect(name).toHaveValue("Corner Coffee");
  await page.getByRole("option").first().click();
  await expect(page.getByLabel("Default language", { exact: true })).toHaveValue("German");
  await expect(page).toHaveURL(/\/new-project$/);
});

test("a text that is typed into a definition's form before the page's scripts arrive can be saved", async ({ page }) => {
  const { arrive } = await openSlowly(page, "/dashboard/demo/sandbox/missions/new");
  await type(page.getByLabel("Name in English"), "Night owls");
  await type(page.getByLabel("Description in English"), "Come late.");
  arrive();
  await expect(page.getByRole("textbox", { name: "Key", exact: true })).toHaveValue("night_owls");
  await expect(page.getByLabel("Description in English")).toHaveValue("Come late.");
});
