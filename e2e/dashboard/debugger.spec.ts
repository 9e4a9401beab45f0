import { expect } from "@playwright/test";
import { violationsOf } from "../accessible.ts";
import { expectToFit } from "../fits.ts";
import { keepPicture } from "../pictures.ts";
import { zoneOfNoon } from "../zone-of-noon.ts";
import { follow } from "../hydrated.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

test("a backend's events appear as they arrive, with their effects, the missing ones, and the reasons", async ({ page }) => {
  const { at, call: rpc, define } = await ownProject(page, { timeZone: zoneOfNoon() });
  const coffeeLover = (rule: object = {}) => ({
    ...{ key: "coffee_lover", name: "Coffee lover", ...rule },
    objectives: [
      {
        ...{ event: "order_placed", where: { property: "amount", operator: "GreaterThan", value: 10 } },
        ...{ operator: "GreaterThanOrEqualTo", target: 1 },
      },
    ],
    rewards: [{ kind: "Points", points: 5 }],
  });
  await define({
    events: [{ key: "order_placed", name: "Order placed", properties: [{ key: "amount", type: "Number" }] }],
    missions: [coffeeLover()],
    leaderboards: [
      {
        key: "orders",
        name: "Most orders",
        scoreSource: "Event",
        event: "order_placed",
        measure: { kind: "Count" },
        rankOrder: "HighestFirst",
        period: { kind: "AllTime" },
      },
    ],
    discovery: { events: false, attributes: false },
  });
  const { key } = await rpc<{ key: string }>("keys/create", { name: "backend" });
  const post = (path: string, data: object) => page.request.post(path, { headers: { authorization: `Bearer ${key}` }, data });
  const order = (playerId: string, amount: number, event = "order_placed") => ({
    events: [{ playerId, event, occurredAt: new Date().toISOString(), properties: { amount } }],
  });

  await page.goto(at("/developers/events"));
  await expect(page.getByText("No recent events")).toBeVisible();
  await post("/v1/events", order("stranger", 12));
  await expect(page.getByRole("row", { name: /order_placed.*stranger.*Accepted/ })).toBeVisible();
  await page.getByRole("button", { name: "order_placed" }).click();
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByRole("list", { name: "What it changed", exact: true })).toContainText("Most orders");
  await expect(sheet.getByRole("list", { name: "No effect" })).toContainText(
    /Coffee lover.*the player has never read their missions, so they are not in it/i,
  );
  await expect(sheet.getByText('"playerId": "stranger"')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await keepPicture(page, "debugger-event.wide.light");
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(page.getByText("1 event today came from 1 player who is in no mission")).toBeVisible();

  await post("/v1/missions", { playerId: "ann" });
  for (const amount of [8, 12]) await post("/v1/events", order("ann", amount));
  await post("/v1/events", order("bob", 1, "order_plaecd"));
  await page.getByRole("searchbox", { name: "Player ID" }).fill("ann");
  await expect(page.getByRole("row", { name: /stranger/ })).toHaveCount(0);
  await expect(page.getByRole("row", { name: /order_placed/ })).toHaveCount(2);
  await expect(page.getByRole("row", { name: /Accepted/ })).toHaveCount(2);
  await page.getByRole("button", { name: "order_placed" }).last().click();
  await expect(sheet.getByRole("list", { name: "No effect" })).toContainText("amount is 8, needs to be more than 10", {
    ignoreCase: true,
  });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "order_placed" }).first().click();
  await expect(sheet.getByRole("list", { name: "What it changed", exact: true })).toContainText(/Coffee lover.*5 points/);
  await keepPicture(page, "debugger-event-changed.wide.light");
  await page.keyboard.press("Escape");
  // Recorded effects do not change; the reasons are those of today, and marked as such.
  await define({ missions: [coffeeLover({ window: { startsAt: "2099-01-01T00:00:00Z" } })] });
  await page.reload();
  await page.getByRole("button", { name: "order_placed" }).last().click();
  await expect(sheet.getByText("Definitions have changed since")).toBeVisible();
  await expect(sheet.getByRole("list", { name: "What it changed", exact: true })).toContainText(/Most orders.*adds 1 to the score/i);
  await keepPicture(page, "debugger-event-definitions-changed.wide.light");
  await page.keyboard.press("Escape");
  await page.getByRole("radio", { name: "All stored events of this player" }).click();
  await expect(page.getByRole("table", { name: "Stored events" }).getByRole("row")).toHaveCount(3);
  await expect(page.getByRole("radio", { name: "Refused" }), "stored events have no such filter").toHaveCount(0);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("radio", { name: "Refused" }).click();
  await expect(page.getByRole("row", { name: /order_plaecd.*bob.*There is no event/ })).toBeVisible();
  await keepPicture(page, "debugger-events.wide.light");

  await page.getByRole("link", { name: "Requests", exact: true }).click();
  await expect(page.getByRole("table", { name: "Errors by code" }).getByRole("link", { name: "event.not_found" })).toBeVisible();
  await expect(page.getByRole("row", { name: /POST \/v1\/missions.*200/ })).toBeVisible();
  await post("/v1/nothing", {});
  await expect(page.getByRole("row", { name: /\/v1\/nothing.*404.*route\.not_found/ })).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "POST /v1/nothing" }).click();
  await expect(sheet.getByRole("list", { name: "Problems" })).toContainText("There is no POST /v1/nothing.");
  await expect(sheet.getByText("/v1/nothing", { exact: true })).toBeVisible();
  await keepPicture(page, "debugger-request.wide.light");
  await page.keyboard.press("Escape");
  await keepPicture(page, "debugger-requests.wide.light", { fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await keepPicture(page, "debugger-requests.wide.dark", { fullPage: true });
  await page.setViewportSize({ width: 360, height: 740 });
  await keepPicture(page, "debugger-requests.narrow.dark", { fullPage: true });
  await expectToFit(page, 360);
  await follow(page, at("/developers/events"));
  await expect(page.getByRole("button", { name: "order_placed" }).first()).toBeVisible();
  await keepPicture(page, "debugger-events.narrow.dark", { fullPage: true });
  await expectToFit(page, 360);
});

test("an Admin stops the storage of bodies, which deletes them", async ({ page }) => {
  const { at, call: rpc } = await ownProject(page);
  const { key } = await rpc<{ key: string }>("keys/create", { name: "backend" });
  await page.request.post("/v1/missions", { headers: { authorization: `Bearer ${key}` }, data: { playerId: "ann" } });
  await page.goto(at("/developers/requests"));
  await page.getByRole("button", { name: "POST /v1/missions" }).click();
  await expect(page.getByRole("dialog").getByText('"playerId": "ann"')).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("switch", { name: "Keep request bodies" }).click();
  await page.getByRole("button", { name: "Stop and delete" }).click();
  await expect(page.getByText("Request bodies are no longer kept")).toBeVisible();
  await page.getByRole("button", { name: "POST /v1/missions" }).click();
  await expect(page.getByRole("dialog").getByText("keeps no request bodies")).toBeVisible();
});
