import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { expectToFit } from "../fits.ts";
import { choose } from "./forms.ts";
import { intercept } from "./intercept.ts";
import { ownProject } from "./own-project.ts";
import { expectReadable, violationsOf } from "../accessible.ts";
import { keepPicture } from "../pictures.ts";
import { follow } from "../hydrated.ts";
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
const unfold = (page: Page) => page.getByRole("button", { name: "Expand all" }).click();
const row = (page: Page, key: string) => page.locator("li").filter({ has: page.locator("code", { hasText: new RegExp(`^${key}$`) }) });

test("the coffee shop's shop is promoted from Sandbox to Live, with its dependencies, after a review that names them all", async ({
  page,
}) => {
  await page.goto("/dashboard/demo/sandbox/promote");
  await expect(page.getByText("Nothing selected")).toBeVisible();
  await expect(page.getByText(/^\d+ new(, \d+ .*)?\.$/)).toBeVisible();
  // A long list is collapsed by kind.
  await expect(page.locator("main li").first()).toBeHidden();
  await page.getByRole("button", { name: "Expand all" }).click();
  await expect(page.getByRole("button", { name: "Review", exact: true })).toBeDisabled();

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
  await row(page, listing!.key).getByText("As in the file").click();
  await expect(row(page, listing!.key).getByText("/priceInPoints")).toBeVisible();

  await page.getByRole("button", { name: /^Review \d+ changes$/ }).click();
  await expect(page.getByRole("heading", { name: /^Review \d+ changes to Live$/ })).toBeFocused();
  await expect(page.getByRole("list", { name: "Selected" }).getByRole("listitem")).toHaveCount(1);
  const along = page.getByRole("list", { name: "Added because they are needed" });
  await expect(along.getByText(`Needed by listing ${listing!.key}`).first()).toBeVisible();
  await page.getByRole("button", { name: /^Promote \d+ to Live$/ }).click();
  const done = page.getByRole("status").filter({ hasText: /^\d+ definitions promoted to Live/ });
  await expect(done).toBeFocused();
  await expect(row(page, listing!.key)).toHaveCount(0);

  await done.getByRole("link", { name: "Audit log" }).click();
  const entry = page
    .getByRole("list", { name: "Changes" })
    .locator(":scope > li")
    .filter({ hasText: /promoted \d+ definitions to Live/ })
    .first();
  await entry.locator("summary").first().click();
  const brought = entry.getByRole("list", { name: "Changed definitions" });
  const part = brought.getByRole("listitem").filter({ hasText: listing!.key });
  await part.locator("summary").click();
  await expect(part.getByText(listing!.name).first()).toBeVisible();
  await keepPicture(page, "audit-log.promotion.light", { fullPage: true });
  expect(await violationsOf(page, { within: "main" })).toEqual([]);
  await follow(page, `/dashboard/demo/live/listings`);
  await expect(page.getByText(listing!.name).first()).toBeVisible();
});

const event = (key: string, name: string, description?: string) => ({ key, name, ...(description ? { description } : {}) });

/** A shop with one event that differs between Sandbox and Live, one that only Live has, and definitions that only Sandbox has. */
async function differingShop(page: Page) {
  const shop = await ownProject(page);
  const mission = {
    ...{ key: "three_orders", name: "Three orders", rewards: [{ kind: "Points", points: 10 }] },
    objectives: [{ event: "order", operator: "GreaterThanOrEqualTo", target: 3 }],
  };
  await shop.define({
    events: [event("order", "Order placed"), event("same", "Same in both"), event("visit", "Visit")],
    missions: [mission],
  });
  const live = { version: 1, events: [event("order", "Order"), event("same", "Same in both"), event("legacy", "Legacy")] };
  await shop.call("definitions/importFile", { environment: "live", text: JSON.stringify(live) });
  return shop;
}

test("the list of differences in Sandbox, and in Live", async ({ page }) => {
  const shop = await differingShop(page);
  await test.step("the list is searched, filtered by kind and status, and selected by kind; changed definitions come first, and none is switched off by default", async () => {
    await page.goto(shop.at("/promote"));
    await expect(page.getByRole("heading", { level: 1, name: "Promote to Live" })).toBeVisible();
    await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveText([/^Changed/, /^New/, /^Only in Live/]);
    await expect(row(page, "order").getByText("Order placed").first()).toBeVisible();
    await page.getByRole("radio", { name: /^Same/ }).click();
    await expect(row(page, "same")).toBeVisible();
    await page.getByRole("radio", { name: /^All changes/ }).click();
    await choose(page.getByRole("combobox", { name: "Kind" }), "Events");
    await expect(row(page, "three_orders")).toHaveCount(0);
    await page.getByText(/^Select all shown/).click();
    await expect(page.getByText("2 selected", { exact: true })).toBeVisible();
    await expect(row(page, "legacy").getByRole("checkbox")).not.toBeChecked();
    await page.getByRole("searchbox", { name: "Search definitions" }).fill("visi");
    await expect(row(page, "order")).toHaveCount(0);
    await expect(row(page, "visit").getByRole("checkbox")).toBeChecked();
    await page.goto(shop.at("/promote?chosen=events:same"));
    await expect(page.getByText("What you wanted to promote is the same in Live.")).toBeVisible();
  });
  await test.step("in Live the page says that it promotes from the Sandbox; the other direction is explicit and says so", async () => {
    await follow(page, `/dashboard/${shop.slug}/live/promote`);
    await expect(page.getByText("You are in Live.")).toBeVisible();
    await expect(page.getByRole("checkbox")).toHaveCount(0);
    expect(await violationsOf(page, { within: "main" })).toEqual([]);
    await keepPicture(page, "promote.live.light", { fullPage: true });
    await page.getByRole("link", { name: "Copy from Live to Sandbox…" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Copy to Sandbox" })).toBeVisible();
    await expect(page.getByText("This is the reverse direction: it changes Sandbox")).toBeVisible();
    await row(page, "legacy").getByRole("checkbox").click();
    await page.getByRole("button", { name: "Review 1 change" }).click();
    await page.getByRole("button", { name: "Copy 1 to Sandbox" }).click();
    await expect(page.getByText("1 definition copied to Sandbox")).toBeVisible();
    await follow(page, `/dashboard/${shop.slug}/live/promote`);
    await page.getByRole("link", { name: "Open in Sandbox" }).click();
    await expect(page).toHaveURL(shop.at("/promote"));
  });
});

test("the address selects definitions, and the whole flow works by keyboard", async ({ page }) => {
  const shop = await differingShop(page);
  await page.goto(shop.at("/promote?chosen=missions:three_orders,missions:nobody"));
  await expect(page.getByText("1 selected + 1 dependency")).toBeVisible();
  const press = async (name: RegExp) => {
    const button = page.getByRole("button", { name });
    await expect(button).toBeEnabled();
    for (let at = 0; at < 60 && !(await button.evaluate((one) => one === document.activeElement)); at++) await page.keyboard.press("Tab");
    await expect(button).toBeFocused();
    await page.keyboard.press("Enter");
  };
  await press(/^Review 2 changes$/);
  await expect(page.getByRole("heading", { name: "Review 2 changes to Live" })).toBeFocused();
  await expect(page.getByText("Needed by mission three_orders")).toBeVisible();
  // A lost connection does not end it: the same press tries again.
  const reconnect = await intercept(page, "**/rpc/definitions/promote", (request) =>
    (request.body() as { json: { dryRun: boolean } }).json.dryRun ? request.continue() : request.abort(),
  );
  await press(/^Promote 2 to Live$/);
  await expect(page.getByText("The service cannot be reached.")).toBeVisible();
  reconnect();
  await press(/^Promote 2 to Live$/);
  await expect(page.getByText("2 definitions promoted to Live")).toBeVisible();
});

test("choice and review can be read at every width", async ({ page }) => {
  test.slow();
  const shop = await differingShop(page);
  const at = async (name: string) => {
    for (const width of [390, 1024, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await expectToFit(page, width);
      // The parts are the same at every width: axe looks at one.
      if (width === 1920) await expectReadable(page, `promote.${name}.${width}`, { fullPage: true });
    }
  };
  await page.goto(shop.at("/promote?chosen=events:order,events:legacy,missions:three_orders"));
  await expect(page.getByText(/^Ready\./)).toBeVisible();
  await at("choice");
  await page.getByRole("button", { name: "Review 3 changes" }).click();
  await at("review");
});

test("a conflict is shown on its row before anything is written", async ({ page }) => {
  await page.goto("/dashboard/demo/sandbox/promote");
  const attribute = (type: string) => JSON.stringify({ key: "favourite_roast", name: "Favourite roast", type });
  const save = { ...DEMO, kind: "attributes", isNew: true };
  await rpc(page, "definitions/save", { ...save, environment: "sandbox", document: attribute("String") });
  await rpc(page, "definitions/save", { ...save, environment: "live", document: attribute("Number") });
  await page.reload();
  await row(page, "favourite_roast").getByRole("checkbox").click();
  await expect(row(page, "favourite_roast").getByRole("alert")).toContainText("cannot change");
  await expect(page.getByText("Fix 1 problem first: attribute favourite_roast:")).toBeVisible();
  await expect(page.getByRole("button", { name: "Review 1 change" })).toBeDisabled();
  expect(await violationsOf(page, { within: "main" })).toEqual([]);
});

test("a concurrent change by another user is detected, and nothing is written; the selection stays", async ({ page }) => {
  await page.clock.install();
  await page.goto("/dashboard/demo/sandbox/promote");
  await unfold(page);
  const first = page.locator("main li").first();
  await first.getByRole("checkbox").click();
  await expect(page.getByText(/Ready\.|problem/)).toBeVisible();
  const document = JSON.stringify({ key: `meanwhile_${Date.now()}`, name: "Meanwhile" });
  await rpc(page, "definitions/save", { ...DEMO, environment: "sandbox", kind: "events", isNew: true, document });
  // Back in the window after a minute, when what it has read is no longer taken for fresh.
  await page.clock.fastForward("01:00");
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  await expect(page.getByText("Definitions have changed since you opened this page.")).toBeVisible();
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByText("Meanwhile").first()).toBeVisible();
  await expect(page.getByText(/^1 selected/)).toBeVisible();
  await expect(page.getByText(/Ready\.|problem/)).toBeVisible();
});

test("a file is exported, reviewed and imported", async ({ page }) => {
  await page.goto("/dashboard/demo/sandbox/promote");
  await page.getByRole("tab", { name: "Files" }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download file" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("demo-sandbox.json");
  // As text: numbers may have more digits than JavaScript's.
  const file = await readFile(await download.path(), "utf8");
  const chooseFile = (text: string | Buffer) =>
    page.getByLabel("Definitions file").setInputFiles({ name: "shop.json", mimeType: "application/json", buffer: Buffer.from(text) });

  await chooseFile(file);
  await expect(page.getByText("No changes: everything in the file already exists.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Import into Sandbox" })).toBeDisabled();

  await chooseFile(Buffer.from(`{"version":1,"events":[{"key":"cafe","name":"Café"}]}`, "latin1"));
  await expect(page.getByText("shop.json is not UTF-8 text.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Import into Sandbox" })).toHaveCount(0);

  await chooseFile(JSON.stringify({ version: 1, events: [{ key: "Bad Key", name: "" }] }));
  await expect(page.getByText("Fix 2 problems in the file")).toBeVisible();
  await expect(page.getByText("/events/0/key")).toBeVisible();

  const { events } = JSON.parse(file) as { events: object[] };
  const renamed = JSON.stringify({ version: 1, events: [{ ...events[0], name: "Renamed by a file" }] });
  await chooseFile(renamed);
  await expect(page.getByText("Changes: 1 changed.")).toBeVisible();
  await expect(page.getByText("Renamed by a file").first()).toBeVisible();
  const another = JSON.stringify({ key: `during_${Date.now()}`, name: "During the import" });
  await rpc(page, "definitions/save", { ...DEMO, environment: "sandbox", kind: "events", isNew: true, document: another });
  await page.getByRole("button", { name: "Import into Sandbox" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Import into Sandbox" }).click();
  await expect(page.getByText(/^The definitions have changed since these changes were shown/).first()).toBeVisible();
  await expect(page.getByRole("alertdialog", { name: "Import into Sandbox?" })).toHaveCount(0);
  await page.getByRole("button", { name: "Import into Sandbox" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Import into Sandbox" }).click();
  await expect(page.getByText("shop.json was imported into Sandbox: 1 changed")).toBeVisible();
});
