import { expect, request as requests } from "@playwright/test";
import { violationsOf } from "../accessible.ts";
import { follow } from "../hydrated.ts";
import { choose } from "./forms.ts";
import { memberOf, ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

/** The answer to a program with a token and no cookie. */
async function program(url: string, token: string, procedure: string, input: object) {
  const context = await requests.newContext({ baseURL: url, storageState: { cookies: [], origins: [] } });
  const answer = await context.post(`/rpc/${procedure}`, { headers: { authorization: `Bearer ${token}` }, data: { json: input } });
  const result = { status: answer.status(), text: await answer.text() };
  await context.dispose();
  return result;
}

test("a token is made and shown once, works for a program within its bounds, and is revoked", async ({ page, browser, service }) => {
  const { slug } = await ownProject(page);
  await page.goto(`/dashboard/${slug}/settings/tokens`);
  await expect(page.getByText("No active tokens")).toBeVisible();
  await page.getByRole("button", { name: "Create token" }).first().click();
  const dialog = page.getByRole("dialog");
  expect(await violationsOf(page, { within: "[role=dialog]" })).toEqual([]);
  await dialog.getByRole("button", { name: "Create token" }).click();
  await expect(dialog.getByText("The name of the token must have 1 to 200 characters.")).toBeVisible();
  await dialog.getByLabel("Name").fill("Pipeline");
  await choose(dialog.getByRole("combobox", { name: "Role" }), "Admin");
  await dialog.getByRole("button", { name: "Create token" }).click();
  await page.getByRole("button", { name: "Show" }).click();
  const secret = page.getByLabel("Token", { exact: true });
  await expect(secret).toHaveText(/^svc_pat_[0-9a-f]{64}$/);
  const token = (await secret.textContent())!;
  await page.getByRole("button", { name: "Done" }).click();

  const call = (procedure: string, input: object) => program(service.url, token, procedure, { project: slug, ...input });
  const sandbox = { environment: "sandbox" };
  expect(await call("keys/create", { ...sandbox, name: "Till" })).toMatchObject({ status: 200 });
  expect(await call("keys/list", { environment: "live" })).toMatchObject({ status: 403, text: expect.stringContaining("Sandbox alone") });
  expect(await call("members/list", {})).toMatchObject({ status: 403, text: expect.stringContaining("No token opens this") });
  expect(await program(service.url, "nonsense", "keys/list", { project: slug, ...sandbox })).toMatchObject({ status: 401 });

  await follow(page, `/dashboard/${slug}/audit-log`);
  await expect(page.getByRole("list", { name: "Changes" })).toContainText("by the token Pipeline created API key");

  await page.goto(`/dashboard/${slug}/settings/tokens`);
  const row = page.getByRole("row", { name: /Pipeline/ });
  await expect(row).toContainText(`svc_pat_…${token.slice(-4)}`);
  await expect(page.getByRole("main")).not.toContainText(token);
  await expect(row).not.toContainText("Never");

  const viewer = await memberOf(browser, page, slug, "Viewer");
  await viewer.goto(`/dashboard/${slug}/settings/tokens`);
  await expect(viewer.getByText("No active tokens")).toBeVisible();

  await row.getByRole("button", { name: "Revoke Pipeline" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke token" }).click();
  await expect(page.getByText("Pipeline is revoked")).toBeVisible();
  await expect(row).toHaveCount(0);
  expect(await call("keys/list", sandbox)).toMatchObject({ status: 401, text: expect.stringContaining("was revoked") });
  await page.getByRole("button", { name: "Show 1 ended" }).click();
  await expect(row).toContainText("Revoked");
});
