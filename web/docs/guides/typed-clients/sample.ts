/** How a client is made from the OpenAPI document. */
export const generate = (baseUrl: string): string =>
  `npm install --save-dev @hey-api/openapi-ts\nnpx openapi-ts --input ${baseUrl}/v1/openapi.json --output src/engagement`;

/** A program that uses the client. The generated client's test compiles it strictly and runs it. */
export const PROGRAM = `
import { createClient, createConfig } from "./engagement/client/index.js";
import { getPoints, readMissions, sendEvents } from "./engagement/index.js";

const client = createClient(
  createConfig({ baseUrl: process.env.ENGAGEMENT_URL!, auth: () => process.env.KEY! }),
);

// Reading the missions enters the player: what comes before it counts for none.
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
