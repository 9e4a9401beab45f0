import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { transact } from "#db/client.ts";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { openLocked } from "../../engine/apply.ts";
import { ingest } from "../../game/events/service.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { purchase } from "../../game/marketplace/service/shop.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import { testCipher } from "../../delivery/testing.ts";
import { drain } from "../worker/drain.ts";
import { checkIntegrity } from "./check.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await testDatabase();
const { sql } = database;
const OWED = "catalog_item.fulfillment_requested";
const options = { database, logger: { warn() {}, error() {} }, cipher: testCipher, allowPrivateAddresses: true };

let environment: Environment;
let rpc: Awaited<ReturnType<typeof signedIn>>["rpc"];
let scope: { project: string; environment: "sandbox" };
let players = 0;

/** A listing and a mission that each grant an item, and an Admin. */
beforeEach(async () => {
  const project = await testProject(database);
  environment = project.sandbox;
  ({ rpc } = await signedIn(database, project.slug, "Admin"));
  scope = { project: project.slug, environment: "sandbox" };
  const imported = await importDefinitions(database, environment, {
    version: 1,
    catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
    marketplaceItems: [{ key: "voucher", name: "Voucher", priceInPoints: 0, contents: [{ catalogItem: "coffee", value: 2 }] }],
    events: [{ key: "order_placed", name: "Order placed" }],
    missions: [
      {
        key: "one",
        name: "One",
        objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 }],
        rewards: [{ kind: "CatalogItem", catalogItem: "coffee", value: 1 }],
      },
    ],
  });
  expect(imported).not.toHaveProperty("problems");
});

async function subscribe(...events: string[]): Promise<string> {
  const created = await rpc.webhooks.create({ ...scope, url: "http://127.0.0.1:9/hooks", events });
  if ("problems" in created) throw new Error(JSON.stringify(created.problems));
  return created.id;
}

async function buy(count = 1): Promise<void> {
  for (let at = 0; at < count; at++) {
    const externalId = `player ${++players}`;
    await savePlayer(database, environment, Date.now(), externalId, {});
    await purchase(database, environment, Date.now(), { externalId, listingKey: "voucher", idempotencyKey: null });
  }
}

async function complete(count = 1): Promise<void> {
  for (let at = 0; at < count; at++) {
    const playerId = `player ${++players}`;
    await readMissions(database, environment, Date.now(), { externalId: playerId, take: null, includeCompleted: false, language: null });
    const items = [{ playerId, event: "order_placed", occurredAt: new Date().toISOString() }];
    await ingest(database, environment, { items, mayHoldBadText: false, now: Date.now() });
  }
  await drain(options, ["facts"], 20_000);
}

/** The number of owed items, and of the deliveries written for them. */
async function counts() {
  const [row] = await sql<{ owed: number; notified: number }[]>`
    select (select count(*) from owed_items where environment_id = ${environment.id}) as owed,
      (select count(*) from webhook_deliveries where environment_id = ${environment.id} and event = ${OWED}) as notified`;
  return row!;
}

test("while an endpoint is off, every purchase and completion still has its delivery, and the integrity check is clean", async () => {
  const id = await subscribe(OWED, "mission.completed");
  await rpc.webhooks.switch({ ...scope, id, isOn: false });
  await buy(30);
  await complete(5);
  expect(await counts()).toEqual({ owed: 35, notified: 35 });
  expect(await checkIntegrity(database, environment)).toEqual([]);
  await rpc.webhooks.discardHeld({ ...scope, id });
  expect(await checkIntegrity(database, environment)).toEqual([]);
});

test("owed items are checked against the subscriptions of their time, not today's", async () => {
  await buy();
  await complete();
  const first = await subscribe("mission.completed");
  await buy();
  await complete();
  // An older endpoint subscribes; the check does not report earlier items.
  await rpc.webhooks.edit({ ...scope, id: first, url: "http://127.0.0.1:9/hooks", events: [OWED] });
  expect(await counts()).toEqual({ owed: 4, notified: 0 });
  await buy();
  await complete();
  await rpc.webhooks.edit({ ...scope, id: first, url: "http://127.0.0.1:9/hooks", events: ["mission.completed"] });
  await buy();
  await rpc.webhooks.delete({ ...scope, id: first });
  await subscribe(OWED);
  expect(await counts()).toEqual({ owed: 7, notified: 2 });
  expect(await checkIntegrity(database, environment)).toEqual([]);
});

test("a missing delivery is reported, even if its endpoint was deleted since", async () => {
  const id = await subscribe(OWED);
  await buy();
  await complete();
  await sql`delete from webhook_deliveries where environment_id = ${environment.id}`;
  const line = /^owed item [0-9a-f-]{36}: no delivery of catalog_item.fulfillment_requested to /;
  expect(await checkIntegrity(database, environment)).toEqual([
    expect.stringMatching(new RegExp(`${line.source}http://127\\.0\\.0\\.1:9/hooks$`)),
    expect.stringMatching(line),
  ]);
  await rpc.webhooks.delete({ ...scope, id });
  expect(await checkIntegrity(database, environment)).toEqual([
    expect.stringMatching(/to its endpoint, which was deleted since$/),
    expect.stringMatching(/to its endpoint, which was deleted since$/),
  ]);
});

test("no subscription changes while owed items are being written", async () => {
  const id = await subscribe("mission.completed");
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const { promise: holds, resolve: held } = Promise.withResolvers<void>();
  const writing = transact(database, async (tx) => {
    await openLocked(tx, environment.id);
    held();
    await gate;
  });
  await holds;
  const done: string[] = [];
  const note = (what: string) => () => void done.push(what);
  const changes = [
    subscribe("streak.milestone_reached").then(note("create")),
    rpc.webhooks.edit({ ...scope, id, url: "http://127.0.0.1:9/hooks", events: [OWED] }).then(note("edit")),
  ];
  // Switching does not change a subscription.
  const other = await sql<{ id: string }[]>`
    insert into webhook_endpoints (environment_id, url, events, secret) values (${environment.id}, 'http://127.0.0.1:9/', '{}', '') returning id`;
  await rpc.webhooks.switch({ ...scope, id: other[0]!.id, isOn: false });
  await delay(50);
  expect(done).toEqual([]);
  open();
  await Promise.all([writing, ...changes]);
  expect(done.sort()).toEqual(["create", "edit"]);
});

test("the integrity check is clean when subscriptions change during purchases and completions", async () => {
  const id = await subscribe(OWED);
  const edit = (event: string) => rpc.webhooks.edit({ ...scope, id, url: "http://127.0.0.1:9/hooks", events: [event] });
  const changes = async () => {
    for (let round = 0; round < 8; round++) await edit(round % 2 === 0 ? "mission.completed" : OWED);
  };
  await Promise.all([changes(), buy(20), buy(20), complete(10)]);
  const { owed, notified } = await counts();
  expect(owed).toBe(50);
  expect(notified).toBeLessThanOrEqual(50);
  expect(await checkIntegrity(database, environment)).toEqual([]);
});
