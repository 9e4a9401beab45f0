import { expect } from "@playwright/test";
import { follow } from "../hydrated.ts";
import { choose, created, openForm, pick, take } from "./forms.ts";
import { test } from "./sign-in.ts";

const SANDBOX = "/dashboard/demo/sandbox";

test("the fields of a form save what is written in them, and show it again", async ({ page }) => {
  test.slow();
  /** The demo is shared, and a key is used once. */
  const unique = (name: string) => `${name} ${Date.now()}`;
  const owls = unique("Night owls");
  await test.step("a text shows its languages side by side, with missing ones marked", async () => {
    await page.goto(`${SANDBOX}/segments/new`);
    await page.getByLabel("Name in English").fill(owls);
    await expect(page.getByText("Missing")).toBeVisible();
    await page.getByLabel("Name in Dutch").fill("Nachtuilen");
    await expect(page.getByText("Missing")).toHaveCount(0);
    const add = page.getByRole("button", { name: "Add a language" });
    await add.click();
    await expect(page.getByRole("combobox", { name: "Language to add" })).toBeFocused();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect(add, "the focus returns").toBeFocused();
    await add.click();
    await pick(page.getByRole("combobox", { name: "Language to add" }), "Français");
    await page.getByLabel("Name in French").fill("Couche-tard");
    await take(page, "Add a condition", /^Points/);
    await page.getByLabel("Value", { exact: true }).fill("5");
    await page.getByRole("button", { name: "Create segment" }).click();
    await created(page, "Segment");
    await openForm(page);
    await page.reload();
    for (const [language, words] of [
      ["English", owls],
      ["Dutch", "Nachtuilen"],
      ["French", "Couche-tard"],
    ] as const)
      await expect(page.getByLabel(`Name in ${language}`)).toHaveValue(words);
  });
  await test.step("a streak is authored with freezes and milestones", async () => {
    await follow(page, `${SANDBOX}/streaks/new`);
    await page.getByLabel("Name in English").fill(unique("Weekly beans"));
    await page.getByRole("radio", { name: "Weeks in a row" }).click();
    await pick(page.getByRole("combobox", { name: "event", exact: true }), "beans");
    await page.getByText("Players earn freezes").click();
    await page.getByLabel(/^Maximum held/).fill("1");
    await page.getByRole("button", { name: "Add a milestone" }).click();
    await page.getByLabel("Length of milestone 1").fill("4");
    await page.getByLabel("Points", { exact: true }).fill("40");
    await expect(page.getByText("4 weeks: 40 points")).toBeVisible();
    await page.getByRole("button", { name: "Create streak" }).click();
    await created(page, "Streak");
    await page.reload();
    await expect(page.getByText("One for every 7 weeks, at most 1 held")).toBeVisible();
    await openForm(page);
    await expect(page.getByText("Can't be changed: key and repeats.")).toBeVisible();
  });
  await test.step("a number keeps every digit from the field to the service and back", async () => {
    const digits = "12345678901234567890.12345678";
    await follow(page, `${SANDBOX}/segments/new`);
    await page.getByLabel("Name in English").fill(unique("Exact"));
    await take(page, "Add a condition", /^Event/);
    await pick(page.getByRole("combobox", { name: "event", exact: true }), "order placed");
    await choose(page.getByRole("combobox", { name: "What is measured" }), "total of");
    await pick(page.getByRole("combobox", { name: "property" }), "amount");
    await page.getByLabel("Value", { exact: true }).fill(digits);
    await page.getByLabel(/^In the last days/).fill("30");
    await expect(page.getByText("12,345,678,901,234,567,890.12345678").first()).toBeVisible();
    await page.getByRole("button", { name: "Create segment" }).click();
    await created(page, "Segment");
    await openForm(page);
    await page.reload();
    await expect(page.getByLabel("Value", { exact: true })).toHaveValue(digits);
    await expect(page.getByLabel(/^In the last days/)).toHaveValue("30");
    // The button that adds a condition is gone.
    await take(page, "Add another condition", /^Event/);
    await expect(page.getByRole("combobox", { name: "event", exact: true }).nth(1)).toBeFocused();
  });
  await test.step("several values are typed one by one, or pasted together", async () => {
    // A load drops what is written and not saved.
    await page.goto(`${SANDBOX}/segments/new`);
    await page.getByLabel("Name in English").fill("Better tiers");
    await take(page, "Add a condition", /^Attribute/);
    await pick(page.getByRole("combobox", { name: "attribute", exact: true }), "membership");
    await choose(page.getByRole("combobox", { name: "How it is compared" }), "is one of");
    const values = page.getByLabel("Value", { exact: true });
    await values.fill("gold, platinum,");
    await values.fill("silver");
    await values.press("Enter");
    await expect(page.getByText("Membership is gold, platinum or silver").first()).toBeVisible();
    await page.getByRole("button", { name: "Remove platinum" }).click();
    await expect(page.getByText("Membership is gold or silver").first()).toBeVisible();
  });
  await test.step("a removed condition leaves the keyboard beside its place", async () => {
    await take(page, /^Condition actions/, "Remove");
    await expect(page.getByRole("button", { name: "Add a condition" })).toBeFocused();
  });
  await test.step("dates of a list are typed digit by digit, and a save by keyboard includes the last one", async () => {
    await page.getByLabel("Name in English").fill(unique("Born on a holiday"));
    await take(page, "Add a condition", /^Attribute/);
    await pick(page.getByRole("combobox", { name: "attribute", exact: true }), "birthday");
    await choose(page.getByRole("combobox", { name: "How it is compared" }), "is one of");
    const next = page.getByLabel("Value: add another");
    await next.focus();
    await page.keyboard.type("122420260630PM");
    await expect(next).toHaveValue("2026-12-24T18:30");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Remove 24 Dec 2026, 18:30" })).toBeVisible();
    // On a phone each value has a row of its own.
    await page.setViewportSize({ width: 360, height: 720 });
    await next.fill("2026-12-26T08:00");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove 26 Dec 2026, 08:00" }).click();
    await page.setViewportSize({ width: 1280, height: 720 });
    // Between two digits of the minute it is 09:04.
    for (const minute of ["04", "45"]) await next.fill(`2026-12-25T09:${minute}`);
    await page.keyboard.press("ControlOrMeta+s");
    await created(page, "Segment");
    await expect(page.getByText("Birthday is 24 Dec 2026, 18:30 or 25 Dec 2026, 09:45").first()).toBeVisible();
  });
});
