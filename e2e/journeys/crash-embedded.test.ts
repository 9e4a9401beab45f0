import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { useEmbeddedDatabase } from "../../db/embedded/database.ts";
import { withFileLock } from "../../db/embedded/file-lock.ts";
import { testProject } from "../../db/testing.ts";
import { until } from "../../db/testing/work.ts";
import { folderOf, serverIn } from "../../rehearsals/crash/durable.ts";
import { type Program, program, steadyPort } from "../programs.ts";
import { importDefinitions } from "../../server/authoring/definitions/service/import.ts";
import { atLeast, mission, shop } from "../definitions.ts";
import { exchange, type Reply } from "../http.ts";

const PATIENCE_MS = 240_000;
/** The kills of PostgreSQL during orders: a second one meets what the first has left. */
const ROUNDS = 2;
const FOLDER = folderOf("embedded");
const server = serverIn(FOLDER);
let services: [Program, Program];
let key: string;

/**
 * The service in one process, as `npm start` runs it, on the database in the folder. No test here opens a page. The demo takes ten times
 * as long as the rest of a first start; server/operations/demo/{load,interrupted}.test.ts test loading and interrupting it. A worker thread
 * loads the whole service again, a third of a start's CPU seconds; crash.test.ts kills processes with threads.
 */
const service = async (name: string): Promise<Program> => {
  const environment = { DATA_DIR: FOLDER, OWNER_EMAIL: "ann@example.com", PAGES: "off", DEMO: "off", WORKER_THREADS: "0" };
  return program({ name, file: "server/process/main.ts", port: await steadyPort(), environment });
};

const call = (to: Program, method: string, path: string, body?: object): Promise<Reply> =>
  exchange(to.port, method, path, { headers: { authorization: `Bearer ${key}` }, ...(body && { body }) });

let sent = 0;
/** Sends an order of a demo player, which has to be acknowledged. */
async function order(to: Program, playerId: string): Promise<void> {
  const item = {
    playerId,
    event: "order_placed",
    occurredAt: new Date().toISOString(),
    idempotencyKey: `order ${sent++}`,
    properties: { amount: 20 },
  };
  const { status, json, text } = await call(to, "POST", "/v1/events", { events: [item] });
  expect([status, json.accepted], text).toEqual([200, 1]);
}

/** Makes a project on the database in the folder, with a mission that counts five orders. */
async function openShop(): Promise<void> {
  const { url, leave } = await useEmbeddedDatabase({ directory: FOLDER });
  const database = openDatabase(url);
  const { sandbox, sandboxKey } = await testProject(database);
  key = sandboxKey;
  const coffeeLover = mission("coffee_lover", { optIn: "Manual", objectives: [atLeast(5)] });
  expect(await importDefinitions(database, sandbox, { version: 1, ...shop(coffeeLover) })).not.toHaveProperty("problems");
  await database.close();
  await leave();
}

/** Enters a player into the mission. */
async function welcome(to: Program, playerId: string): Promise<void> {
  expect((await call(to, "POST", "/v1/missions", { playerId })).status).toBe(200);
  expect((await call(to, "POST", "/v1/missions/coffee_lover/accept", { playerId })).status).toBe(204);
}

/** The number of the player's orders that were counted. */
async function counted(to: Program, playerId: string): Promise<number> {
  const feed: any[] = (await call(to, "POST", "/v1/missions", { playerId, includeCompleted: true })).json;
  return feed.find(({ missionKey }) => missionKey === "coffee_lover").objectives[0].progress.actual.value;
}

const eventually = (read: () => Promise<unknown>) => expect.poll(read, { timeout: 60_000, interval: 100 });

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  process.once("exit", server.remove);
  services = [await service("one"), await service("two")];
  for (const one of services) one.start();
  await Promise.all(services.map((one) => one.ready()));
  await openShop();
}, PATIENCE_MS);

afterAll(async () => {
  await Promise.all((services ?? []).map((one) => one.kill()));
  server.remove();
});

test("two processes that start together on an empty DATA_DIR make one database and one owner, and both serve", async () => {
  const printed = services.map((one) => one.printed());
  expect(printed.filter((text) => text.includes("ann@example.com"))).toHaveLength(1);
  for (const one of services) await welcome(one, `of ${one.name}`);
  for (const one of services) expect((await call(one, "GET", "/v1/points?PlayerId=of+one")).status).toBe(200);
});

test("a process that ends leaves the database to the other", async () => {
  const [first, second] = services;
  const before = server.pid();
  expect(await second.stop()).toBe(0);
  expect(server.pid()).toBe(before);
  await order(first, "of one");
  await eventually(() => counted(first, "of one")).toBe(1);
});

test(
  "kill -9 of the one process that is server and worker loses nothing acknowledged: the next start continues",
  async () => {
    const [first, second] = services;
    const before = server.pid();
    await welcome(first, "ann");
    await Promise.all([order(first, "ann"), order(first, "ann"), order(first, "ann")]);
    await first.kill();
    expect(server.pid()).toBe(before);
    second.start();
    await second.ready();
    expect(server.pid()).toBe(before);
    await eventually(() => counted(second, "ann")).toBe(3);
  },
  PATIENCE_MS,
);

test(
  "kill -9 of PostgreSQL under a running service is answered 503 until it is back, which the service sees to by itself",
  async () => {
    const [, running] = services;
    const before = { service: running.pid(), server: server.pid() };
    const statuses = new Set<number>();
    // The server cannot start while we hold the folder's lock.
    await withFileLock(join(FOLDER, "lock"), async () => {
      expect(server.kill()).toBe(true);
      await eventually(async () => server.pid()).toBe(null);
      // A backend whose postmaster has died may answer one more request before it ends as well.
      for (let refused = 0; refused < 30; await delay(20)) {
        const { status, code, headers } = await call(running, "GET", "/v1/points?PlayerId=ann");
        statuses.add(status);
        refused = status === 503 ? refused + 1 : 0;
        if (status === 503) expect([code, headers["retry-after"]]).toEqual(["service.unavailable", "2"]);
      }
    });
    expect(statuses.difference(new Set([200, 503]))).toEqual(new Set());
    await eventually(async () => (await call(running, "GET", "/v1/points?PlayerId=ann")).status).toBe(200);
    expect(server.pid()).not.toBe(before.server);
    expect(running.pid()).toBe(before.service);
    await order(running, "ann");
    await eventually(() => counted(running, "ann")).toBe(4);
  },
  PATIENCE_MS,
);

test(
  "repeated kill -9 of PostgreSQL during orders loses no order",
  async () => {
    const [, running] = services;
    await welcome(running, "bea");
    const answers = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      const idempotencyKey = `round ${round}`;
      const item = {
        playerId: "bea",
        event: "order_placed",
        occurredAt: new Date().toISOString(),
        idempotencyKey,
        properties: { amount: 20 },
      };
      const sending = Array.from({ length: 4 }, async () => {
        for (let status = 0; status !== 200; await delay(50))
          answers.add((status = (await call(running, "POST", "/v1/events", { events: [item] })).status));
      });
      server.kill();
      await Promise.all(sending);
    }
    // 429: for some seconds a killed process still holds its share of the running requests.
    expect(answers.difference(new Set([200, 429, 503]))).toEqual(new Set());
    await eventually(() => counted(running, "bea")).toBe(ROUNDS);
  },
  PATIENCE_MS,
);

test(
  "after service and PostgreSQL were killed together the next start has everything",
  async () => {
    const [first, second] = services;
    await order(second, "ann");
    server.kill();
    await second.kill();
    first.start();
    await first.ready();
    await eventually(() => counted(first, "ann")).toBe(5);
    const { json } = await call(first, "GET", "/v1/points?PlayerId=ann");
    expect(json.balance).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);

test("the last process to end stops the database; none has ended by itself or logged an error", async () => {
  const [first] = services;
  expect(await first.stop()).toBe(0);
  expect(server.pid()).toBe(null);
  expect(services.flatMap((one) => one.faults())).toEqual([]);
});

test(
  "kill -9 in the middle of the first start, as it makes the database's files and as it fills them, leaves nothing that the next start trips over",
  async () => {
    server.remove();
    mkdirSync(FOLDER);
    const [one, other] = [await service("killed"), await service("last")];
    one.start();
    await until(() => readdirSync(FOLDER).some((name) => name.startsWith("postgres.new-")));
    await one.kill();
    one.start();
    await until(() => server.pid() !== null);
    // By then the migrations have begun.
    await delay(200);
    server.kill();
    await one.kill();
    services = [one, other];
    other.start();
    await other.ready();
    await openShop();
    await welcome(other, "cleo");
    await order(other, "cleo");
    await eventually(() => counted(other, "cleo")).toBe(1);
    expect(services.flatMap((each) => each.faults())).toEqual([]);
    expect(await other.stop()).toBe(0);
  },
  PATIENCE_MS,
);
