import { expect, type Locator, type Page } from "@playwright/test";

/**
 * Presses an item of a list or menu that is about to open, until the popup has closed. The popup follows its button, so on a page that
 * moves meanwhile the item may slip away between press and release. A closing popup returns the focus, hence the wait for its end.
 */
async function pressItem(popup: Locator, item: Locator): Promise<void> {
  const closes = () => expect(popup).toHaveCount(0, { timeout: 3_000 });
  await item.click();
  await expect(async () => {
    await closes().catch(() => item.click({ timeout: 3_000 }).then(closes));
  }).toPass();
}

/** Chooses by typing. While the options are open, the rest of the page is hidden, and the box is the only one of its name. */
export async function pick(box: Locator, words: string): Promise<void> {
  const page = box.page();
  const focused = page.locator("input:focus");
  await expect(async () => {
    await box.click({ timeout: 3_000 });
    await expect(focused).toHaveCount(1, { timeout: 1_000 });
  }).toPass();
  await focused.fill(words);
  await pressItem(page.getByRole("listbox"), page.getByRole("option").first());
}

/** Chooses one of a few options by its label, which an explanation may follow. */
export async function choose(select: Locator, option: string | RegExp): Promise<void> {
  const page = select.page();
  await select.click();
  const words = page.getByText(option, { exact: true });
  await pressItem(page.getByRole("listbox"), page.getByRole("option").filter({ has: words }));
}

/** Presses a button that opens a menu, and takes an item of it. */
export async function take(page: Page, button: string | RegExp, item: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await pressItem(page.getByRole("menu"), page.getByRole("menuitem", { name: item }));
}

/** Moves the entry at a position, counted from one, up by keyboard. Arrow keys count once it is announced as picked up. */
export async function moveUp(page: Page, entry: string, { from, of }: { from: number; of: number }): Promise<void> {
  await page.getByRole("button", { name: `Move ${entry}`, exact: true }).focus();
  await page.keyboard.press("Space");
  await expect(page.getByText(`is over place ${from} of ${of}.`)).toBeAttached();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByText(`is over place ${from - 1} of ${of}.`)).toBeAttached();
  await page.keyboard.press("Space");
}

/** Waits for the success toast. Other text ("Unsaved changes") does not count. */
export const expectToast = (page: Page, words: string | RegExp): Promise<void> =>
  expect(page.getByText(words, { exact: true }).first()).toBeVisible();

/** Goes from another tab of a definition to its form. */
export async function openForm(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.waitForURL(/\/edit$/);
}

/** Waits until a definition is created and its page has replaced the form: a reload before that would show an empty form. */
export async function created(page: Page, one: string): Promise<void> {
  await expectToast(page, `${one} created`);
  await expect(page).not.toHaveURL(/\/new(\?.*)?$/);
}
