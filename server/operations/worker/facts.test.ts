import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#db/client.ts";
import { testDatabase, testProject } from "#db/testing.ts";
import { ingest } from "../../game/events/service.ts";
import { checkIntegrity } from "../integrity/check.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { playerKey } from "../../model/players/identity.ts";
import { testCipher } from "../../delivery/testing.ts";
import { drainFacts } from "./drain-facts.ts";
import { startFacts } from "./facts.ts";
import { retryQuarantined } from "./quarantine.ts";
import { workSlice } from "./slice.ts";
import { laneOf } from "#db/testing/work.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { loadEnvironment } from "../../engine/environment.ts";

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});

const order = (target: number, more: object = {}) => ({ event: "order_placed", operator: "GreaterThanOrEqualTo", target, ...more });
const points = (amount: number) => [{ kind: "Points", points: amount }];

async function environmentWith(missions: object[]): Promise<Environment> {
  const { sandbox } = await testProject(database);
  const problems = await importDefinitions(database, sandbox, {
    version: 1,
    events: [
      {
        key: "order_placed",
        name: "Order placed",
        properties: [
          { key: "amount", type: "Number" },
          { key: "drink", type: "String" },
        ],
      },
      { key: "order_returned", name: "Order returned" },
    ],
    catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
    missions: missions.map((mission) => ({ name: "A mission", rewards: points(10), ...mission })),
  });
  expect(problems).not.toHaveProperty("problems");
  return (await loadEnvironment(database.sql, sandbox.id)) as Environment;
}

const now = () => Date.now();
const read = (environment: Environment, externalId: string, includeCompleted = false) =>
  readMissions(database, environment, now(), { externalId, take: null, includeCompleted, language: null });
const send = (environment: Environment, ...items: { playerId: string; event?: string; properties?: object; idempotencyKey?: string }[]) =>
  ingest(database, environment, {
    items: items.map((item) => ({ event: "order_placed", occurredAt: new Date().toISOString(), ...item })),
    mayHoldBadText: false,
    now: now(),
  });

const balanceOf = async (environment: Environment, externalId: string): Promise<number> => {
  const { part, playerId } = playerKey(environment.id, externalId);
  const [row] = await database.sql<{ balance: number }[]>`select balance from balances where part = ${part} and player_id = ${playerId}`;
  return row?.balance ?? 0;
};

const silent = { error: () => {}, warn: () => {} };
const context = () => ({ database, logger: silent, allowPrivateAddresses: true, cipher: testCipher, onEffects: () => {} });

describe("facts are applied", () => {
  test("a completion, its points, its owed items and their rows commit together", async () => {
    const environment = await environmentWith([
      { key: "two", objectives: [order(2)], rewards: [...points(30), { kind: "CatalogItem", catalogItem: "coffee", value: 2 }] },
    ]);
    expect(await read(environment, "ann")).toMatchObject([{ status: "InProgress", objectives: [{ progress: { fraction: 0 } }] }]);
    await send(environment, { playerId: "ann" }, { playerId: "ann" }, { playerId: "ann" });
    await drainFacts(database, environment.id);
    expect(await read(environment, "ann")).toEqual([]);
    expect(await read(environment, "ann", true)).toMatchObject([
      { status: "Completed", objectives: [{ isSatisfied: true, progress: { fraction: 1 } }] },
    ]);
    expect(await balanceOf(environment, "ann")).toBe(30);
    const items = await database.sql`select catalog_item_key, value::text from owed_items where environment_id = ${environment.id}`;
    expect([...items]).toEqual([{ catalogItemKey: "coffee", value: "2" }]);
    expect(await checkIntegrity(database, environment)).toEqual([]);
  });

  test("an event sent before the first mission read advances nothing, even if applied later", async () => {
    const environment = await environmentWith([{ key: "five", objectives: [order(5)] }]);
    await send(environment, { playerId: "bob" });
    await read(environment, "bob");
    await send(environment, { playerId: "bob" });
    await drainFacts(database, environment.id);
    expect(await read(environment, "bob")).toMatchObject([{ objectives: [{ progress: { actual: { value: 1 } } }] }]);
  });

  test("distinct values are remembered from slice to slice", async () => {
    const environment = await environmentWith([
      { key: "drinks", objectives: [order(3, { measure: { kind: "DistinctCount", property: "drink" } })] },
    ]);
    await read(environment, "cleo");
    for (const drink of ["latte", "mocha", "latte", "mocha"]) {
      await send(environment, { playerId: "cleo", properties: { drink } });
      await drainFacts(database, environment.id);
    }
    expect(await read(environment, "cleo")).toMatchObject([{ objectives: [{ progress: { actual: { value: 2 } } }] }]);
    await send(environment, { playerId: "cleo", properties: { drink: "tea" } });
    await drainFacts(database, environment.id);
    expect(await read(environment, "cleo")).toEqual([]);
    expect(await checkIntegrity(database, environment)).toEqual([]);
  });

  test("two workers apply every fact once", async () => {
    const environment = await environmentWith([{ key: "many", objectives: [order(1_000)] }]);
    const players = Array.from({ length: 20 }, (_, index) => `player-${index}`);
    await Promise.all(players.map((playerId) => read(environment, playerId)));
    const workers = [startFacts(context()), startFacts(context())];
    const batches = Array.from({ length: 10 }, () => send(environment, ...players.flatMap((playerId) => [{ playerId }, { playerId }])));
    await Promise.all(batches);
    await drainFacts(database, environment.id);
    await Promise.all(workers.map((worker) => worker.stop()));
    const rows = await Promise.all(players.map((playerId) => read(environment, playerId)));
    expect(rows.map(([row]) => row?.objectives[0]?.progress.actual)).toEqual(players.map(() => ({ type: "number", value: 20 })));
    expect(await checkIntegrity(database, environment)).toEqual([]);
  });

  test("environments take turns in a lane", async () => {
    const environments = [await environmentWith([]), await environmentWith([])];
    const lane = laneOf(0);
    const inLane = (environment: Environment) =>
      Array.from({ length: 400 }, (_, index) => `p${index}`)
        .filter((id) => laneOf(playerKey(environment.id, id).part) === lane)
        .slice(0, 6);
    for (const environment of environments) await send(environment, ...inLane(environment).map((playerId) => ({ playerId })));
    const turns: number[] = [];
    for (
      let slice = await workSlice(database, lane, 0, 2);
      slice !== null;
      slice = await workSlice(database, lane, slice.environmentId, 2)
    ) {
      turns.push(slice.environmentId);
    }
    const [first, second] = environments.map(({ id }) => id);
    expect(turns).toEqual([first, second, first, second, first, second]);
  });

  test("a slice that fails leaves its facts in the queue", async () => {
    const environment = await environmentWith([{ key: "one", objectives: [order(1)] }]);
    await read(environment, "dora");
    await send(environment, { playerId: "dora" });
    const lane = laneOf(playerKey(environment.id, "dora").part);
    await database.sql`alter table points_transactions add constraint broken check (amount <> 10) not valid`;
    await expect(workSlice(database, lane, 0)).rejects.toThrow("broken");
    await database.sql`alter table points_transactions drop constraint broken`;
    expect(await balanceOf(environment, "dora")).toBe(0);
    await drainFacts(database, environment.id);
    expect(await balanceOf(environment, "dora")).toBe(10);
  });

  test("a fact whose fold fails is quarantined alone, with its error, and blocks no others", async () => {
    const environment = await environmentWith([{ key: "one", objectives: [order(1)] }]);
    const players = Array.from({ length: 12 }, (_, index) => `e${index}`);
    await Promise.all(players.map((playerId) => read(environment, playerId)));
    const full = playerKey(environment.id, "e5");
    await database.sql`insert into balances (part, player_id, balance) values (${full.part}, ${full.playerId}, 9007199254740991)`;
    await send(environment, ...players.map((playerId) => ({ playerId })));
    const worker = startFacts(context());
    await expect
      .poll(async () => (await checkIntegrity(database, environment)).filter((line) => line.includes("quarantined")))
      .toHaveLength(1);
    await worker.stop();
    const balances = await Promise.all(players.map((playerId) => balanceOf(environment, playerId)));
    expect(balances.filter((balance) => balance === 10)).toHaveLength(11);
    const [row] = await database.sql<{ error: string }[]>`select error from quarantined_facts where environment_id = ${environment.id}`;
    expect(row?.error).toContain("balance_within_range");
    // Nothing is lost: once the balance has room again, a retry grants everything.
    await database.sql`update balances set balance = 0 where part = ${full.part} and player_id = ${full.playerId}`;
    await retryQuarantined(database, environment, null, { userId: null, name: "ann@example.com" });
    await drainFacts(database, environment.id);
    expect(await balanceOf(environment, "e5")).toBe(10);
  });
});
