import { expect } from "@playwright/test";
import { created, openForm, pick, expectToast } from "./forms.ts";
import { test } from "./sign-in.ts";

const BOARDS = "/dashboard/demo/sandbox/leaderboards";

test("a weekly league is authored, and players find their tier in it", async ({ page, request, service }) => {
  await page.goto(`${BOARDS}/new`);
  await page.getByLabel("Name in English", { exact: true }).first().fill("Bean league");
  await page.getByRole("radio", { name: /^Points/ }).click();
  await page.getByRole("switch", { name: /Play in leagues/ }).click();
  await page.getByLabel(/^Players in a group/).fill("10");
  await page.getByRole("textbox", { name: "Move up" }).fill("3");
  await page.getByRole("textbox", { name: "Move down" }).fill("3");
  await page.getByRole("button", { name: "Add a tier" }).click();
  await page.getByLabel("Tier 4 in English").fill("Platinum");
  await page.getByRole("button", { name: "Remove tier 1" }).click();

  await page.getByRole("button", { name: "Add a prize" }).click();
  await page.getByLabel("Points", { exact: true }).fill("500");
  await page.getByRole("button", { name: "Add a catalog item" }).click();
  await pick(page.getByRole("combobox", { name: "catalog item" }), "coffee");
  await expect(page.getByLabel("Quantity")).toHaveValue("1");
  await expect(page.getByText("Ranks 1 to 3 of each group: 500 points and Free coffee")).toBeVisible();
  await page.getByRole("button", { name: "Create leaderboard" }).click();
  await created(page, "Leaderboard");
  await expect(page).toHaveURL(new RegExp(`${BOARDS}/bean_league$`));

  const headers = { Authorization: `Bearer ${/svc_sbox_\w+/.exec(service.printed())![0]}` };
  const standings = (await (await request.get("/v1/leaderboards/bean_league?PlayerId=nobody-yet", { headers })).json()) as {
    leaderboard: object;
  };
  expect(standings.leaderboard).toMatchObject({
    scoreSource: "Points",
    league: { tierKey: "silver", tiers: 3, groupSize: 10, promotes: 3, relegates: 3 },
  });
});

test("of an existing league only the tiers' names can be changed", async ({ page }) => {
  await page.goto(`${BOARDS}/new`);
  await page.getByLabel("Name in English", { exact: true }).first().fill("Cup league");
  await page.getByRole("radio", { name: /^Points/ }).click();
  await page.getByRole("switch", { name: /Play in leagues/ }).click();
  await page.getByRole("button", { name: "Create leaderboard" }).click();
  await created(page, "Leaderboard");

  await openForm(page);
  const league = page.getByRole("region", { name: "League" });
  await expect(page.getByText("Can't be changed: key, score, order, period and league (tiers can be renamed).")).toBeVisible();
  await expect(league.getByLabel(/^Players in a group/)).toBeDisabled();
  await expect(page.getByText("Ranks Players by points from missions and streaks, highest first")).toBeVisible();
  await league.getByLabel("Tier 1 in English").fill("Copper");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expectToast(page, "Saved");
  await page.reload();
  await expect(league.getByLabel("Tier 1 in English")).toHaveValue("Copper");
});
