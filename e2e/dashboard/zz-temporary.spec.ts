import { expect } from "@playwright/test";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";
test("pictures", async ({ page }) => {
  const { at, call: rpc, define } = await ownProject(page, {});
  const goal = (target: number, more = {}) => ({ event: "order_placed", operator: "GreaterThanOrEqualTo", target, ...more });
  const rewards = [{ kind: "Points", points: 5 }];
  const file = (more = {}) => ({
    events: [{ key: "order_placed", name: "Order placed", properties: [{ key: "amount", type: "Number" }] }],
    missions: [
      { key: "coffee_lover", name: "Coffee lover", objectives: [goal(1)], rewards },
      { key: "regular", name: "Regular of the week", objectives: [goal(5), goal(2, { where: { property: "amount", operator: "GreaterThan", value: 50 } })], rewards, ...more },
      { key: "big", name: "Big spender", objectives: [goal(2, { where: { property: "amount", operator: "GreaterThan", value: 100 } })], rewards },
    ],
    streaks: [{ key: "daily", name: "Daily visit", event: "order_placed", cadence: "Day" }],
    leaderboards: [
      { key: "orders", name: "Most orders", scoreSource: "Event", event: "order_placed", measure: { kind: "Count" }, rankOrder: "HighestFirst", period: { kind: "Calendar", every: "Week" } },
      { key: "points", name: "Most points", scoreSource: "Points", rankOrder: "HighestFirst", period: { kind: "AllTime" } },
    ],
  });
  await define(file());
  const { key } = await rpc<{ key: string }>("keys/create", { name: "backend" });
  const post = (path: string, data: object) => page.request.post(path, { headers: { authorization: `Bearer ${key}` }, data });
  const order = (amount: number) => ({ playerId: "ann", event: "order_placed", occurredAt: new Date().toISOString(), properties: { amount } });
  await post("/v1/missions", { playerId: "ann" });
  await post("/v1/events", { events: [order(12)] });
  const sheet = page.getByRole("dialog");
  await page.goto(at("/developers/events"));
  await page.getByRole("button", { name: "order_placed" }).last().click();
  await expect(sheet.getByRole("list", { name: "What it changed", exact: true })).toContainText(/Coffee lover/);
  await page.screenshot({ path: "/tmp/w-d-shot-1.png", fullPage: true });
  await define(file({ window: { startsAt: "2099-01-01T00:00:00Z" } }));
  await page.reload();
  await page.setViewportSize({ width: 390, height: 1100 });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.getByRole("button", { name: "order_placed" }).last().click();
  await expect(sheet.getByText("Definitions have changed since")).toBeVisible();
  await page.screenshot({ path: "/tmp/w-d-shot-2.png" });
  await page.keyboard.press("Escape");
  await post("/v1/events", { events: Array.from({ length: 130 }, () => order(1)) });
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(at("/developers/events?player=ann"));
  await page.getByRole("radio", { name: "All stored events of this player" }).click();
  await page.getByRole("button", { name: "order_placed" }).first().click();
  await expect(sheet.getByText("Calculated again")).toBeVisible();
  await page.screenshot({ path: "/tmp/w-d-shot-3.png" });
});
