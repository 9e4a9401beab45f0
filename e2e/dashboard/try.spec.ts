import { expect, type Page } from "@playwright/test";
import { expectReadable } from "../accessible.ts";
import { expectToFit } from "../fits.ts";
import { follow } from "../hydrated.ts";
import { keepPicture } from "../pictures.ts";
import { test } from "./sign-in.ts";

/** Trying a definition before it counts, on the pages of the demo's coffee shop. */

/** Loads the page that a test begins with; follows a link to the next one. */
async function openPanel(page: Page, path: string) {
  const panel = page.getByRole("dialog", { name: /^Try this/ });
  const address = `/dashboard/demo/sandbox/${path}`;
  if (page.url() === "about:blank") await page.goto(address);
  else {
    await page.keyboard.press("Escape");
    await expect(panel).toHaveCount(0);
    await follow(page, address);
  }
  await page.getByRole("button", { name: "Try it", exact: true }).click();
  await expect(panel.getByRole("button", { name: "Try it", exact: true })).toBeVisible();
  const run = () => panel.getByRole("button", { name: "Try it", exact: true }).click();
  const steps = panel.getByRole("list", { name: "Step by step" }).getByRole("listitem");
  return { panel, run, steps };
}

test("definitions are tried: with sample events, a player's recent ones, a purchase, and as the form has them", async ({ page }) => {
  test.slow();
  await test.step("a mission is tried with sample events: each tells whether it counts, and why not", async () => {
    const { panel, run, steps } = await openPanel(page, "missions/coffee_lover");
    const amounts = panel.getByLabel("amount");
    await amounts.first().fill("8");
    await panel.getByRole("button", { name: "Repeat sample 1" }).click();
    await amounts.nth(1).fill("20");
    for (let repeated = 2; repeated < 6; repeated++) await panel.getByRole("button", { name: `Repeat sample ${repeated}` }).click();
    await run();
    await expect(panel.getByText("Five orders over 10: amount is 8, needs to be more than 10")).toBeVisible();
    await expect(panel.getByText("Completed once.")).toBeVisible();
    await expect(panel.getByText(/^Granted: 200 points/)).toBeVisible();
    await expect(steps.filter({ hasText: "Order placed #2" })).toContainText("1 of 5");
    // A value of the wrong type is reported.
    await amounts.first().fill("much");
    await run();
    await expect(panel.getByText('The property "amount" must be a number.')).toBeVisible();
    expect(await page.request.get("/v1/openapi.json").then((answer) => answer.status())).toBe(200);
  });
  await test.step("a listing says what a purchase would answer, and why", async () => {
    const { panel, run } = await openPanel(page, "listings/coffee_on_us");
    await panel.getByLabel("Points balance").fill("1");
    await run();
    await expect(panel.getByText(/^The purchase is refused: /)).toBeVisible();
    await expect(panel.getByText("The environment knows the player")).toBeVisible();
  });
  await test.step("a mission is tried with the recent events of a player found by name", async () => {
    const { panel, run, steps } = await openPanel(page, "missions/coffee_lover");
    await panel.getByRole("combobox", { name: "Player" }).fill("sof");
    await page.getByRole("option", { name: /sofia/ }).click();
    await panel.getByRole("radio", { name: "Recent events" }).click();
    await run();
    await expect(steps.filter({ hasText: "Order placed #1" }).first()).toBeVisible();
    await panel.getByRole("tab", { name: "Who qualifies" }).click();
    await expect(panel.getByText(/of \d[\d,]* players/)).toBeVisible();
  });
  await test.step("the form's present state is tried; problems that prevent a save are shown first", async () => {
    const { panel, run } = await openPanel(page, "missions/new");
    await run();
    await expect(panel.getByText(/^Fix (this|these)/)).toBeVisible();
    await panel.getByRole("button", { name: "Close" }).click();
    await follow(page, "/dashboard/demo/sandbox/missions/coffee_lover/edit");
    await page.getByLabel("Points", { exact: true }).first().fill("333");
    await page.getByRole("button", { name: "Try it", exact: true }).click();
    const amounts = panel.getByLabel("amount");
    await amounts.first().fill("20");
    for (let repeated = 1; repeated < 5; repeated++) await panel.getByRole("button", { name: `Repeat sample ${repeated}` }).click();
    await run();
    await expect(panel.getByText(/^Granted: 333 points/)).toBeVisible();
  });
});

test("a mission is tried on all players in the background, and the result is saved", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { panel } = await openPanel(page, "missions/coffee_lover");
  await panel.getByRole("tab", { name: "All players" }).click();
  await panel.getByRole("button", { name: "Run backtest" }).click();
  await expect(panel.getByText(/of \d[\d,]* players would have completed it/)).toBeVisible();
  await expect(panel.getByRole("row", { name: /^Points per week/ })).toBeVisible();
  await expect(panel.getByText(/^Assumes that everyone opened the mission on/)).toBeVisible();
  await expectToFit(page, 390);
  await keepPicture(page, "backtest.390.light");
  // The result is saved, and shown again for the unchanged draft.
  await page.reload();
  await page.getByRole("button", { name: "Try it", exact: true }).click();
  await panel.getByRole("tab", { name: "All players" }).click();
  await expect(panel.getByText(/of \d[\d,]* players would have completed it/)).toBeVisible();
  await expect(panel.getByText("This result is for an earlier draft.")).toBeHidden();
});

test("a listing's price and a leaderboard's prizes are tried on all players, beside today's", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [path, field, value, sentence] of [
    ["listings/coffee_on_us", "Price in points", "160", /players could have afforded it \(.* at today's price\)/],
    ["leaderboards/top_guests", "Points", "750", /players would have won a prize in \d+ period|No period of this board/],
  ] as const) {
    await page.goto(`/dashboard/demo/sandbox/${path}/edit`);
    await page.getByRole("textbox", { name: field, exact: true }).first().fill(value);
    await page.getByRole("button", { name: "Try it", exact: true }).click();
    const panel = page.getByRole("dialog", { name: /^Try this/ });
    await panel.getByRole("tab", { name: "All players" }).click();
    await panel.getByRole("button", { name: "Run backtest" }).click();
    await expect(panel.getByText(sentence)).toBeVisible();
    await expect(panel.getByRole("columnheader", { name: "Today" })).toBeVisible();
    await expect(panel.getByText(/^Based on .* all \d[\d,]* players/)).toBeVisible();
    const name = `backtest-${path.split("/")[0]!}`;
    await expectReadable(page, `${name}.390`, { within: "[role=dialog]" });
    await expectToFit(page, 390);
    await keepPicture(page, `${name}.390.light`);
  }
});

test("the panel is accessible, in both themes and at every width", async ({ page }) => {
  test.slow();
  for (const path of ["missions/coffee_lover", "streaks/daily_coffee", "leaderboards/top_guests"]) {
    await page.setViewportSize({ width: 1360, height: 900 });
    const { panel, run } = await openPanel(page, path);
    await panel.getByRole("combobox", { name: "Player" }).fill("sof");
    await page.getByRole("option", { name: /sofia/ }).click();
    await panel.getByRole("radio", { name: "Recent events" }).click();
    await run();
    await expect(panel.getByRole("status")).toBeVisible();
    const name = `try-${path.replace("/", "-")}`;
    await expectReadable(page, `${name}.1360`, { within: "[role=dialog]" });
    await page.setViewportSize({ width: 360, height: 900 });
    await expectToFit(page, 360);
    await keepPicture(page, `${name}.360.light`);
  }
});
