import { expect } from "@playwright/test";
import { expectReadable } from "../accessible.ts";
import { expectToFit } from "../fits.ts";
import { follow } from "../hydrated.ts";
import { keepPicture } from "../pictures.ts";
import { zoneOfNoon } from "../zone-of-noon.ts";
import { take } from "./forms.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

test("support finds a double purchase, reverses it, hides a cheater, and an editor settles the board", async ({ page }) => {
  test.slow();
  const { at, call, define } = await ownProject(page, { timeZone: zoneOfNoon() });
  const daily = { kind: "Calendar", every: "Day" };
  const tiers = [
    { key: "bronze", name: "Bronze" },
    { key: "silver", name: "Silver" },
  ];
  const spent = { scoreSource: "Event", event: "order_placed", measure: { kind: "Sum", property: "amount" }, rankOrder: "HighestFirst" };
  await call("definitions/saveSettings", { baseCurrency: "EUR" });
  await define({
    metrics: [{ key: "paid", name: "Paid", kind: "Currency" }],
    events: [{ key: "order_placed", name: "Order placed", properties: [{ key: "amount", type: "Number" }] }],
    catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
    marketplaceItems: [
      ...[{ key: "voucher", name: "Coffee voucher", priceInPoints: 40, stock: 5, recurrence: daily }],
      ...[{ key: "sample", name: "Sample", priceInPoints: 0 }],
    ].map((listing) => ({ ...listing, contents: [{ catalogItem: "coffee", value: 1 }] })),
    leaderboards: [
      { key: "spent", name: "Big spenders", ...spent, period: daily },
      { key: "league", name: "Daily league", ...spent, period: daily, league: { groupSize: 10, tiers, promotes: 1, relegates: 1 } },
    ],
  });
  const { key } = await call<{ key: string }>("keys/create", { name: "backend" });
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`/v1/${path}`, { headers: { authorization: `Bearer ${key}` }, data });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  for (const [playerId, amount] of Object.entries({ ann: 90, bob: 50 })) {
    await post("players", { playerId, displayName: playerId === "ann" ? "Ann Ansel" : null });
    await post("points/adjustments", { playerId, amount: 200, reason: "welcome" });
    await post("events", { events: [{ playerId, event: "order_placed", occurredAt: new Date().toISOString(), properties: { amount } }] });
  }
  const paid = { externalPlayerId: "ann", metricKey: "paid", currencyCode: "EUR", occurredAtUtc: new Date().toISOString() };
  await post("metric-events", { ...paid, value: 1234.5, idempotencyKey: "paid" });
  await test.step("a total of money has its currency", async () => {
    await page.goto(at("/players/ann?tab=attributes"));
    await expect(page.getByRole("definition").filter({ hasText: "1,234.5 EUR" })).toBeVisible();
  });
  await test.step("without purchases there is nothing to filter", async () => {
    await follow(page, at("/purchases?status=Reversed"));
    await expect(page.getByText("No matching purchases")).toBeVisible();
    const status = page.getByRole("combobox", { name: "Status" });
    await expect(status).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).last().click();
    await expect(page.getByText("No purchases yet")).toBeVisible();
    await expect(status).toHaveCount(0);
  });
  const buy = (playerId: string, listing: string) => post(`marketplace-items/${listing}/purchases`, { playerId });
  await buy("bob", "voucher");
  await buy("ann", "voucher");
  await buy("ann", "sample");
  await buy("ann", "voucher");

  await test.step("all purchases, and double ones", async () => {
    await page.goto(at("/purchases"));
    const rows = page.getByRole("table", { name: "Purchases" }).getByRole("row");
    await expect(rows).toHaveCount(5);
    await expectReadable(page, "purchases.wide");
    await page.getByRole("checkbox", { name: "Charged twice?" }).click();
    await expect(rows).toHaveCount(3);
    await expect(page).toHaveURL(/repeated=yes/);
    await expect(rows.nth(1)).toContainText(/Coffee voucher.*Twice within \d+ (s|min).*Ann Ansel/s);
    await page
      .getByRole("button", { name: /^Reverse purchase: Coffee voucher by ann/ })
      .first()
      .click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByLabel("Reason").fill("Charged twice");
    await dialog.getByRole("button", { name: "Reverse purchase" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("No matching purchases")).toBeVisible();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(at("/purchases?status=Reversed"));
    await expect(rows).toHaveCount(2);
    await keepPicture(page, "purchases.narrow");
    await expectToFit(page, 390);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step("a listing's stock by period", async () => {
    await follow(page, at("/listings/voucher"));
    const rounds = page.getByRole("table", { name: "Stock by period" });
    // The points come from sums per player, which a background job makes for new players.
    await expect(async () => {
      await page.reload();
      await expect(rounds.getByRole("row").nth(1)).toContainText("Current23 of 5801", { timeout: 3_000 });
    }).toPass();
    await keepPicture(page, "rounds.wide", { fullPage: true });
  });

  await test.step("a player is hidden, and the others move up", async () => {
    await follow(page, at("/leaderboards/spent/standings"));
    const rows = page.getByRole("table", { name: "Standings" }).getByRole("row");
    await expect(rows).toContainText(["Rank", "1Ann Anselann90", "2bob50"]);
    await expectReadable(page, "standings.wide");
    await page.getByRole("link", { name: "Ann Ansel" }).click();
    await page.waitForURL(/\/players\/ann/);
    await take(page, "More actions", "Hide from leaderboards");
    const dialog = page.getByRole("alertdialog");
    await dialog.getByLabel("Reason").fill("Cheated");
    await dialog.getByRole("button", { name: "Hide", exact: true }).click();
    await expect(page.getByText("Hidden", { exact: true })).toBeVisible();
    await keepPicture(page, "hidden.wide");
    await page.goto(at("/leaderboards/spent/standings"));
    await expect(rows).toContainText(["Rank", "1bob50"]);
    await follow(page, at("/leaderboards/spent/standings?period=2001-01-01"));
    await expect(page.getByText("No period of this leaderboard starts on 1 Jan 2001.")).toBeVisible();
    await page.getByRole("button", { name: "Show the current period" }).click();
    await expect(rows).toContainText(["Rank", "1bob50"]);
    await follow(page, at("/leaderboards/spent/standings?around=ann"));
    await expect(page.getByText("Not ranked in this period")).toBeVisible();
  });

  await test.step("the period is settled now, and stays to be read", async () => {
    await page.getByRole("button", { name: "Show the top" }).click();
    await page.getByRole("button", { name: "Settle now" }).click();
    const dialog = page.getByRole("alertdialog");
    await expect(dialog).toContainText("The Sandbox clock moves to");
    await keepPicture(page, "settle.wide");
    await dialog.getByRole("button", { name: "Settle now" }).click();
    await expect(page.getByText("Period settled").first()).toBeVisible();
    await expect(page.getByRole("combobox", { name: "Period" })).toContainText("settled");
    await expect(page.getByRole("table", { name: "Standings" }).getByRole("row").nth(1)).toContainText(/bob/);
    await follow(page, at("/leaderboards/league/standings?period=" + new URL(page.url()).searchParams.get("period") + "&group=0.0"));
    await expect(page.getByText("Group 1 of 1")).toBeVisible();
    await expect(page.getByRole("table", { name: "Standings" }).getByRole("row").nth(1)).toContainText(/bob.*Promoted/s);
    await page.setViewportSize({ width: 390, height: 800 });
    await keepPicture(page, "league.narrow");
    await expectToFit(page, 390);
  });
});
