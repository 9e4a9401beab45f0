import { expect, type Page } from "@playwright/test";
import { follow } from "../hydrated.ts";
import { expectToast } from "./forms.ts";
import { memberOf, ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

/** Sends the requests shown on the screen, as a shell would, with their key; returns the answers. */
async function send(page: Page, text: string): Promise<unknown[]> {
  const [setting, ...requests] = text.split(/^curl /m);
  const [, variable, key] = /^export (\w+)=(\S+)$/m.exec(setting!)!;
  const answers: unknown[] = [];
  for (const request of requests) {
    expect(request).toContain(`-H "Authorization: Bearer $${variable}"`);
    const [, url] = /^(\S+)/.exec(request)!;
    const [, body] = /-d '([^']*)'/.exec(request)!;
    const answer = await page.request.post(url!, { headers: { authorization: `Bearer ${key}` }, data: body! });
    answers.push(await answer.json());
  }
  return answers;
}

test("from nothing to the first event: a key, a request to copy, and a tick when it arrives; then the key is revoked", async ({ page }) => {
  const { slug, call } = await ownProject(page);
  const live = (path: string) => `/dashboard/${slug}/live${path}`;
  await page.goto(live("/settings"));
  const discovery = page.getByRole("switch", { name: "Define events and properties as they arrive" });
  await expect(discovery).not.toBeChecked();
  await follow(page, live("/developers/quickstart"));
  await expect(page.getByText("Nothing is defined here yet")).toBeVisible();
  // Sandbox has nothing to promote either.
  await expect(page.getByRole("link", { name: "Define one" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Promote definitions from Sandbox" })).toHaveCount(0);
  await page.getByRole("link", { name: "Settings" }).last().click();
  await discovery.click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(discovery).not.toBeChecked();
  await discovery.click();
  await expect(discovery).toBeChecked();
  // An undo says what prevents it wherever its author is by then. The pointer keeps the toast.
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.hover();
  await call("definitions/saveSettings", { environment: "live", discovery: { events: true, attributes: true }, revision: null });
  await follow(page, live("/developers"));
  await undo.click();
  await expectToast(page, "Not undone");

  await page.goto(live("/developers/quickstart"));
  await expect(page.getByText("Waiting for the first event")).toBeVisible();
  const request = page.getByRole("main").locator("pre").first();
  await expect(request).toContainText("svc_live_…");
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByLabel("Name").fill("Till");
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = page.getByLabel("API key", { exact: true });
  await expect(secret).not.toContainText("svc_live_");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(secret).toHaveText(/^svc_live_[0-9a-f]{64}$/);
  const key = (await secret.textContent())!;
  // It is shown only once: neither Escape nor a press outside may close it.
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(secret).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(request).toContainText(key);
  await expect(page.getByRole("button", { name: "Copy requests" })).toBeFocused();

  expect(await send(page, (await request.textContent())!)).toMatchObject([[], { results: [{ accepted: true }] }]);
  await expect(page.getByText("First event received")).toBeVisible();
  await expect(page.getByRole("list", { name: "Recent events" }).getByRole("listitem")).toContainText(["order_placed"]);

  await page.getByRole("link", { name: "API keys" }).click();
  const row = page.getByRole("row", { name: /Till/ });
  await expect(row).toContainText(`svc_live_…${key.slice(-4)}`);
  await expect(page.getByRole("main")).not.toContainText(key);
  await row.getByRole("button", { name: "Revoke Till" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByText("Till is revoked")).toBeVisible();
  await expect(row).toHaveCount(0);
  expect((await page.request.get("/v1/points?PlayerId=ann", { headers: { authorization: `Bearer ${key}` } })).status()).toBe(401);
  await page.getByRole("button", { name: "Show 1 revoked" }).click();
  await expect(row).toContainText("Revoked");
});

test("a secret and the code of a guide are copied on plain http as well, where browsers have no clipboard for pages", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const plainHttp = await page.addInitScript(() => {
    Object.assign(globalThis, { ofBrowser: navigator.clipboard });
    Reflect.deleteProperty(Navigator.prototype, "clipboard");
  });
  const { at } = await ownProject(page);
  await page.goto(at("/developers"));
  await page.getByRole("button", { name: "Create key" }).first().click();
  await page.getByLabel("Name").fill("Till");
  await page.getByRole("button", { name: "Create key" }).last().click();
  await page.getByRole("button", { name: "Copy API key" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = () => page.evaluate(() => (globalThis as unknown as { ofBrowser: Clipboard }).ofBrowser.readText());
  expect(await copied()).toMatch(/^svc_sbox_[0-9a-f]{64}$/);

  await page.goto("/docs/guides/first-event");
  const request = page
    .getByRole("figure")
    .filter({ hasText: /^Request/ })
    .first();
  await request.getByRole("button", { name: "Copy request" }).click();
  await expect(request.getByRole("button", { name: "Copied request" })).toBeVisible();
  expect(await copied()).toBe(await request.locator("pre").textContent());
  // The next test has the same page.
  await plainHttp.dispose();
});

test("a key without a name is refused at its field; users without the role are told which roles they need", async ({ page, browser }) => {
  const { slug, at } = await ownProject(page);
  await page.goto(at("/developers"));
  await page.getByRole("button", { name: "Create key" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("The name of the key must have 1 to 200 characters.")).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveAttribute("aria-invalid", "true");

  const viewer = await memberOf(browser, page, slug, "Viewer");
  await viewer.goto(at("/developers"));
  await expect(viewer.getByText("Only Admins and Owners can create or revoke keys.")).toBeVisible();
  await expect(viewer.getByRole("button", { name: "Create key" })).toHaveCount(0);
  await follow(viewer, at("/developers/webhooks"));
  await expect(viewer.getByText("No endpoints yet")).toBeVisible();
  await expect(viewer.getByRole("button", { name: "Add endpoint" })).toHaveCount(0);
  await follow(viewer, `/dashboard/${slug}/settings/channels`);
  await expect(viewer.getByText("This needs the Admin role; yours is Viewer. Ask an Admin or Owner.")).toBeVisible();
  await expect(viewer.getByRole("button", { name: /^(Add channel|Try again)$/ })).toHaveCount(0);
  await expect(viewer.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: /Channels|Status/ })).toHaveCount(0);
  await follow(viewer, `/dashboard/${slug}/live/promote`);
  await expect(viewer.getByRole("link", { name: "Open in Sandbox" })).toBeVisible();
  await expect(viewer.getByRole("link", { name: /^Copy from Live/ })).toHaveCount(0);
  await follow(viewer, at("/developers/quickstart"));
  await expect(viewer.getByText("Ask an Editor, Admin or Owner to define one.")).toBeVisible();
  await expect(viewer.locator("main").getByRole("link", { name: /define one|discovery|Settings|Reward it/i })).toHaveCount(0);
  await follow(viewer, at("/settings"));
  await expect(viewer.getByText("Only Editors, Admins and Owners can move the clock.")).toBeVisible();
});
