import { expect } from "@playwright/test";
import { OWNER, test } from "../service.ts";
import { ownProject } from "./own-project.ts";

/** A phone's line: 150 ms each way and 1.6 Mbit/s. */
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

test("on a slow line a person signs in, searches, changes a mission and looks at a player, without waiting for scripts", async ({
  browser,
  baseURL,
}) => {
  test.slow();
  const page = await (await browser.newContext({ baseURL })).newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await (await page.context().newCDPSession(page)).send("Network.emulateNetworkConditions", LINE);

  await page.goto("/sign-in", { waitUntil: "commit" });
  await page.getByLabel("Email address").fill(OWNER.email);
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/dashboard\//);

  const shop = await ownProject(page);
  await shop.define({
    events: [{ key: "order_placed", name: "Order placed" }],
    missions: ["Coffee lover", "Tea lover"].map((name) => ({
      ...{ key: name.toLowerCase().replace(" ", "_"), name, rewards: [{ kind: "Points", points: 10 }] },
      objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 3 }],
    })),
  });
  const { key } = await shop.call<{ key: string }>("keys/create", { name: "backend" });
  const made = await page.request.post("/v1/players", {
    headers: { authorization: `Bearer ${key}` },
    data: { playerId: "ann", displayName: "Ann" },
  });
  expect(made.ok()).toBe(true);

  await page.goto(shop.at("/missions"), { waitUntil: "commit" });
  await page.getByRole("searchbox", { name: /^Search/ }).fill("coffee");
  await expect(page.getByRole("row", { name: /Tea lover/ })).toHaveCount(0);
  await page.getByRole("link", { name: "Coffee lover" }).click();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Espresso lover");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(async () => JSON.stringify((await shop.stored("missions", "coffee_lover"))["name"])).toContain("Espresso lover");

  await page.goto(shop.at("/players"), { waitUntil: "commit" });
  await page.getByRole("main").getByRole("link", { name: /ann/i }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Ann");
  expect(complaints).toEqual([]);
  await page.context().close();
});
