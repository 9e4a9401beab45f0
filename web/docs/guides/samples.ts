/** Makes a client from the OpenAPI document. */
export const generate = (baseUrl: string): string =>
  `npm install --save-dev @hey-api/openapi-ts\nnpx openapi-ts --input ${baseUrl}/v1/openapi.json --output src/engagement`;

/** A program that uses the client. The generated client's test compiles it strictly and runs it. */
export const PROGRAM = `
import { createClient, createConfig } from "./engagement/client/index.js";
import { getPoints, readMissions, sendEvents } from "./engagement/index.js";

const client = createClient(
  createConfig({ baseUrl: process.env.ENGAGEMENT_URL!, auth: () => process.env.KEY! }),
);

// Reading the missions enters the player: earlier events would not count.
const missions = await readMissions({ client, body: { playerId: "gus" } });
if (missions.error) throw new Error(missions.error.code);

const { data, error } = await sendEvents({
  client,
  body: {
    events: [
      {
        playerId: "gus",
        event: "order_placed",
        occurredAt: new Date().toISOString(),
        idempotencyKey: "order-1201",
        properties: { amount: 4.5 },
      },
    ],
  },
});
if (error) throw new Error(error.code);
for (const { accepted, errors } of data.results) if (!accepted) console.error(errors);

const points = await getPoints({ client, query: { PlayerId: "gus" } });
console.log(points.data?.balance);
`.trim();

/** The compiler's type of a refusal. */
export const REFUSAL = `
const bought = await purchaseMarketplaceItem({
  client,
  path: { marketplaceItemKey: "coffee_on_us" },
  body: { playerId: "gus", idempotencyKey: "checkout-77" },
});
if (bought.error) {
  switch (bought.error.code) {
    case "points.insufficient_balance":
      console.log("Not enough points.");
      break;
    default:
      throw new Error(bought.error.code);
  }
}
`.trim();

export const SET_UP = `npm install --save-dev @engagement-service/cli @playwright/test
export ENGAGEMENT_URL=https://engagement.example.com ENGAGEMENT_TOKEN=svc_pat_…`;

/** Files of a project that tests its own app with the kit. Its example under `testing/example` is one of them, run with every change. */
export const CONFIG = `
import { defineConfig } from "@playwright/test";

export default defineConfig({
  workers: 4,
  use: { engagementOptions: { definitions: "definitions" } },
});
`.trim();

export const SPEC = `
import { expect, test } from "@engagement-service/cli/testing/playwright";

test("the first order completes a mission, and the shop is told", async ({ engagement }) => {
  const ann = engagement.player();
  await ann.missions(); // enters her: earlier events would not count
  await ann.send("order_placed", { amount: 4.5 });
  await engagement.settled();

  expect(await ann.mission("first_order")).toMatchObject({ status: "Completed" });
  await engagement.webhooks.next("mission.completed", {
    player: ann,
    where: ({ missionKey }) => missionKey === "first_order",
  });
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
    services:
      engagement:
        image: registry.example.com/engagement:0.1.0-ephemeral
        ports: ["3000:3000"]
        env:
          ENGAGEMENT_TOKEN: svc_pat_${"0".repeat(64)}
    env:
      ENGAGEMENT_URL: http://localhost:3000
      ENGAGEMENT_TOKEN: svc_pat_${"0".repeat(64)}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: npm ci
      - run: npx playwright install --with-deps chromium
      - run: npx playwright test
`.trim();

/** Of the demo's definitions, whose test runs it. */
export const SCENARIO = `timeZone: Europe/Amsterdam
scenarios:
  - name: Orders of 10 or less do not count
    players: { player: { attributes: { tier: gold }, points: 100 } }
    clock: 2026-03-02T09:00:00Z
    steps:
      - accept: coffee_lover
      - event: order_placed
        properties: { amount: 12 }
        times: 4
        every: P1D
      - event: order_placed
        properties: { amount: 8 }
        expect:
          missions: { coffee_lover: { status: InProgress, progress: [4, 0] } }
      - wait: PT1H
      - buy: coffee_on_us
        expect:
          items: { free_coffee: 2 } # bought, and by Warm welcome`;
