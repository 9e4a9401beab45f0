import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { settleAnalytics } from "../../operations/integrity/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { savePlayer } from "../players/service/players.ts";
import { adjustPoints } from "../points/service.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { createEndpoint } from "../../delivery/service/endpoints.ts";
import { testCipher } from "../../delivery/testing.ts";
import { purchase } from "./service/shop.ts";
import { reversePurchase } from "./service/reversal.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await testDatabase();
const { sql } = database;
const NOW = Date.parse("2026-03-02T12:00:00Z");
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const FILE = {
  version: 1,
  catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
  marketplaceItems: [
    { key: "voucher", name: "Voucher", priceInPoints: 30, contents: [{ catalogItem: "coffee", value: 1 }] },
    {
      key: "daily",
      name: "Daily",
      priceInPoints: 10,
      contents: [{ catalogItem: "coffee", value: 1 }],
      stock: 5,
      recurrence: { kind: "Calendar", every: "Day" },
    },
  ],
};

/** A shop with two customers who have a thousand points each. */
async function shop() {
  const project = await testProject(database);
  await importDefinitions(database, project.sandbox, FILE);
  const sandbox = await findEnvironment(database, project.slug, "sandbox");
  for (const externalId of ["ann", "bob"]) {
    await savePlayer(database, sandbox, NOW, externalId, { displayName: externalId === "ann" ? "Ann" : null });
    await adjustPoints(database, sandbox, NOW, { externalId, amount: 1_000, reason: "gift", idempotencyKey: null });
  }
  const buy = async (externalId: string, listingKey: string, at: number) =>
    (await purchase(database, sandbox, at, { externalId, listingKey, idempotencyKey: null })).purchaseId;
  const scope = { project: project.slug, environment: "sandbox" as const };
  const { rpc } = await signedIn(database, project.slug, "Viewer");
  const all = async (filter: object = {}) => (await rpc.marketplace.allPurchases({ ...scope, ...filter })).purchases;
  return { sandbox, scope, rpc, buy, all };
}

test("all purchases of an environment are listed once each, the newest first, and found by each filter", async () => {
  const { sandbox, scope, rpc, buy, all } = await shop();
  const other = await shop();
  await other.buy("ann", "voucher", NOW);
  const bought: string[] = [];
  // Of three at the same instant, the last is the newest.
  for (let at = 0; at < 6; at++)
    bought.push(await buy(at % 2 === 0 ? "ann" : "bob", at < 4 ? "voucher" : "daily", NOW + Math.floor(at / 3) * DAY));
  await reversePurchase(database, sandbox, bought[1]!, "by mistake");

  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { purchases: { id: string }[]; next: string | null } = await rpc.marketplace.allPurchases({ ...scope, cursor, limit: 2 });
    seen.push(...page.purchases.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== null);
  expect(seen).toEqual(bought.toReversed());

  const ids = async (filter: object) => (await all(filter)).map(({ id }) => bought.indexOf(id));
  expect(await ids({ listing: "daily" })).toEqual([5, 4]);
  expect(await ids({ player: "ann" })).toEqual([4, 2, 0]);
  expect(await ids({ player: "ann", listing: "voucher" })).toEqual([2, 0]);
  expect(await ids({ player: "Ann" })).toEqual([]);
  expect(await ids({ player: "a\u0000" })).toEqual([]);
  expect(await ids({ status: "Reversed" })).toEqual([1]);
  expect(await ids({ status: "Bought", player: "bob" })).toEqual([5, 3]);
  expect(await ids({ from: "2026-03-03T12:00:00Z" })).toEqual([5, 4, 3]);
  expect(await ids({ until: "2026-03-03T12:00:00Z", listing: "voucher" })).toEqual([2, 1, 0]);
  expect((await all({ player: "ann", limit: 1 }))[0]).toMatchObject({
    player: { externalId: "ann", displayName: "Ann" },
    listing: "daily",
  });
});

test("two purchases of one listing by one player within minutes are found, until one of them is reversed", async () => {
  const { sandbox, buy, all } = await shop();
  const first = await buy("ann", "voucher", NOW);
  const second = await buy("ann", "voucher", NOW + 2 * MINUTE);
  await buy("ann", "daily", NOW + 2 * MINUTE);
  await buy("bob", "voucher", NOW + 2 * MINUTE);
  await buy("ann", "voucher", NOW + 13 * MINUTE);
  const repeated = async () => (await all({ isRepeated: true })).map(({ id, repeatedWithin }) => ({ id, repeatedWithin }));
  expect(await repeated()).toEqual([
    { id: second, repeatedWithin: 2 * MINUTE },
    { id: first, repeatedWithin: 2 * MINUTE },
  ]);
  await reversePurchase(database, sandbox, second, "charged twice");
  expect(await repeated()).toEqual([]);
});

test("purchases are found by fulfillment status, each with its delivery", async () => {
  const { sandbox, buy, all } = await shop();
  const unnotified = await buy("ann", "voucher", NOW);
  const endpoint = { url: "http://127.0.0.1:9/hooks", events: ["catalog_item.fulfillment_requested"] };
  const { id: endpointId } = await createEndpoint(database, sandbox, endpoint, { allowPrivateAddresses: true, cipher: testCipher });
  const failed = await buy("ann", "voucher", NOW + 1);
  await sql`update webhook_deliveries set status = 'Failed', attempts = 9 where environment_id = ${sandbox.id}`;
  const waiting = await buy("bob", "voucher", NOW + 2);
  const [delivery] = await sql<
    { id: string }[]
  >`select id from webhook_deliveries where environment_id = ${sandbox.id} and status = 'Failed'`;
  const ids = async (handingOver: string) => (await all({ handingOver })).map(({ id }) => id);
  expect(await ids("Failed")).toEqual([failed]);
  expect(await ids("Waiting")).toEqual([waiting]);
  expect(await ids("NotSent")).toEqual([unnotified]);
  expect(await ids("Delivered")).toEqual([]);
  expect((await all({ handingOver: "Failed" }))[0]?.contents[0]?.notification).toEqual({
    ...{ endpointId, deliveryId: delivery?.id },
    ...{ status: "Failed", attempts: 9 },
  });
});

test("a listing's rounds show units sold, units remaining and points spent", async () => {
  const { sandbox, scope, rpc, buy } = await shop();
  await buy("ann", "daily", NOW);
  const reversed = await buy("ann", "daily", NOW);
  await buy("bob", "daily", NOW + DAY);
  await reversePurchase(database, sandbox, reversed, "by mistake");
  await settleAnalytics(database, sandbox.id);
  const rounds = (await rpc.analytics.rounds({ ...scope, key: "daily", limit: 3 })).rounds;
  expect(rounds[0]).toMatchObject({ isCurrent: true, sold: 0, stock: 5, revenue: 0 });
  expect(rounds.slice(1)).toEqual([
    { start: "2026-03-03", end: "2026-03-03", isCurrent: false, sold: 1, stock: 5, revenue: 10, reversedUnits: 0 },
    { start: "2026-03-02", end: "2026-03-02", isCurrent: false, sold: 1, stock: 5, revenue: 10, reversedUnits: 1 },
  ]);
  const { rounds: older, next } = await rpc.analytics.rounds({ ...scope, key: "daily", cursor: "2026-03-03", limit: 1 });
  expect({ starts: older.map(({ start }) => start), next }).toEqual({ starts: ["2026-03-02"], next: null });
  await expect(rpc.analytics.rounds({ ...scope, key: "daily", cursor: "\0" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect((await rpc.analytics.rounds({ ...scope, key: "voucher" })).rounds).toMatchObject([{ start: null, isCurrent: true, sold: 0 }]);
});
