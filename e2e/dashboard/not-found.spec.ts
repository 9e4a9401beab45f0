import { expect } from "@playwright/test";
import { intercept } from "./intercept.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

test("an unknown page of the dashboard answers 404, within its frame if it has one; known pages answer 200", async ({ page }) => {
  test.slow();
  const shop = await ownProject(page);
  await shop.define({ events: [{ key: "order_placed", name: "Order placed" }] });
  const statusOf = async (path: string) => (await page.request.get(path)).status();
  const there = [
    ...["", "/events", "/events/new", "/events/order_placed", "/events/new?from=order_placed", "/players", "/settings", "/promote"].map(
      shop.at,
    ),
    ...["/developers", "/developers/webhooks", "/developers/deliveries", "/developers/quarantine"].map(shop.at),
    `/dashboard/${shop.slug}/audit-log`,
    `/dashboard/${shop.slug}/settings/members`,
    "/dashboard/account",
  ];
  for (const path of there) expect([path, await statusOf(path)]).toEqual([path, 200]);

  const inFrame = [
    ...["/no-such-screen", "/events/no_such_key", "/events/new?from=no_such_key", "/events/order_placed/more"].map(shop.at),
    ...["/players/nobody", "/developers/webhooks/no-such-endpoint", "/settings/no-such-part"].map(shop.at),
    `/dashboard/${shop.slug}/production`,
    `/dashboard/${shop.slug}/settings`,
    `/dashboard/${shop.slug}/audit-log/more`,
  ];
  for (const path of [...inFrame, "/dashboard/no-such-project/sandbox", "/dashboard/account/more"])
    expect([path, await statusOf(path)]).toEqual([path, 404]);
  for (const path of [inFrame[0]!, inFrame[1]!, inFrame[4]!, inFrame[7]!]) {
    await page.goto(path);
    await expect(page.getByText(/Page not found|has never seen this player/)).toBeVisible();
    await expect(page.getByRole("navigation").first()).toBeVisible();
  }
});

test("a page that could not be shown keeps its frame, and trying again asks the service for it", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define({ events: [{ key: "order_placed", name: "Order placed" }] });
  await page.goto(shop.at("/events"));
  await intercept(page, "**/rpc/definitions/list", (request) => request.fulfill(200, { json: { rows: [null] } }));
  await page.getByRole("searchbox", { name: "Search events" }).fill("paid");
  const again = page.getByRole("button", { name: "Try again" });
  await expect(page.getByText("This page could not be shown")).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Sections" })).toBeVisible();
  const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.has("_rsc"));
  await again.click();
  expect(new URL((await asked).url()).pathname).toBe(shop.at("/events"));
});
