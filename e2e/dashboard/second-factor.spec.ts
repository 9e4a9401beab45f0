import { expect, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { answerOf } from "../../testing/rpc.ts";
import { follow } from "../hydrated.ts";
import { intercept } from "./intercept.ts";
import { callAnswer, memberOf, ownProject, PASSWORD } from "./own-project.ts";
import { test } from "./sign-in.ts";
import { looksRight } from "./looks-right.ts";

const codeOf = (secret: string, ahead = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret.replaceAll(/\s/g, "")), timestamp: Date.now() + ahead * 30_000 });

/** The set-up's form, which shows the key: turns it on, and returns the key and the recovery codes. */
async function turnOn(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await expect(page.getByRole("img", { name: "QR code" })).toBeVisible();
  const secret = await page.locator("pre").innerText();
  await page.getByRole("textbox", { name: "Code" }).fill("000000");
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("This code does not match.")).toBeVisible();
  await page.getByRole("textbox", { name: "Code" }).fill(codeOf(secret));
  await page.getByRole("button", { name: "Turn on" }).click();
  const kept = page.getByRole("dialog", { name: "Keep your recovery codes" });
  const recoveryCodes = (await kept.locator("pre").innerText()).trim().split("\n");
  expect(recoveryCodes).toHaveLength(10);
  return { secret, recoveryCodes };
}

async function signOutAndIn(page: Page, email: string): Promise<void> {
  await page.goto("/dashboard/account");
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.waitForURL(/\/sign-in$/);
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test("a member sets up a second factor, signs in with it, is remembered, and confirms a sensitive act", async ({
  page: owner,
  browser,
}) => {
  test.slow();
  const shop = await ownProject(owner);
  const page = await memberOf(browser, owner, shop.slug, "Editor");
  await page.goto("/dashboard/account");
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByRole("img", { name: "QR code" })).toBeVisible();
  await looksRight(page, "second-factor-set-up", { fullPage: true });
  const { secret, recoveryCodes } = await turnOn(page);
  await looksRight(page, "second-factor-codes", { fullPage: true });
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("10 recovery codes left.")).toBeVisible();
  const email = (
    await page
      .getByText(/@example\.com$/)
      .first()
      .innerText()
  ).trim();

  await signOutAndIn(page, email);
  await expect(page.getByRole("textbox", { name: "Code" })).toBeFocused();
  await looksRight(page, "sign-in-code", { fullPage: true });
  await page.getByRole("textbox", { name: "Code" }).fill("000000");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("This code is wrong or already used.")).toBeVisible();
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(recoveryCodes[0]!);
  await page.getByRole("checkbox", { name: "Remember this browser" }).click();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/dashboard\//);
  await signOutAndIn(page, email);
  await page.waitForURL(/\/dashboard\//);
  await follow(page, "/dashboard/account");
  await expect(page.getByRole("button", { name: "Forget all" })).toBeVisible();
  await looksRight(page, "account-second-factor", { fullPage: true });
  await page.getByRole("button", { name: "Forget all" }).click();
  await expect(page.getByRole("list", { name: "Remembered browsers" })).toBeHidden();

  // Simulates a proof that has expired: the service refuses the call until the code is given.
  await follow(page, `/dashboard/${shop.slug}/settings/tokens`);
  const refusal = { defined: false, code: "CONFIRM_IDENTITY", status: 403, message: "Confirm that it is you." };
  await intercept(page, "**/rpc/tokens/create", (request) => request.fulfill(403, { json: refusal }), 1);
  await page.getByRole("button", { name: "Create token" }).first().click();
  await page.getByRole("dialog", { name: "New token" }).getByLabel("Name").fill("Pipeline");
  await page.getByRole("dialog", { name: "New token" }).getByRole("button", { name: "Create token" }).click();
  const confirm = page.getByRole("dialog", { name: "Confirm that it is you" });
  await expect(confirm.getByRole("textbox", { name: "Code" })).toBeFocused();
  await looksRight(page, "confirm-identity", { fullPage: true });
  await confirm.getByRole("textbox", { name: "Code" }).fill("000000");
  await confirm.getByRole("button", { name: "Confirm" }).click();
  await expect(confirm.getByText("This code is wrong or already used.")).toBeVisible();
  await confirm.getByRole("textbox", { name: "Code" }).fill(codeOf(secret, 1));
  await confirm.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("dialog", { name: "Copy the token" })).toBeVisible();
});

test("where a second factor is required, its set-up comes before the requested page, and no fault is logged", async ({
  page: owner,
  browser,
  service,
}) => {
  test.slow();
  const shop = await ownProject(owner);
  const call = <Answer>(procedure: string, input?: object) => answerOf<Answer>(procedure, callAnswer(owner, procedure, input));
  const page = await memberOf(browser, owner, shop.slug, "Editor");
  const { secret } = await call<{ secret: string }>("account/beginSetUp");
  await call("account/finishSetUp", { code: codeOf(secret) });
  await owner.goto(shop.at("/settings"));
  try {
    await owner.getByRole("combobox", { name: "Second factor" }).click();
    await owner.getByRole("option", { name: "Required from people who can change Live" }).click();
    await owner.getByRole("button", { name: "Require it" }).click();
    await expect(owner.getByText("Security saved")).toBeVisible();
    await page.goto(shop.at("/missions?q=x"));
    await page.waitForURL(/\/sign-in\/second-factor\?from=/);
    await looksRight(page, "second-factor-due", { fullPage: true });
    await turnOn(page);
    await page.getByRole("button", { name: "Done" }).click();
    await page.waitForURL(/\/missions\?q=x$/);
    await expect(page.getByRole("heading", { name: "Missions", exact: true })).toBeVisible();
    expect(service.printed()).not.toContain("SECOND_FACTOR_DUE");
  } finally {
    await call("security/require", { project: shop.slug, requirement: null });
    await call("account/removeFactor");
  }
});
