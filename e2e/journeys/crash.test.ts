import { setTimeout as delay } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../db/client.ts";
import { testProject, type TestProject } from "../../db/testing.ts";
import { importDefinitions } from "../../server/definitions/service.ts";
import { parseJson } from "../../server/kernel/json.ts";
import { createEndpoint } from "../../server/webhooks/service.ts";
import { countWaiting } from "../../server/work/store.ts";
import { startReceiver } from "../../server/work/testing.ts";
import { balanceOf, Books, completedBy, hasStreak, LISTINGS, MISSIONS, REWARDS } from "../crash/books.ts";
import { chance } from "../crash/chance.ts";
import { Customer } from "../crash/customer.ts";
import { type DurableDatabase, startDurableDatabase } from "../crash/durable.ts";
import { commandLine, type Program, program, steadyPort } from "../crash/programs.ts";
import { storm } from "../crash/storm.ts";

/** How often something is killed; the more, the longer. The same seed kills in the same order. */
const ROUNDS = Number(process.env["CRASH_ROUNDS"] ?? 6);
const SEED = Number(process.env["CRASH_SEED"] ?? 1);
const CONNECTIONS = 16;
/** Far more than it takes: nothing here is judged by its speed. */
const PATIENCE_MS = 180_000 + ROUNDS * 20_000;

let server: DurableDatabase;
let database: Database;
let project: TestProject;
let secret: string;
let lastName: string;
const web: Program[] = [];
const workers: Program[] = [];
const books = new Books();
const attempts = new Map<string, number>();
const receiver = await startReceiver(({ headers }) => {
  const id = String(headers["webhook-id"]);
  attempts.set(id, (attempts.get(id) ?? 0) + 1);
  // Now and then a delivery has to come twice.
  return { status: id.startsWith("0") && attempts.get(id) === 1 ? 503 : 200 };
});

const programs = () => [...web, ...workers];
const customer = (name: string, seed: number, shared: string[]) =>
  new Customer({ name, ports: web.map(({ port }) => port), apiKey: project.sandboxKey, books, chance: chance(seed), shared });

async function startPrograms(): Promise<void> {
  const environment = {
    DATABASE_URL: server.url,
    AUTH_SECRET: "only for this test",
    DEMO: "off",
    OWNER_PASSWORD: "only for this test",
    WORKER: "off",
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true",
  };
  for (const number of [1, 2]) {
    web.push(program({ name: `web ${number}`, file: "server/main.ts", port: await steadyPort(), environment }));
    workers.push(program({ name: `worker ${number}`, file: "server/worker.ts", port: await steadyPort(), environment }));
  }
  for (const one of programs()) one.start();
  await Promise.all(programs().map((one) => one.ready()));
}

async function setUpProject(): Promise<void> {
  const setup = openDatabase(server.url, { connections: 1 });
  project = await testProject(setup);
  const definitions = parseJson(JSON.stringify({ version: 1, ...MISSIONS, marketplaceItems: LISTINGS }));
  expect(await importDefinitions(setup, project.sandbox, definitions)).not.toHaveProperty("problems");
  const events = ["mission.completed", "catalog_item.fulfillment_requested", "streak.milestone_reached"];
  ({ secret } = await createEndpoint(setup, project.sandbox, { url: receiver.url, events }, { allowPrivateAddresses: true }));
  await setup.close();
  // The audit leaves a second of doubt to endpoints that were only just made.
  await delay(1_100);
}

/** Product staff rename a mission again and again, from a machine of their own; the last name. */
async function renameInAStorm(isOver: () => boolean): Promise<string> {
  const desk = openDatabase(server.url, { connections: 1 });
  let name = "";
  for (let round = 1; !isOver(); round++) {
    name = `Never ${round}`;
    const missions = MISSIONS.missions.map((one) => ("key" in one && one.key === "never" ? { ...one, name } : one));
    const file = parseJson(JSON.stringify({ version: 1, missions }));
    const rename = () => importDefinitions(desk, project.sandbox, file).catch(() => null);
    let result = await rename();
    for (; result === null; result = await rename()) await delay(100);
    expect(result).not.toHaveProperty("problems");
    await delay(200);
  }
  await desk.close();
  return name;
}

async function customersInAStorm(): Promise<void> {
  const host = customer("host", SEED, []);
  const shared = ["shared-0", "shared-1", "shared-2", "shared-3"];
  for (const playerId of shared) await host.welcome(playerId);
  let isOver = false;
  const customers = Array.from({ length: CONNECTIONS }, (_, index) => customer(`c${index}`, SEED * 1000 + index, shared));
  const running = Promise.all(customers.map((one) => one.run(() => isOver)));
  const acknowledged = () => books.orders.size;
  const renaming = renameInAStorm(() => isOver);
  const storming = storm({ web, workers, database: server, rounds: ROUNDS, chance: chance(SEED), acknowledged });
  // Either ends the other, should it fail.
  await Promise.race([storming, running, renaming]);
  isOver = true;
  await Promise.all([storming, running]);
  lastName = await renaming;
}

/** In the end the power fails; when it comes back a minute has gone, and with it the leases of who claimed deliveries. */
async function powerFailure(): Promise<void> {
  await Promise.all(programs().map((one) => one.kill()));
  server.kill();
  database = openDatabase(server.url, { connections: 4 });
  const pass = () =>
    database.sql`
      update webhook_deliveries set due_at = due_at - interval '1 minute', leased_until = leased_until - interval '1 minute'
      where status = 'Pending'`.catch(() => null);
  while ((await pass()) === null) await delay(100);
  for (const one of programs()) one.start();
  await Promise.all(programs().map((one) => one.ready()));
}

async function untilAllIsDone(): Promise<void> {
  const { id } = project.sandbox;
  while ((await countWaiting(database.sql, id)) > 0) await delay(100);
  const undelivered = () => database.sql`select from webhook_deliveries where environment_id = ${id} and status = 'Pending' limit 1`;
  while ((await undelivered()).length > 0) await delay(100);
}

beforeAll(async () => {
  server = await startDurableDatabase();
  await startPrograms();
  await setUpProject();
  await customersInAStorm();
  await powerFailure();
  await untilAllIsDone();
}, PATIENCE_MS);

afterAll(async () => {
  await database?.close();
  await Promise.all(programs().map((one) => one.kill()));
  await server?.stop();
  await receiver.close();
}, PATIENCE_MS);

describe(`after ${ROUNDS} kills of web processes, workers and the database (seed ${SEED}), and a power failure`, () => {
  test("every acknowledged event is in the log exactly once, and no other that had a key", async () => {
    const rows = await database.sql<{ id: string; key: string }[]>`
      select e.id, d.key from events e join definitions d on d.id = e.definition_id where e.environment_id = ${project.sandbox.id}`;
    const logged = (key: string) => rows.filter((row) => row.key === key).map(({ id }) => id);
    expect(books.contradictions).toEqual([]);
    expect(books.orders.size).toBeGreaterThan(100);
    expect(logged("order_placed").sort()).toEqual([...books.orders.values()].sort());
    const returns = logged("order_returned");
    expect(new Set(returns).size).toBe(returns.length);
    expect(new Set(books.others).difference(new Set(returns))).toEqual(new Set());
  });

  test("every completion that the events give is there once, with its rewards", async () => {
    const rows = await database.sql<{ name: string }[]>`
      select concat_ws(' ', p.external_id, d.key, c.occurrence_number) as name from mission_completions c
      join players p on p.part = c.part and p.player_id = c.player_id join definitions d on d.id = c.mission_id
      where c.environment_id = ${project.sandbox.id}`;
    const expected = [...books.accounts.values()].flatMap((one) => completedBy(one).map((key) => `${one.playerId} ${key} 0`));
    const completed = rows.map(({ name }) => name);
    expect(completed.filter((name) => !name.includes(" again ")).sort()).toEqual(expected.sort());
    const items = await database.sql<{ key: string; count: number }[]>`
      select catalog_item_key as key, count(*) from owed_items
      where environment_id = ${project.sandbox.id} and source_type = 'Mission' group by 1 order by 1`;
    const owed = completed.flatMap((name) => REWARDS[name.split(" ")[1]!]!.items);
    expect(items.map(({ key, count }) => [key, count])).toEqual(
      [...Map.groupBy(owed, (key) => key)].map(([key, list]) => [key, list.length]).sort(),
    );
  });

  test("balances, progress and the ledger are what arithmetic by hand gives", async () => {
    const reader = customer("reader", SEED, []);
    for (const account of books.accounts.values()) {
      const { playerId, takesPart, orders, cents, drinks } = account;
      const get = async (path: string) => (await reader.say("GET", `${path}?PlayerId=${playerId}`)).json;
      const feed: any[] = takesPart ? (await reader.say("POST", "/v1/missions", { playerId, includeCompleted: true })).json : [];
      const rounds = feed.filter(({ missionKey, status }) => missionKey === "again" && status === "Completed");
      expect(rounds.map(({ occurrenceNumber }) => occurrenceNumber)).toEqual([...rounds.keys()].reverse());
      expect(rounds.length).toBeLessThanOrEqual(orders / 3);
      const balance = balanceOf(account, rounds.length);
      expect(await get("/v1/points"), playerId).toEqual({
        balance,
        totalGranted: balance - account.adjusted + account.spent,
        totalSpent: account.spent,
      });
      const amounts = (await get("/v1/points/transactions")).map(({ amount }: { amount: number }) => amount);
      expect(amounts.reduce((sum: number, amount: number) => sum + amount, 0)).toBe(balance);
      const readings = feed
        .filter(({ missionKey }) => missionKey === "never")
        .map(({ name, objectives }) => [name, ...objectives.map(({ progress }: any) => progress.actual.value)]);
      expect(readings, playerId).toEqual(takesPart ? [[lastName, orders, cents / 100, drinks.size]] : []);
    }
  });

  test("every acknowledged purchase is there exactly once and no other is, and what is rare was not sold more often than there was of it", async () => {
    const rows = await database.sql<{ id: string; name: string; key: string }[]>`
      select b.id, concat_ws(' ', p.external_id, b.idempotency_key) as name, b.listing_key as key from marketplace_purchases b
      join players p on p.part = b.part and p.player_id = b.player_id where b.environment_id = ${project.sandbox.id}`;
    expect(new Map(rows.map(({ name, id }) => [name, id]))).toEqual(books.purchases);
    expect(rows).toHaveLength(books.purchases.size);
    // How many there are depends on how fast the machine is between the kills.
    expect(rows.length).toBeGreaterThan(0);
    const [{ sold } = { sold: 0 }] = await database.sql<{ sold: number }[]>`
      select sold from marketplace_rounds where environment_id = ${project.sandbox.id} and stock is not null`;
    expect(sold).toBe(rows.filter(({ key }) => key === "rare").length);
    expect(sold).toBeLessThanOrEqual(20);
  });

  const onAStreak = () => [...books.accounts.values()].filter(hasStreak).map(({ playerId }) => playerId);

  test("every streak that the days give has paid its milestone once", async () => {
    const rows = await database.sql<{ playerId: string }[]>`
      select p.external_id as "playerId" from points_transactions t join players p on p.part = t.part and p.player_id = t.player_id
      where t.environment_id = ${project.sandbox.id} and t.source_type = 'StreakMilestone'`;
    expect(rows.map(({ playerId }) => playerId).sort()).toEqual(onAStreak().sort());
    expect(rows.length).toBeGreaterThan(0);
    const items = await database.sql`
      select from owed_items where environment_id = ${project.sandbox.id} and source_type = 'StreakMilestone'`;
    expect(items).toHaveLength(rows.length);
  });

  test("every completion, every milestone and every owed item reached the receiver, whenever it came as the same delivery, and signed", async () => {
    const webhook = new Webhook(secret);
    const deliveries = new Map<string, string>();
    for (const { headers, body } of receiver.received) {
      const { event, deliveryId, data } = webhook.verify(body, headers as Record<string, string>) as any;
      expect([headers["webhook-id"], headers["x-service-delivery"], headers["x-service-event"]]).toEqual([deliveryId, deliveryId, event]);
      const what: Record<string, string> = {
        "mission.completed": data.occurrenceId,
        "catalog_item.fulfillment_requested": `${data.sourceId} ${data.catalogItemKey}`,
        "streak.milestone_reached": `${data.playerExternalId} ${data.milestone}`,
      };
      const about = `${event} ${what[event]}`;
      expect(deliveries.get(about) ?? deliveryId).toBe(deliveryId);
      deliveries.set(about, deliveryId);
    }
    expect(new Set(deliveries.values()).size).toBe(deliveries.size);
    const owed = await database.sql<{ about: string }[]>`
      select concat_ws(' ', 'catalog_item.fulfillment_requested', source_id, catalog_item_key) as about
      from owed_items where environment_id = ${project.sandbox.id}
      union all
      select concat_ws(' ', 'mission.completed', occurrence_id) from mission_completions where environment_id = ${project.sandbox.id}`;
    const reached = onAStreak().map((playerId) => `streak.milestone_reached ${playerId} 4`);
    expect([...deliveries.keys()].sort()).toEqual([...owed.map(({ about }) => about), ...reached].sort());
  });

  test("nothing waits, nothing is quarantined, and the audit passes", async () => {
    expect(await countWaiting(database.sql, project.sandbox.id)).toBe(0);
    const words = ["audit", "--project", project.slug, "--environment", "sandbox"];
    expect(await commandLine(words, { DATABASE_URL: server.url })).toBe("");
  });

  test("no process ended by itself or found a fault of its own, and all stop cleanly", async () => {
    expect(programs().flatMap((one) => one.faults())).toEqual([]);
    expect(await Promise.all(programs().map((one) => one.stop()))).toEqual([0, 0, 0, 0]);
  }, 60_000);
});
