import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import { test } from "./sign-in.ts";

type Context = Parameters<Browser["newContext"]>[0];

/** A page whose scripts are held until `arrive`: it shows the server's HTML. */
async function slowPage(browser: Browser, options: Context): Promise<{ page: Page; arrive(): void }> {
  const page = await (await browser.newContext(options)).newPage();
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/_next\/.*\.js/, async (route) => {
    await promise;
    await route.continue();
  });
  return { page, arrive: resolve };
}

/** Types like a person, who sees the field first: streamed HTML is hidden until it is revealed, and a hidden field takes no focus. */
async function type(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.pressSequentially(text);
}

test("a search typed before hydration is run", async ({ browser, baseURL, storageState }) => {
  const { page, arrive } = await slowPage(browser, { baseURL, storageState });
  await page.goto("/dashboard/demo/sandbox/missions", { waitUntil: "commit" });
  const search = page.getByRole("searchbox", { name: /^Search/ });
  await type(search, "coffee");
  arrive();
  await expect(page).toHaveURL(/[?&]\w+=coffee/);
  await expect(search).toHaveValue("coffee");
  await page.context().close();
});

test("text typed before the page's scripts arrive stays, and Enter does not submit it", async ({ browser, baseURL, storageState }) => {
  const { page, arrive } = await slowPage(browser, { baseURL, storageState });
  await page.goto("/dashboard/new-project", { waitUntil: "commit" });
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

  await page.context().close();
});

test("a text that is typed into a definition's form before the page's scripts arrive can be saved", async ({
  browser,
  baseURL,
  storageState,
}) => {
  const { page, arrive } = await slowPage(browser, { baseURL, storageState });
  await page.goto("/dashboard/demo/sandbox/missions/new", { waitUntil: "commit" });
  await type(page.getByLabel("Name in English"), "Night owls");
  await type(page.getByLabel("Description in English"), "Come late.");
  arrive();
  await expect(page.getByRole("textbox", { name: "Key", exact: true })).toHaveValue("night_owls");
  await expect(page.getByLabel("Description in English")).toHaveValue("Come late.");
  await page.context().close();
});
