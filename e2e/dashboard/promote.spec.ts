import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { created, openForm, told } from "./forms.ts";
import { ownProject } from "./own-project.ts";
import { violationsOf } from "../accessible.ts";
import { test } from "./sign-in.ts";

/** Calls a procedure of the dashboard as the page's person. */
const rpc = (page: Page, path: string, input: object) =>
  page.evaluate(
    async ([path, input]) => {
      const response = await fetch(`/rpc/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-csrf-token": "orpc" },
        body: JSON.stringify({ json: input }),
      });
      return ((await response.json()) as { json: unknown }).json as never;
    },
    [path, input] as const,
  );

const DEMO = { project: "demo" };
const row = (page: Page, key: string) => page.locator("li").filter({ has: page.locator("code", { hasText: new RegExp(`^${key}$`) }) });

test("the coffee shop's shop goes from Sandbox to Live, with everything that it needs, and only after a look", async ({ page }) => {
  await page.goto("/dashboard/demo/sandbox/promote");
  await expect(page.getByText("Nothing selected")).toBeVisible();
  const button = page.getByRole("button", { name: "Promote to Live", exact: true });
  await expect(button).toBeDisabled();

  const [listing] = (
    (await rpc(page, "definitions/list", { ...DEMO, environment: "sandbox", kind: "marketplaceItems", direction: "ascending" })) as {
      rows: { key: string; name: string }[];
    }
  ).rows;
  await row(page, listing!.key).getByRole("checkbox").click();
  await expect(page.getByText(/^1 selected \+ \d+ dependenc(y|ies)$/)).toBeVisible();
  await expect(page.getByText(`Needed by ${listing!.name}`).first()).toBeVisible();
  await expect(page.getByText(/^Ready\./)).toBeVisible();

  await row(page, listing!.key)
    .getByRole("button", { name: /fields/ })
    .click();
  await expect(row(page, listing!.key).getByText("Price in points")).toBeVisible();

  await button.click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: /^Promote \d+ to Live$/ })
    .click();
  await expect(page.getByText(/^\d+ items? promoted to Live$/)).toBeVisible();
  await expect(row(page, listing!.key)).toHaveCount(0);
  await page.goto(`/dashboard/demo/live/listings`);
  await expect(page.getByText(listing!.name).first()).toBeVisible();
});

test("what would not work is told on its row before anything is written", async ({ page }) => {
  await page.goto("/dashboard/demo/sandbox/promote");
  const attribute = (type: string) => JSON.stringify({ key: "house_blend", name: "House blend", type });
  const save = { ...DEMO, kind: "attributes", isNew: true };
  await rpc(page, "definitions/save", { ...save, environment: "sandbox", document: attribute("String") });
  await rpc(page, "definitions/save", { ...save, environment: "live", document: attribute("Number") });
  await page.reload();
  await row(page, "house_blend").getByRole("checkbox").click();
  await expect(row(page, "house_blend").getByRole("alert")).toContainText("cannot change");
  await expect(page.getByText("Fix 1 problem first: attribute house_blend:")).toBeVisible();
  await expect(page.getByRole("button", { name: "Promote to Live", exact: true })).toBeDisabled();
  expect(await violationsOf(page, { within: "main" })).toEqual([]);
});

test("a change by somebody else in between is noticed, and nothing is written", async ({ page }) => {
  await page.goto("/dashboard/demo/sandbox/promote");
  const first = page.locator("main li").first();
  await first.getByRole("checkbox").click();
  await expect(page.getByText(/Ready\.|problem/)).toBeVisible();
  const document = JSON.stringify({ key: `meanwhile_${Date.now()}`, name: "Meanwhile" });
  await rpc(page, "definitions/save", { ...DEMO, environment: "sandbox", kind: "events", isNew: true, document });
  await page.locator("main li").nth(1).getByRole("checkbox").click();
  await expect(page.getByText("Definitions have changed since you opened this page.")).toBeVisible();
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByText("Nothing selected")).toBeVisible();
  await expect(page.getByText("Meanwhile").first()).toBeVisible();
});

test("a file is exported, looked through, and imported", async ({ page }) => {
  await page.goto("/dashboard/demo/sandbox/promote");
  await page.getByRole("tab", { name: "Files" }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download file" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("demo-sandbox.json");
  // As text: numbers may have more digits than JavaScript's.
  const file = await readFile(await download.path(), "utf8");
  const choose = (text: string) =>
    page.getByLabel("Definitions file").setInputFiles({ name: "shop.json", mimeType: "application/json", buffer: Buffer.from(text) });

  await choose(file);
  await expect(page.getByText("No changes: everything in the file is there already.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Import into Sandbox" })).toBeDisabled();

  await choose(JSON.stringify({ version: 1, events: [{ key: "Bad Key", name: "" }] }));
  await expect(page.getByText("Fix 2 problems in the file")).toBeVisible();
  await expect(page.getByText("/events/0/key")).toBeVisible();

  const { events } = JSON.parse(file) as { events: object[] };
  const renamed = JSON.stringify({ version: 1, events: [{ ...events[0], name: "Renamed by a file" }] });
  await choose(renamed);
  await expect(page.getByText("Changes: 1 changed.")).toBeVisible();
  await expect(page.getByText("Renamed by a file")).toBeVisible();
  await page.getByRole("button", { name: "Import into Sandbox" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Import into Sandbox" }).click();
  await expect(page.getByText("shop.json was imported into Sandbox: 1 changed")).toBeVisible();
});

test("what is ticked “Also in Live” goes there by the keyboard too, with that save alone", async ({ page }) => {
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
  await told(page, "Saved");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Place");
  await expect(page.getByRole("checkbox", { name: "Also in Live" })).not.toBeChecked();
});
