import { expect, type Page } from "@playwright/test";
import { violationsOf } from "../accessible.ts";
import { expectToFit } from "../fits.ts";
import { keepPicture } from "../pictures.ts";
import { OWNER } from "../service.ts";
import { follow } from "../hydrated.ts";
import { intercept } from "./intercept.ts";
import { memberOf, ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

const COOKIE = "engagement.session";

/** Deletes the session cookie, as the browser does after thirty days. */
const expire = (page: Page) => page.context().clearCookies({ name: COOKIE });

const name = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });

const ended = (page: Page) => page.getByRole("dialog", { name: "Your session ended" });

/** Signs in through the window that the dialog opens. The window then closes itself. */
async function signInAgain(page: Page): Promise<void> {
  const opening = page.waitForEvent("popup");
  await ended(page).getByRole("link", { name: "Sign in" }).click();
  const popup = await opening;
  const closed = popup.waitForEvent("close");
  await popup.getByLabel("Email address").fill(OWNER.email);
  await popup.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await popup.getByRole("button", { name: "Sign in", exact: true }).click();
  await closed;
}

test("after the session ended, a save waits for the sign-in and continues; an open dialog stays", async ({ page }) => {
  const shop = await ownProject(page);
  await page.goto(shop.at("/events/new"));
  await name(page).fill("Order placed");
  await expire(page);
  await page.getByRole("button", { name: "Create event" }).click();
  await expect(ended(page)).toContainText(OWNER.email);
  expect(await violationsOf(page, { within: "[role=dialog]" })).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page, 390);
  await keepPicture(page, "session-ended.narrow.light");
  await ended(page).getByRole("button", { name: "Not now" }).click();
  await expect(page.getByText("Your session ended. Sign in to continue.").first()).toBeVisible();
  await expect(name(page)).toHaveValue("Order placed");
  await page.getByRole("button", { name: "Create event" }).click();
  await signInAgain(page);
  await page.waitForURL(/\/events\/order_placed/);
  expect(await shop.stored("events", "order_placed")).toMatchObject({ key: "order_placed" });

  await follow(page, `/dashboard/${shop.slug}/settings/tokens`);
  await page.getByRole("button", { name: "Create token" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New token" });
  await dialog.getByLabel("Name").fill("Pipeline");
  await expire(page);
  await dialog.getByRole("button", { name: "Create token" }).click();
  await signInAgain(page);
  await expect(page.getByRole("dialog", { name: "Copy the token" })).toBeVisible();
});

test("after another user has signed in, nothing is saved as them, and the page reloads", async ({ page, browser }) => {
  const shop = await ownProject(page);
  const other = await memberOf(browser, page, shop.slug, "Editor");
  await page.goto(shop.at("/events/new"));
  await name(page).fill("Order placed");
  const cookie = (await other.context().cookies()).find((one) => one.name === COOKIE);
  await page.context().addCookies([cookie!]);
  await page.getByRole("button", { name: "Create event" }).click();
  const dialog = page.getByRole("dialog", { name: "Another user is signed in" });
  await expect(dialog).toContainText(OWNER.email);
  await dialog.getByRole("button", { name: "Reload the page" }).click();
  await expect(dialog).toBeHidden();
  await expect(name(page)).toHaveValue("");
  expect(await shop.call("definitions/list", { kind: "events" })).toMatchObject({ total: 0 });
});

test("a sign-out that does not reach the service says so, and can be tried again", async ({ page, browser }) => {
  const shop = await ownProject(page);
  const member = await memberOf(browser, page, shop.slug, "Editor");
  await member.goto(shop.at("/events"));
  const signOut = async () => {
    await member.getByRole("button", { name: "signed in as" }).click();
    await member.getByRole("menuitem", { name: "Sign out" }).click();
  };
  await intercept(member, member.url(), (request) => request.abort(), 1);
  await signOut();
  await expect(member.getByText("You may still be signed in").first()).toBeVisible();
  await signOut();
  await member.waitForURL(/\/sign-in$/);
});

test("a page opened after the session ended is returned to after the sign-in", async ({ page }) => {
  const shop = await ownProject(page);
  await page.goto(shop.at("/missions"));
  // A read of the list that found the session ended would open the dialog, over the link.
  const answer = await intercept(page, "**/rpc/**", () => {});
  await expire(page);
  await page.getByRole("link", { name: "Events", exact: true }).first().click();
  await page.waitForURL(/\/sign-in\?from=/);
  answer();
  await page.getByLabel("Email address").fill(OWNER.email);
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`${shop.at("/events")}$`));
});
