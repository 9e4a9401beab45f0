import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type Database, transact } from "#db/client.ts";
import { testDatabase, testProject, type TestProject } from "#db/testing.ts";
import { tryLane } from "../../engine/store/locks.ts";
import { countWaiting } from "../../engine/store/queue.ts";
import { ingest } from "../../game/events/service.ts";
import { firstIdAt } from "../../model/kernel/kept-days.ts";
import { EVERY_LANE, FINE_LANES } from "../../model/kernel/lanes.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { createEndpoint } from "../../delivery/service/endpoints.ts";
import { startReceiver, testCipher } from "../../delivery/testing.ts";
import { createDrain, drain, findJob } from "./drain.ts";
import { JOBS } from "./registry.ts";
import { until } from "#db/testing/work.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { enqueueDeliveries } from "../../engine/store/outbox.ts";

let database: Database;
let project: TestProject;
const receiver = await startReceiver((_, count) => ({ status: count === 1 ? 503 : 200 }));
afterAll(() => receiver.close());

const LONG_MS = 20_000;
const silent = { error: () => {}, warn: () => {} };
const options = () => ({ database, logger: silent, cipher: testCipher, allowPrivateAddresses: true });

beforeAll(async () => {
  database = await testDatabase();
  project = await testProject(database);
  const objective = { event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 };
  const mission = { key: "one", name: "One", objectives: [objective], rewards: [{ kind: "Points", points: 10 }] };
  const events = [{ key: "order_placed", name: "Order placed" }];
  expect(await importDefinitions(database, project.sandbox, { version: 1, events, missions: [mission] })).not.toHaveProperty("problems");
  await createEndpoint(
    database,
    project.sandbox,
    { url: receiver.url, events: ["mission.completed"] },
    { allowPrivateAddresses: true, cipher: testCipher },
  );
});

const order = async (playerId: string) => {
  const feed = { externalId: playerId, take: null, includeCompleted: false, language: null };
  await readMissions(database, project.sandbox, Date.now(), feed);
  const items = [{ playerId, event: "order_placed", occurredAt: new Date().toISOString() }];
  await ingest(database, project.sandbox, { items, mayHoldBadText: false, now: Date.now() });
};

/** Runs `work` while all lanes are held elsewhere. */
const whileLanesAreTaken = (work: () => Promise<unknown>) =>
  database.sql.begin(async (tx) => {
    expect(await tryLane(tx, EVERY_LANE)).toHaveLength(FINE_LANES);
    await work();
  });

test("a worker whose clock is ahead of the database's does not purge the request log early", async () => {
  const { id } = project.sandbox;
  await database.sql`
    insert into request_log (environment_id, id, at, key_id, method, status, duration_ms, trace_id, body_length)
    values (${id}::int, ${firstIdAt(Date.now())}::uuid, now(), gen_random_uuid(), 'GET', 200, 1, '', 0)`;
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 8 * 86_400_000);
  onTestFinished(() => clock.mockRestore());
  await drain(options(), ["requestLog"], LONG_MS);
  clock.mockRestore();
  expect(await database.sql`select from request_log where environment_id = ${id}`).toHaveLength(1);
});

test("a drain does due work, and work that this makes due for a later job; work due later is left", async () => {
  await order("ann");
  await order("bob");
  expect(await drain(options(), ["facts", "deliveries"], LONG_MS)).toEqual([
    { work: "facts", done: 2, isThrough: true },
    { work: "deliveries", done: 2, isThrough: true },
  ]);
  expect(receiver.received).toHaveLength(2);
  expect(await drain(options(), ["deliveries"], LONG_MS)).toEqual([{ work: "deliveries", done: 0, isThrough: true }]);

  await database.sql`update webhook_deliveries set due_at = now() - interval '1 second' where status = 'Pending'`;
  expect(await drain(options(), ["deliveries"], LONG_MS)).toEqual([{ work: "deliveries", done: 1, isThrough: true }]);
  expect(receiver.received).toHaveLength(3);
});

test("a drain leaves no fact behind, even if another process holds its lane at that moment", async () => {
  await order("cleo");
  let draining = Promise.resolve<unknown>(null);
  await whileLanesAreTaken(async () => {
    draining = drain(options(), ["facts"], LONG_MS);
    expect(await drain(options(), ["facts"], 50)).toEqual([{ work: "facts", done: 0, isThrough: false }]);
  });
  expect(await draining).toEqual([{ work: "facts", done: 1, isThrough: true }]);
});

test("the deliveries job is not idle while a receiver's response is outstanding", async () => {
  const { promise: answer, resolve: open } = Promise.withResolvers<void>();
  const slow = await startReceiver(() => answer.then(() => ({ status: 200 })));
  const { sandbox } = await testProject(database);
  await createEndpoint(
    database,
    sandbox,
    { url: slow.url, events: ["mission.completed"] },
    { allowPrivateAddresses: true, cipher: testCipher },
  );
  const sourceId = randomUUID();
  const notification = { environmentId: sandbox.id, event: "mission.completed", sourceId, data: {}, occurredAt: Date.now() } as const;
  await transact(database, (tx) => enqueueDeliveries(tx, [notification]));
  const runner = JOBS.deliveries.start({ ...options(), onEffects: () => {} });
  let isIdle = false;
  const idle = runner.idle().then(() => (isIdle = true));
  await until(() => slow.received.length === 1);
  // Time for some polls, which find nothing due.
  await delay(700);
  expect(isIdle).toBe(false);
  open();
  await idle;
  const [delivery] = await database.sql`select status from webhook_deliveries where source_id = ${sourceId}`;
  expect(delivery!["status"]).toBe("Delivered");
  await runner.stop();
  await slow.close();
});

test("one drain runs at a time; callers during it share the next one", async () => {
  const drainAll = createDrain(options(), LONG_MS);
  const waiting = () => countWaiting(database.sql, project.sandbox.id);
  let first = Promise.resolve();
  let second = Promise.resolve();
  await whileLanesAreTaken(async () => {
    await order("dora");
    first = drainAll();
    await Promise.resolve();
    await order("emil");
    second = drainAll();
    expect(second).not.toBe(first);
    expect(drainAll()).toBe(second);
    expect(await waiting()).toBe(2);
  });
  await first;
  await second;
  expect(await waiting()).toBe(0);
  expect(drainAll()).not.toBe(second);
  await drainAll();
});

test("only jobs of the registry have names", () => {
  expect(["facts", "deliveries", "toString", ""].map(findJob)).toEqual(["facts", "deliveries", null, null]);
});
