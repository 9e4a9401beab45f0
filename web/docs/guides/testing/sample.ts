/** Files of a project that tests its own app with the kit. Its example under `testing/example` is one of them, run with every change. */
export const CONFIG = `
import { defineConfig } from "@playwright/test";

export default defineConfig({
  // Starts a service with a database of its own, unless ENGAGEMENT_URL and ENGAGEMENT_TOKEN name one.
  globalSetup: "engagement-service/testing/setup",
  workers: 4,
  use: { engagementOptions: { definitions: "engagement.json" } },
});
`.trim();

export const SPEC = `
import { expect, test } from "engagement-service/testing/playwright";

test("the first order completes a mission, and the shop is told", async ({ engagement }) => {
  const ann = engagement.player();
  await ann.missions(); // enters her: what comes before it counts for none
  await ann.send("order_placed", { amount: 4.5 });
  await engagement.settled();

  expect(await ann.mission("first_order")).toMatchObject({ status: "Completed" });
  const { data } = await engagement.webhooks.next("mission.completed", { player: ann });
  expect(data["missionKey"]).toBe("first_order");
});

test("tomorrow there is another cup", async ({ engagement }) => {
  const bob = engagement.player();
  await bob.missions();
  await bob.send("order_placed", { amount: 3 });
  await engagement.settled();
  await engagement.clock.advance("P1D");
  await bob.send("order_placed", { amount: 3 });
  await engagement.settled();
  expect((await bob.streaks())[0]).toMatchObject({ currentLength: 2 });
});
`.trim();

export const CI = `
name: test
on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: npm ci
      - run: npx playwright install --with-deps chromium
      - run: npx playwright test
`.trim();
