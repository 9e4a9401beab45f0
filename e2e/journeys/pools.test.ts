import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { transact } from "../../db/client.ts";
import { openPools, type Pools } from "../../db/pools.ts";
import { testDatabase, testDatabaseUrl } from "../../db/testing.ts";
import { createApiListener, SERVER_OPTIONS } from "../../server/api/http.ts";
import { startWorker } from "../../server/operations/worker/loop.ts";
import { SMALL_SLICE } from "../../server/operations/worker/slice.ts";
import { until } from "../../db/testing/work.ts";
import { exchange, type Reply } from "../http.ts";
import { mission, shop } from "../definitions.ts";
import { BASE_URL, startService } from "../listening.ts";
import { startReceiver, testCipher } from "../../server/delivery/testing.ts";
import { enqueueDeliveries } from "../../server/engine/store/outbox.ts";

const service = await startService(await testDatabase());
const { sql } = service.database;
const SIZES = { requests: 2, dashboard: 2, facts: 2, deliveries: 2 };
const WAIT_MS = 500;
const receiver = await startReceiver();
const closing: (() => Promise<unknown>)[] = [receiver.close];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** A process of the service with few connections, which serves and works. */
async function startProcess() {
  const pools: Pools = openPools(await testDatabaseUrl(), { sizes: SIZES, waitMs: WAIT_MS });
  const logger = pino({ level: "silent" });
  const worker = startWorker({
    database: pools.facts,
    deliveriesDatabase: pools.deliveries,
    logger,
    allowPrivateAddresses: true,
    cipher: testCipher,
  });
  const listener = createApiListener({ database: pools.requests, baseUrl: BASE_URL, logger, wake: worker.wake });
  const server = createServer(SERVER_OPTIONS, (request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  closing.push(async () => {
    await worker.stop();
    await pools.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Another transaction that locks a table until the test ends. */
async function lock(table: string) {
  const over = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const holding = sql.begin(async (tx) => {
    await tx`lock table ${tx(table)} in access exclusive mode`;
    begun.resolve();
    await over.promise;
  });
  await begun.promise;
  return async () => {
    over.resolve();
    await holding;
  };
}

/** Waits until this many statements wait for the table. */
const untilStuck = (table: string, count: number) =>
  until(async () => (await sql`select from pg_locks where relation = ${table}::regclass and not granted`).length >= count);

const backend = await service.sandbox(shop(mission("first")));
await backend.subscribe(receiver.url, "mission.completed");
await service.pause();
const port = await startProcess();
const call = (method: string, path: string, body?: object): Promise<Reply> =>
  exchange(port, method, path, { headers: { authorization: `Bearer ${backend.key}` }, ...(body && { body }) });
const points = () => call("GET", "/v1/points?PlayerId=ann");

/** Writes a delivery, and waits until the receiver has it. */
async function deliver(): Promise<void> {
  const sourceId = randomUUID();
  const notification = {
    environmentId: backend.environment.id,
    event: "mission.completed" as const,
    sourceId,
    data: { sourceId },
    occurredAt: 0,
  };
  await transact(service.database, (tx) => enqueueDeliveries(tx, [notification]));
  await until(() => receiver.received.some(({ body }) => body.includes(sourceId)));
  // Deletes the delivery and its sums, since the audit at the end of the file would miss the completion behind them.
  await until(async () => (await sql`select from webhook_deliveries where source_id = ${sourceId} and status = 'Delivered'`).length === 1);
  await sql`delete from webhook_deliveries where source_id = ${sourceId}`;
  await sql`delete from analytics_webhooks where environment_id = ${backend.environment.id}`;
}

test("while every connection of the worker is stuck, requests are answered and deliveries go out", async () => {
  expect((await call("POST", "/v1/missions", { playerId: "ann" })).status).toBe(200);
  // Too many for one slice of all lanes, which would take one connection.
  const names = Array.from({ length: 2 * SMALL_SLICE }, (_, index) => `player-${index}`);
  const unlock = await lock("recent_facts");
  const events = names.map((playerId) => ({ playerId, event: "order_placed", occurredAt: new Date().toISOString() }));
  expect((await call("POST", "/v1/events", { events })).json).toMatchObject({ accepted: names.length });
  await untilStuck("recent_facts", SIZES.facts);
  for (let count = 0; count < 5; count++) expect((await points()).status).toBe(200);
  await deliver();
  await unlock();
  await backend.applied();
});

test("with every connection of the requests stuck, one more is answered 503 within the bound, facts are applied and deliveries sent", async () => {
  const unlock = await lock("balances");
  const stuck = Array.from({ length: SIZES.requests }, points);
  await untilStuck("balances", SIZES.requests);
  const before = performance.now();
  const refused = await Promise.all(Array.from({ length: 10 }, points));
  expect(performance.now() - before).toBeGreaterThan(WAIT_MS * 0.9);
  for (const { status, code, headers } of refused)
    expect([status, code, headers["retry-after"]]).toEqual([503, "service.unavailable", "2"]);
  await backend.send({ playerId: "nobody's", event: "order_placed" });
  await backend.applied();
  await deliver();
  await unlock();
  for (const { status } of await Promise.all(stuck)) expect(status).toBe(200);
  for (let count = 0; count < 5; count++) expect((await points()).status).toBe(200);
});
