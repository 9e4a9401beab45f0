import { expect, test } from "./test.ts";

test("three coffees complete the mission: the page shows the points, and the shop is told by a signed webhook", async ({
  page,
  engagement,
}) => {
  const ann = engagement.player();
  await page.goto(`/?player=${ann.id}`);
  for (let cup = 0; cup < 3; cup++) await page.getByRole("button", { name: "Order a latte" }).click();
  await engagement.settled();
  await page.reload();
  await expect(page.getByRole("list", { name: "Missions" })).toContainText("Three coffees: completed");
  await expect(page.getByRole("status")).toHaveText("105 points");
  const { data } = await engagement.webhooks.next("mission.completed", {
    player: ann,
    where: ({ missionKey }) => missionKey === "three_coffees",
  });
  expect(data).toMatchObject({ playerExternalId: ann.id, occurrenceNumber: 0 });
});

test("the coffee of the day can be earned again tomorrow", async ({ page, engagement }) => {
  const bob = engagement.player();
  await page.goto(`/?player=${bob.id}`);
  await page.getByRole("button", { name: "Order a latte" }).click();
  await engagement.settled();
  await engagement.clock.advance("P1D");
  await page.reload();
  await page.getByRole("button", { name: "Order a latte" }).click();
  await engagement.settled({ player: bob });
  await page.reload();
  await expect(page.getByRole("status")).toHaveText("10 points");
});

test("the board ranks players by orders, and shows no players of other workers", async ({ page, engagement }) => {
  await engagement.reset();
  const [eve, dan] = [engagement.player("eve"), engagement.player("dan")];
  await engagement.send([eve, dan, dan].map(({ id }) => ({ playerId: id, event: "order_placed" })));
  await engagement.settled();
  await page.goto("/?player=eve");
  await expect(page.getByRole("list", { name: "Regulars" }).getByRole("listitem")).toHaveText([
    "Somebody: rank 1 with 2",
    "You: rank 2 with 1",
  ]);
});

test("a worker's clock is its own: an order counts for today on it", async ({ page, engagement }) => {
  // Read from this worker's own clock, which an earlier test may have moved to tomorrow.
  const before = engagement.clock.now();
  const fay = engagement.player();
  await page.goto(`/?player=${fay.id}`);
  await page.getByRole("button", { name: "Order a latte" }).click();
  await engagement.settled({ deliveries: true });
  const { data } = await engagement.webhooks.next("mission.completed", { player: fay });
  expect(Math.abs(Date.parse(data["completedAtUtc"]) - before.getTime())).toBeLessThan(60_000);
});
