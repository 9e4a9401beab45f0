import { expect, type Locator } from "@playwright/test";
import { follow } from "../hydrated.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

test.use({ looksOften: true });

const topOf = async (what: Locator): Promise<number> => (await what.boundingBox())!.y;

test("what arrives while a developer looks moves neither the list nor the links that they are about to press", async ({ page }) => {
  const { at, call: rpc, define } = await ownProject(page);
  const objectives = [{ event: "paid", operator: "GreaterThanOrEqualTo", target: 3 }];
  await define({
    events: [{ key: "paid", name: "Paid" }],
    missions: [{ key: "regular", name: "Regular", objectives, rewards: [{ kind: "Points", points: 5 }] }],
    discovery: { events: false, attributes: false },
  });
  const { key } = await rpc<{ key: string }>("keys/create", { name: "backend" });
  const post = (path: string, data: object) => page.request.post(path, { headers: { authorization: `Bearer ${key}` }, data });
  /** It stays where it is when an event arrives. */
  const expectSteady = async (what: Locator, playerId: string, event: string, arrived: Locator) => {
    await expect(what).toBeVisible();
    const before = await topOf(what);
    await post("/v1/events", { events: [{ playerId, event, occurredAt: new Date().toISOString() }] });
    await expect(arrived).toBeVisible();
    expect(await topOf(what), event).toBe(before);
  };

  await page.goto(at("/developers/requests"));
  await expect(page.getByText("No requests yet")).toBeVisible();
  await expectSteady(page.getByLabel("Until"), "ann", "piad", page.getByRole("link", { name: "event.not_found" }));

  await follow(page, at("/developers/quickstart"));
  const link = page.getByRole("link", { name: "Reward it with a mission" });
  await expectSteady(link, "ann", "piad", page.getByText("The last event was refused"));
  await post("/v1/missions", { playerId: "ann" });
  await expectSteady(link, "ann", "paid", page.getByText("First event received"));

  await follow(page, at("/developers/events"));
  await expect(page.getByRole("searchbox", { name: "Player ID" })).toBeVisible();
  const unentered = page.getByText("1 event today came from 1 player who is in no mission");
  await expectSteady(page.getByRole("table", { name: "Events" }), "stranger", "paid", unentered);
});

test("the filters of a list take their space before their controls are loaded", async ({ page }) => {
  const { at } = await ownProject(page);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(at("/developers"));
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const held: string[] = [];
    await page.route("**/_next/static/chunks/*.js", async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      if (body.includes("datetime-local")) {
        held.push(route.request().url());
        await released;
      }
      await route.fulfill({ response, body });
    });
    await page.getByRole("link", { name: "Requests", exact: true }).click();
    const list = page.getByRole("heading", { name: "No requests yet" });
    await expect(list).toBeVisible();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    const before = await topOf(list);
    release();
    await expect(page.getByLabel("Until")).toBeVisible();
    expect(await topOf(list), `at ${width}`).toBe(before);
    await page.unrouteAll({ behavior: "wait" });
  }
});
