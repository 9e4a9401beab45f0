import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { expectReadable } from "../accessible.ts";
import { expectToFit } from "../fits.ts";
import { keepPicture } from "../pictures.ts";
import { follow } from "../hydrated.ts";
import { take } from "./forms.ts";
import { hold } from "./intercept.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

async function choose(page: Page, name: string, text: string, encoding: BufferEncoding = "utf8"): Promise<void> {
  await page.getByLabel("File to import").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text, encoding) });
}

test("a file is checked, its refused lines can be downloaded, and the rest is imported once", async ({ page }) => {
  test.slow();
  const shop = await ownProject(page);
  const lines = ["playerId,displayName,timeZoneId", ...Array.from({ length: 30 }, (_, at) => `customer-${at + 1},Customer ${at + 1},`)];
  const file = [...lines, "=1+1,Mallory,Nowhere"].join("\n");
  await page.goto(shop.at("/players"));
  await page.getByRole("main").getByRole("link", { name: "Import data" }).click();
  await page.waitForURL(/\/import$/);
  await choose(page, "players.csv", "playerId,displayName\nann,Zoë", "latin1");
  await expect(page.getByText("players.csv is not UTF-8 text.")).toBeVisible();
  await choose(page, "players.csv", file);

  const card = page.getByRole("region", { name: `Players: players.csv` });
  await expect(card.getByText("31 lines: 30 new, 1 refused")).toBeVisible();
  await expect(card.getByRole("table", { name: "Refused lines" })).toContainText("must be an IANA time zone");
  expect((await shop.call<{ players: object[] }>("players/list", {})).players, "a check writes nothing").toEqual([]);
  await page.setViewportSize({ width: 360, height: 800 });
  await expectToFit(page, 360);
  await keepPicture(page, "import.narrow.light", { fullPage: true });
  await page.setViewportSize({ width: 1280, height: 900 });
  await expectReadable(page, "import.wide", { fullPage: true });

  const refused = await saved(page, () => card.getByRole("link", { name: "CSV with reasons" }).click());
  expect(refused).toMatch(/^\uFEFFline,reasons,playerId,content\r\n32,.*,'=1\+1,/);
  await card.getByRole("radio", { name: /^All / }).click();
  await card.getByRole("button", { name: "Import 30 lines into Sandbox" }).click();
  await expect(card.getByText("31 lines: 30 imported, 1 refused")).toBeVisible();
  await expect(card.getByText("Imported", { exact: true })).toBeVisible();

  await follow(page, shop.at("/players"));
  const exported = await saved(page, () => take(page, "Export", "Players, CSV"));
  expect(exported.trimEnd().split("\r\n")).toHaveLength(31);
  await keepPicture(page, "players.exported.light");
});

test("lines that are refused while they are imported are listed beside those that the check refused", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define({ events: [{ key: "paid", name: "Paid" }] });
  await page.goto(shop.at("/import"));
  await page.getByRole("radio", { name: /^Events/ }).click();
  const lines = ["ann,paid", "bob,paid", "bob,unheard"].map((line) => `${line},2026-01-01T09:00:00Z`);
  await choose(page, "events.csv", ["playerId,event,occurredAt", ...lines].join("\n"));
  const card = page.getByRole("region", { name: "Events: events.csv" });
  const refused = card.getByRole("table", { name: "Refused lines" }).locator("tbody tr");
  await expect(refused).toHaveCount(1);
  await shop.call("definitions/setActive", { kind: "events", key: "paid", active: false });
  await card.getByRole("button", { name: "Import 2 lines into Sandbox" }).click();
  await expect(card.getByText("3 lines: 0 imported, 3 refused")).toBeVisible();
  await expect(refused).toHaveCount(3);
});

test("the browser asks before it leaves a file that is being uploaded", async ({ page }) => {
  const shop = await ownProject(page);
  await page.goto(shop.at("/import"));
  // A browser asks only on a page that was used.
  await page.getByRole("radio", { name: /^Players/ }).click();
  const { release: upload } = await hold(page, "**/rpc/imports/addPiece");
  await choose(page, "players.csv", "playerId\nann");
  await expect(page.getByRole("progressbar", { name: "Upload" })).toBeVisible();
  const asking = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const asked = await asking;
  expect(asked.type()).toBe("beforeunload");
  await asked.dismiss();
  upload();
  await expect(page.getByRole("region", { name: "Players: players.csv" })).toBeVisible();
});

async function saved(page: Page, press: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return readFile(await download.path(), "utf8");
}
