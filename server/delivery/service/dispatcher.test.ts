import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Database, openDatabase, transact } from "#db/client.ts";
import { testDatabase, testDatabaseUrl, testProject } from "#db/testing.ts";
import { Decimal } from "../../model/kernel/decimal.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import type { WebhookNotification } from "../../model/webhooks/subscriptions.ts";
import { claimDue } from "./sending.ts";
import { type DispatcherOptions, startDispatcher } from "./dispatcher.ts";
import { until } from "#db/testing/work.ts";
import { type Received, type Reply, startReceiver, testCipher } from "../testing.ts";
import { createEndpoint, deleteEndpoint, listEndpoints, rotateSecret } from "./endpoints.ts";
import { enqueueDeliveries } from "../../engine/store/outbox.ts";

let database: Database;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await testDatabase();
});

afterEach(async () => {
  while (cleanUps.length > 0) await cleanUps.pop()?.();
});

const silent = { warn() {}, error() {} };

function dispatch(options: Partial<DispatcherOptions> = {}) {
  const dispatcher = startDispatcher({ database, logger: silent, cipher: testCipher, allowPrivateAddresses: true, ...options });
  cleanUps.push(() => dispatcher.stop());
  return dispatcher;
}

async function receive(reply?: (request: Received, count: number) => Reply | Promise<Reply>) {
  const receiver = await startReceiver(reply);
  cleanUps.push(() => receiver.close());
  return receiver;
}

/** A project with an endpoint for all events; the endpoint is deleted after the test, so that nothing is sent later. */
async function register(url: string, project?: { sandbox: Environment }) {
  const { sandbox: environment } = project ?? (await testProject(database));
  const events = ["mission.completed", ...(project ? [] : ["catalog_item.fulfillment_requested"])];
  const { id, secret } = await createEndpoint(database, environment, { url, events }, { allowPrivateAddresses: true, cipher: testCipher });
  cleanUps.push(() => deleteEndpoint(database, environment, id).catch(() => {}));
  return { environment, id, secret };
}

const completed = ({ id }: Environment, data: object = {}): WebhookNotification => ({
  environmentId: id,
  event: "mission.completed",
  sourceId: randomUUID(),
  data: { playerExternalId: "ann", missionKey: "coffee_lover", ...data },
  occurredAt: Date.UTC(2026, 0, 31, 9, 0, 0, 5),
});

const notify = (...notifications: WebhookNotification[]) => transact(database, (tx) => enqueueDeliveries(tx, notifications));
const many = (environment: Environment, count: number) => notify(...Array.from({ length: count }, () => completed(environment)));

interface Delivery {
  id: string;
  status: string;
  attempts: number;
  /** Seconds until it is due, from the beginning of its last attempt (at least the scheduled wait) and from now (at most that wait). */
  sinceAttempt: number | null;
  wait: number;
}

const deliveries = ({ id }: Environment) => database.sql<Delivery[]>`
  select id, status, attempts, extract(epoch from greatest(due_at, leased_until) - now())::float8 as wait,
    extract(epoch from due_at - (select max(started_at) from webhook_attempts where delivery_id = d.id))::float8 as since_attempt
  from webhook_deliveries d where environment_id = ${id} order by created_at, id`;

const attempts = (deliveryId: string) => database.sql<{ number: number; responseStatus: number | null; error: string | null }[]>`
  select number, response_status, error from webhook_attempts where delivery_id = ${deliveryId} order by number`;

const all = (environment: Environment, holds: (delivery: Delivery) => boolean) =>
  until(async () => (await deliveries(environment)).every(holds));

const delivered = (environment: Environment) => all(environment, ({ status }) => status === "Delivered");
const attempted = (environment: Environment, count = 1) => all(environment, (delivery) => delivery.attempts >= count);

/** Makes deliveries due that wait for a retry or the end of a lease. */
const hurry = ({ id }: Environment) => database.sql`
  update webhook_deliveries set due_at = now() - interval '1 second', leased_until = null where environment_id = ${id} and status = 'Pending'`;

const verify = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });

describe("a delivery", () => {
  test("is dated by the database's clock: receivers refuse the signature of a machine whose own clock is wrong", async () => {
    const receiver = await receive();
    const { environment, secret } = await register(receiver.url);
    await many(environment, 1);
    const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() - 6 * 86_400_000);
    onTestFinished(() => clock.mockRestore());
    dispatch();
    await delivered(environment);
    clock.mockRestore();
    expect(() => verify(secret, receiver.received[0]!)).not.toThrow();
  });

  test("reaches its receiver signed, in its envelope, with exact numbers", async () => {
    const receiver = await receive();
    const { environment, secret } = await register(receiver.url);
    await notify({
      ...completed(environment),
      event: "catalog_item.fulfillment_requested",
      data: { playerExternalId: "zoë", valueType: "Number", value: Decimal.parse("12345678901234567890.12345678") },
    });
    dispatch();
    await delivered(environment);

    const [delivery] = await deliveries(environment);
    const [request] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    expect(request!.path).toBe("/hooks");
    expect(request!.body).toBe(
      `{"version":1,"event":"catalog_item.fulfillment_requested","deliveryId":"${delivery!.id}","occurredAtUtc":"2026-01-31T09:00:00.005Z",` +
        '"data":{"playerExternalId":"zoë","valueType":"Number","value":12345678901234567890.12345678}}',
    );
    expect(request!.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": delivery!.id,
      "x-service-event": "catalog_item.fulfillment_requested",
      "x-service-delivery": delivery!.id,
    });
    verify(secret, request!);
    expect(await attempts(delivery!.id)).toEqual([{ number: 1, responseStatus: 200, error: null }]);
  });

  test("is retried with the same id and the same bytes until it is accepted", async () => {
    const receiver = await receive((_, count) => ({ status: count < 3 ? 500 : 204 }));
    const { environment, secret } = await register(receiver.url);
    await notify(completed(environment));
    dispatch();
    for (const count of [1, 2]) {
      await attempted(environment, count);
      const [delivery] = await deliveries(environment);
      expect(delivery!.status).toBe("Pending");
      expect(delivery!.sinceAttempt).toBeGreaterThan(count === 1 ? 3 : 290);
      expect(delivery!.wait).toBeLessThanOrEqual(count === 1 ? 5.5 : 330);
      await hurry(environment);
    }
    await delivered(environment);

    const [delivery] = await deliveries(environment);
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([delivery!.id, delivery!.id, delivery!.id]);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    for (const request of receiver.received) verify(secret, request);
    expect((await attempts(delivery!.id)).map(({ responseStatus }) => responseStatus)).toEqual([500, 500, 204]);
  });

  test.each([400, 401, 404, 410])("fails after a %i, without a retry", async (status) => {
    const receiver = await receive(() => ({ status }));
    const { environment } = await register(receiver.url);
    await notify(completed(environment));
    dispatch();
    await attempted(environment);
    expect(await deliveries(environment)).toMatchObject([{ status: "Failed", attempts: 1 }]);
  });

  test.each([
    ["408", () => ({ status: 408 }), 5],
    ["429 with seconds", () => ({ status: 429, headers: { "retry-after": "120" } }), 120],
    ["503 with a date", () => ({ status: 503, headers: { "retry-after": new Date(Date.now() + 7_200_000).toUTCString() } }), 7200],
    [
      "503 with a date by another clock",
      () => ({ status: 503, headers: { date: "Wed, 01 Jan 2020 12:00:00 GMT", "retry-after": "Wed, 01 Jan 2020 14:00:00 GMT" } }),
      7200,
    ],
    ["503 with less than the schedule", () => ({ status: 503, headers: { "retry-after": "1" } }), 5],
    ["503 with a week", () => ({ status: 503, headers: { "retry-after": "604800" } }), 86400],
  ])("waits as long as a %s asks, between the schedule and a day", async (_, reply, wait) => {
    const receiver = await receive(reply);
    const { environment } = await register(receiver.url);
    await notify(completed(environment));
    dispatch();
    await attempted(environment);
    const [delivery] = await deliveries(environment);
    expect(delivery!.status).toBe("Pending");
    expect(delivery!.sinceAttempt).toBeGreaterThan(wait - 3);
    expect(delivery!.wait).toBeLessThanOrEqual(wait * 1.1);
  });

  test("fails on a redirect, which is not followed", async () => {
    const target = await receive();
    const receiver = await receive(() => ({ status: 307, headers: { location: target.url } }));
    const { environment } = await register(receiver.url);
    await notify(completed(environment));
    dispatch();
    await attempted(environment);
    expect(await deliveries(environment)).toMatchObject([{ status: "Pending", attempts: 1 }]);
    expect(target.received).toEqual([]);
  });

  test("is retried after a time-out and after a refused connection", async () => {
    const hanging = await receive(() => "hang");
    const closed = await startReceiver();
    await closed.close();
    const slow = await register(hanging.url);
    const gone = await register(closed.url);
    await notify(completed(slow.environment), completed(gone.environment));
    dispatch({ timeoutMs: 200 });
    for (const { environment } of [slow, gone]) {
      await attempted(environment);
      const [delivery] = await deliveries(environment);
      expect(delivery).toMatchObject({ status: "Pending", attempts: 1 });
      const [attempt] = await attempts(delivery!.id);
      expect(attempt!.responseStatus).toBeNull();
      expect(attempt!.error).toMatch(environment === slow.environment ? /within 0.2 s/ : /ECONNREFUSED/);
    }
  });

  test("is given up after eight attempts", async () => {
    const receiver = await receive(() => ({ status: 500 }));
    const { environment } = await register(receiver.url);
    await notify(completed(environment));
    dispatch();
    for (let count = 1; count <= 8; count++) {
      await attempted(environment, count);
      await hurry(environment);
    }
    const [delivery] = await deliveries(environment);
    expect(delivery).toMatchObject({ status: "Failed", attempts: 8 });
    expect(receiver.received).toHaveLength(8);
    expect((await attempts(delivery!.id)).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("is signed with both secrets for a day after a rotation, then with the new one", async () => {
    const receiver = await receive();
    const { environment, id, secret } = await register(receiver.url);
    const renewed = await rotateSecret(database, environment, id, testCipher);
    const pass = (time: string) => database.sql`
      update webhook_endpoints set previous_secret_expires_at = previous_secret_expires_at - ${time}::interval where id = ${id}`;
    await pass("23 hours");
    await notify(completed(environment));
    dispatch();
    await delivered(environment);
    verify(secret, receiver.received[0]!);
    verify(renewed, receiver.received[0]!);

    await pass("1 hour");
    await notify(completed(environment));
    await delivered(environment);
    expect(() => verify(secret, receiver.received[1]!)).toThrow();
    verify(renewed, receiver.received[1]!);
  });
});

describe("a notification", () => {
  test("is sent once to every subscribed endpoint that is on, however often it is written", async () => {
    const receiver = await receive();
    const project = await testProject(database);
    const first = await register(`${receiver.url}/first`, project);
    const second = await register(`${receiver.url}/second`, project);
    const off = await register(`${receiver.url}/off`, project);
    await database.sql`update webhook_endpoints set disabled_at = now() where id = ${off.id}`;
    const notification = completed(project.sandbox);
    await notify(notification, notification);
    await notify(notification);
    await notify({ ...completed(project.sandbox), event: "catalog_item.fulfillment_requested" });
    await notify({ ...completed(project.live) });
    await register(`${receiver.url}/late`, project);
    dispatch();
    await until(async () => (await deliveries(project.sandbox)).filter(({ status }) => status === "Delivered").length === 2);

    expect(receiver.received.map(({ path }) => path).sort()).toEqual(["/hooks/first", "/hooks/second"]);
    expect(await deliveries(project.live)).toEqual([]);
    const ids = (await deliveries(project.sandbox)).map(({ id }) => id);
    expect(ids).toHaveLength(3);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(first.secret).not.toBe(second.secret);
  });

  test("is not sent if the fact's transaction is rolled back", async () => {
    const { environment } = await register((await receive()).url);
    await expect(
      transact(database, async (tx) => {
        await enqueueDeliveries(tx, [completed(environment)]);
        throw new Error("undone");
      }),
    ).rejects.toThrow("undone");
    expect(await deliveries(environment)).toEqual([]);
  });
});

describe("endpoints", () => {
  test("do not wait for a hanging one, which has at most eight attempts at a time", async () => {
    let isHanging = false;
    const hanging = await receive(() => (isHanging ? "hang" : { status: 200 }));
    const healthy = await receive();
    const stuck = await register(hanging.url);
    const other = await register(healthy.url);
    await many(stuck.environment, 100);
    dispatch();
    await delivered(stuck.environment);
    isHanging = true;
    await many(stuck.environment, 100);
    await until(() => hanging.atOnce.now > 0);
    await many(other.environment, 100);
    await delivered(other.environment);
    expect(hanging.atOnce.most).toBeLessThanOrEqual(8);
    expect((await deliveries(stuck.environment)).filter(({ status }) => status === "Pending")).toHaveLength(100);
    isHanging = false;
    await hanging.close();
  });

  test("that failed for five days are switched off, visibly", async () => {
    const receiver = await receive((_, count) => ({ status: count === 1 ? 200 : 500 }));
    const { environment, id } = await register(receiver.url);
    await notify(completed(environment));
    dispatch();
    await delivered(environment);
    expect(await listEndpoints(database, environment)).toMatchObject([{ failingSince: null, disabledAt: null }]);

    await notify(completed(environment));
    await attempted(environment);
    expect(await listEndpoints(database, environment)).toMatchObject([{ failingSince: expect.any(Number), disabledAt: null }]);

    await database.sql`update webhook_endpoints set failing_since = now() - interval '5 days' where id = ${id}`;
    await notify(completed(environment));
    await until(async () => (await listEndpoints(database, environment))[0]!.disabledAt !== null);
    const [endpoint] = await listEndpoints(database, environment);
    expect(endpoint!.disabledAt).not.toBeNull();
    expect(endpoint!.disabledReason).toMatch(/^Every attempt has failed since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/);
    const log = await database.sql`
      select actor, user_id, subject_key, difference from audit_log where environment_id = ${environment.id} and action = 'switch_off'`;
    const difference = [
      { path: ["active"], value: false },
      { path: ["reason"], value: endpoint!.disabledReason },
    ];
    expect(log).toMatchObject([{ actor: "the service", userId: null, subjectKey: receiver.url, difference }]);
  });

  test("are healthy again after one success", async () => {
    const receiver = await receive((_, count) => ({ status: count === 1 ? 500 : 200 }));
    const { environment } = await register(receiver.url);
    await notify(completed(environment));
    dispatch();
    await attempted(environment);
    await hurry(environment);
    await delivered(environment);
    expect(await listEndpoints(database, environment)).toMatchObject([{ failingSince: null, disabledAt: null }]);
  });

  test("that are deleted get nothing more: their pending deliveries fail", async () => {
    const receiver = await receive(() => ({ status: 503 }));
    const { environment, id } = await register(receiver.url);
    await many(environment, 3);
    dispatch();
    await attempted(environment);
    await deleteEndpoint(database, environment, id);
    await all(environment, ({ status }) => status === "Failed");
    expect(receiver.received).toHaveLength(3);
  });

  test("are not dialled when their name has changed to a private address", async () => {
    const receiver = await receive();
    const { sandbox: environment } = await testProject(database);
    const url = `http://hooks.example.com:${receiver.port}/`;
    await createEndpoint(
      database,
      environment,
      { url, events: ["mission.completed"] },
      { allowPrivateAddresses: false, cipher: testCipher, resolve: async () => ["93.184.215.14"] },
    );
    await notify(completed(environment));
    dispatch({ allowPrivateAddresses: false, resolve: async () => ["127.0.0.1"] });
    await attempted(environment);
    const [delivery] = await deliveries(environment);
    expect(delivery!.status).toBe("Pending");
    expect((await attempts(delivery!.id))[0]!.error).toMatch(/private or local address/);
    expect(receiver.received).toEqual([]);
  });
});

describe("dispatchers", () => {
  test("share the work without sending anything twice", async () => {
    const receiver = await receive();
    const endpoints = [await register(receiver.url), await register(receiver.url), await register(receiver.url)];
    for (const { environment } of endpoints) await many(environment, 80);
    dispatch();
    dispatch();
    for (const { environment } of endpoints) await delivered(environment);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(240);
    expect(new Set(ids).size).toBe(240);
  });

  test("take over the claims of a dead dispatcher once its lease has run out", async () => {
    const receiver = await receive();
    const { environment, id } = await register(receiver.url);
    await many(environment, 2);
    const { claimed } = await claimDue(database, testCipher, [{ endpointId: id, quota: 10 }], 30_000);
    expect(claimed).toHaveLength(2);
    expect((await claimDue(database, testCipher, [{ endpointId: id, quota: 10 }], 30_000)).claimed).toEqual([]);
    await hurry(environment); // The lease runs out.
    dispatch();
    await delivered(environment);
    expect(receiver.received.map(({ headers }) => headers["webhook-id"]).sort()).toEqual(claimed.map((delivery) => delivery.id).sort());
  });

  test("release unsent deliveries on shutdown", async () => {
    let isHanging = true;
    const receiver = await receive(() => (isHanging ? "hang" : { status: 200 }));
    const { environment } = await register(receiver.url);
    await many(environment, 50);
    const dispatcher = dispatch({ stopWithinMs: 500 });
    await until(() => receiver.atOnce.now > 0);
    await dispatcher.stop();
    expect(await deliveries(environment)).toHaveLength(50);
    for (const { status, attempts, wait } of await deliveries(environment)) {
      expect({ status, attempts, isDue: wait <= 0 }).toEqual({ status: "Pending", attempts: 0, isDue: true });
    }
    isHanging = false;
    dispatch();
    await delivered(environment);
  });

  // A claim whose result is lost holds its deliveries until the lease ends, hence the long time-out.
  test("deliver and record everything though their connections to the database break", async () => {
    const receiver = await receive();
    const { environment } = await register(receiver.url);
    await many(environment, 150);
    const fragile = openDatabase(await testDatabaseUrl(), { connections: 1 });
    cleanUps.push(() => fragile.close());
    dispatch({ database: fragile });
    for (let round = 0; round < 5; round++) {
      const [connection] = await fragile.sql<{ pid: number }[]>`select pg_backend_pid() as pid`.catch(() => []);
      if (connection !== undefined) await database.sql`select pg_terminate_backend(${connection.pid}::int)`;
      await many(environment, 30);
    }
    await delivered(environment);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(300);
    for (const { attempts } of await deliveries(environment)) expect(attempts).toBe(1);
  });
});
