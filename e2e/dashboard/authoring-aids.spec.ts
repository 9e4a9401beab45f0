import { expect } from "@playwright/test";
import { expectReadable, violationsOf } from "../accessible.ts";
import { expectToFit } from "../fits.ts";
import { keepPicture } from "../pictures.ts";
import { follow } from "../hydrated.ts";
import { choose, created, openForm, expectToast } from "./forms.ts";
import { hold } from "./intercept.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

const text = (en: string, nl?: string) => ({ default: "en", texts: { en, ...(nl !== undefined && { nl }) } });
const objectives = [{ event: "paid", operator: "GreaterThanOrEqualTo", target: 3 }];
const mission = (points: number) => ({ key: "regular", name: text("Regular"), objectives, rewards: [{ kind: "Points", points }] });
const EVENT = { key: "paid", name: text("Paid", "Betaald"), properties: [{ key: "total", type: "Number" }] };

test("an example fills in the form with existing definitions, and creates missing ones only with the save", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define({ events: [EVENT] });
  await page.goto(shop.at("/missions"));
  await page.getByRole("link", { name: "Start from an example" }).click();
  await expect(page.getByRole("heading", { name: "Bigger baskets" })).toBeVisible();
  expect(await violationsOf(page, { within: "main" })).toEqual([]);
  await keepPicture(page, "examples.wide.light", { fullPage: true });

  // One need is met by an existing event with another name for the amount.
  const card = page.getByRole("region", { name: "Bigger baskets" });
  await choose(card.getByRole("combobox", { name: "Event for a purchase" }), "Paid · total");
  await page.getByRole("link", { name: "Use this example: Bigger baskets" }).click();
  await expect(page.getByLabel("Name in English")).toHaveValue("Two big baskets");
  await expect(page.getByText(/also creates/)).toHaveCount(0);
  await expect(page.getByRole("combobox", { name: "event", exact: true })).toHaveValue("Paid");

  // The other one is created along with the mission, and nothing is saved before that.
  await page.goto(shop.at("/missions/new?examples"));
  await page.getByRole("link", { name: "Use this example: Bring a friend" }).click();
  await expect(page.getByText("Creating this mission also creates the event Friend joined (friend_joined).")).toBeVisible();
  await keepPicture(page, "example-form.wide.light", { fullPage: true });
  expect((await shop.call<{ rows: object[] }>("definitions/list", { kind: "events" })).rows).toHaveLength(1);
  await page.getByRole("button", { name: "Create mission" }).click();
  await created(page, "Mission");
  expect(await shop.stored("events", "friend_joined")).toMatchObject({ name: { texts: { en: "Friend joined" } } });
});

test("a missing translation is found, written in place, and imported from a file after a review", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define({ events: [EVENT], missions: [mission(40)] });
  await page.goto(shop.at(""));
  await page.getByRole("link", { name: "1 text with missing translations" }).click();
  await page.waitForURL(/\/translations\?missing=1$/);
  await expect(page.getByText(/^Missing 1$/)).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("button", { name: "Write Regular, Name in Dutch" }).click();
  await page.getByRole("textbox", { name: "Regular, Name in Dutch" }).fill("Vaste klant");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Nothing is missing")).toBeVisible();
  expect(await shop.stored("missions", "regular")).toMatchObject({ name: { texts: { nl: "Vaste klant" } } });

  await page.getByRole("radio", { name: "All", exact: true }).click();
  await expect(page.getByRole("button", { name: "Edit Regular, Name in Dutch" })).toBeVisible();
  await expectReadable(page, "translations.wide", { within: "main", fullPage: true });
  await page.setViewportSize({ width: 360, height: 800 });
  await expectToFit(page, 360);
  await keepPicture(page, "translations.narrow.light", { fullPage: true });
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole("button", { name: "Import CSV" }).click();
  const file = "kind,key,field,fr\nmissions,regular,/name,Habitué\nmissions,gone,/name,Perdu\n";
  const chooseIn = (encoding: BufferEncoding) =>
    page.getByLabel("Translations file").setInputFiles({ name: "fr.csv", mimeType: "text/csv", buffer: Buffer.from(file, encoding) });
  await chooseIn("latin1");
  await expect(page.getByText("fr.csv is not UTF-8 text.")).toBeVisible();
  await chooseIn("utf8");
  await expect(page.getByText("Line 3: There is no text /name of missions gone.")).toBeVisible();
  await expect(page.getByText("Regular · Name · French")).toBeVisible();
  expect(await violationsOf(page, { within: '[role="dialog"]' })).toEqual([]);
  await keepPicture(page, "translations-import.wide.light");
  await page.getByRole("button", { name: "Import 1 text into Sandbox" }).click();
  await expectToast(page, "1 text imported into Sandbox");
  await expect(page.getByRole("button", { name: "Edit Regular, Name in French" })).toBeVisible();
});

test("Enter saves a translation and opens the next one, though the saved one leaves the list", async ({ page }) => {
  const shop = await ownProject(page);
  const missions = ["One", "Two"].map((name) => ({ ...mission(40), key: name.toLowerCase(), name: text(name) }));
  await shop.define({ events: [EVENT], missions });
  await page.goto(shop.at("/translations?missing=1"));
  await page.getByRole("button", { name: "Write One, Name in Dutch" }).click();
  await page.getByRole("textbox", { name: "One, Name in Dutch" }).fill("Eén");
  await page.keyboard.press("Enter");
  const next = page.getByRole("textbox", { name: "Two, Name in Dutch" });
  await expect(next).toBeFocused();
  await expect(page.getByText(/^Missing 1$/)).toBeVisible();
  await expect(next).toBeFocused();
  await next.fill("Twee");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Nothing is missing")).toBeVisible();
  expect(await shop.stored("missions", "two")).toMatchObject({ name: { texts: { nl: "Twee" } } });
});

test("the review of an import is of the file chosen last, however long the one before takes", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define({ events: [EVENT], missions: [mission(40)] });
  await page.goto(shop.at("/translations"));
  await page.getByRole("button", { name: "Import CSV" }).click();
  const chooseFile = (name: string, words: string) =>
    page.getByLabel("Translations file").setInputFiles({
      ...{ name, mimeType: "text/csv" },
      buffer: Buffer.from(`kind,key,field,fr\nmissions,regular,/name,${words}\n`),
    });
  const { held, release } = await hold(page, "**/rpc/definitions/importTexts", 1);
  await chooseFile("wrong.csv", "Faux");
  await expect.poll(() => held).toHaveLength(1);
  await chooseFile("right.csv", "Habitué");
  await expect(page.getByText("Habitué")).toBeVisible();
  const late = page.waitForResponse("**/rpc/definitions/importTexts");
  release();
  await (await late).finished();
  await page.getByRole("button", { name: "Import 1 text into Sandbox" }).click();
  await expectToast(page, "1 text imported into Sandbox");
  expect(await shop.stored("missions", "regular")).toMatchObject({ name: { texts: { fr: "Habitué" } } });
});

test("a scheduled change is shown on its definition, and a conflicting one waits for a decision", async ({ page }) => {
  // The clock of the user's machine decides nothing. Playwright's own would stay with the page, which later tests use.
  const ahead = await page.addInitScript(() => {
    const { now } = Date;
    Date.now = () => now() + 3 * 24 * 3_600_000;
  });
  const shop = await ownProject(page);
  await shop.define({ events: [EVENT], missions: [mission(40)] });
  await page.goto(shop.at("/missions/regular"));
  await openForm(page);
  await page.getByLabel("Points", { exact: true }).fill("80");
  await page.getByRole("button", { name: "Schedule…" }).click();
  const tomorrow = new Date(Date.now() + 26 * 3_600_000).toISOString().slice(0, 16);
  await expect(page.getByLabel("Applies at")).toBeFocused();
  await page.getByLabel("Applies at").fill(tomorrow);
  await keepPicture(page, "save-at.wide.light");
  await shop.define({ missions: [mission(45)] });
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  // What overwrites another author's save is scheduled as well, not saved at once.
  await page.getByRole("button", { name: "Overwrite with mine" }).click();
  await page.waitForURL(/\/missions\/regular$/);
  const list = page.getByRole("list", { name: "Scheduled changes" });
  await expect(list).toContainText("80 points");
  expect(await violationsOf(page, { within: "main" })).toEqual([]);
  await keepPicture(page, "scheduled-definition.wide.light", { fullPage: true });
  expect(await shop.stored("missions", "regular")).toMatchObject({ rewards: [{ points: 45 }] });
  await follow(page, shop.at("/missions"));
  await expect(page.getByText("Change scheduled")).toBeVisible();
  await keepPicture(page, "scheduled-list.wide.light");

  await shop.define({ missions: [mission(50)] });
  await shop.call("work/moveClock", { by: "P1W" });
  await follow(page, shop.at(""));
  await expect(page.getByText("A scheduled change of the mission Regular was not applied")).toBeVisible();
  expect(await violationsOf(page, { within: "main" })).toEqual([]);
  await keepPicture(page, "scheduled-home.wide.light", { fullPage: true });
  await page.getByRole("button", { name: "Apply now: Regular" }).click();
  await page.getByRole("button", { name: "Overwrite and apply" }).click();
  await expectToast(page, "The change of Regular was applied");
  await expect(list).toHaveCount(0);
  expect(await shop.stored("missions", "regular")).toMatchObject({ rewards: [{ points: 80 }] });
  await ahead.dispose();
});
