import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { onlyValue, type Sql, transact, type Transaction } from "#db/client.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { claimDue } from "./sending.ts";
import { HELD_FOR_MS } from "../../model/webhooks/outcome.ts";
import { selectBacklogs } from "../store/sending.ts";
import { startDispatcher } from "./dispatcher.ts";
import { drain } from "../../operations/worker/drain.ts";
import { until } from "#db/testing/work.ts";
import { type Reply, startReceiver, testCipher } from "../testing.ts";
import { createEndpoint } from "./endpoints.ts";
import { enqueueDeliveries } from "../../engine/store/outbox.ts";

const database = await testDatabase();
const { sql } = database;
const options = { database, logger: { warn() {}, error() {} }, cipher: testCipher, allowPrivateAddresses: true };
const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  while (cleanUps.length > 0) await cleanUps.pop()?.();
});

function dispatch() {
  const dispatcher = startDispatcher(options);
  cleanUps.push(() => dispatcher.stop());
  return dispatcher;
}

/** An endpoint in a new project, with an Admin. Its deliveries are deleted before the next test. */
async function shop(reply: () => Reply | Promise<Reply> = () => ({ status: 200 })) {
  const project = await testProject(database);
  const receiver = await startReceiver(reply);
  cleanUps.push(receiver.close, () => sql`delete from webhook_deliveries where environment_id = ${project.sandbox.id}`);
  const endpoint = { url: receiver.url, events: ["mission.completed"] };
  const { id } = await createEndpoint(database, project.sandbox, endpoint, { allowPrivateAddresses: true, cipher: testCipher });
  const { rpc, email } = await signedIn(database, project.slug, "Admin");
  const scope = { project: project.slug, environment: "sandbox" as const, id };
  const one = async () => (await rpc.webhooks.list(scope)).endpoints.find((found) => found.id === id)!;
  const turn = (isOn: boolean) => rpc.webhooks.switch({ ...scope, isOn });
  return { ...project, id, receiver, rpc, email, scope, one, turn, environment: project.sandbox };
}

/** Enqueues this many notifications, each in its own transaction; returns their sources in order. */
async function tell({ id }: Environment, count: number): Promise<string[]> {
  const sent: string[] = [];
  for (let at = 0; at < count; at++) {
    const sourceId = randomUUID();
    const event = "mission.completed" as const;
    const notification = { environmentId: id, event, sourceId, data: { occurrenceId: sourceId }, occurredAt: Date.now() };
    await transact(database, (tx) => enqueueDeliveries(tx, [notification]));
    sent.push(sourceId);
  }
  return sent;
}

interface Row {
  sourceId: string;
  status: string;
  attempts: number;
  givenUp: string | null;
}

const rows = ({ id }: Environment) => sql<Row[]>`
  select source_id, status, attempts, given_up
  from webhook_deliveries where environment_id = ${id} order by created_at, id`;

/** The sources that a receiver was notified of, in order. */
const sourcesOf = (receiver: { received: { body: string }[] }): string[] =>
  receiver.received.map(({ body }) => JSON.parse(body).data.occurrenceId);

const settled = (environment: Environment) => until(async () => (await rows(environment)).every(({ status }) => status !== "Pending"));

/** Waits for two polls of a dispatcher that began after this call. */
const looked = async (dispatcher: ReturnType<typeof startDispatcher>) => {
  await dispatcher.idle();
  await dispatcher.idle();
};

test("deliveries for an endpoint that is off are held, and sent once each when it is on again, oldest first, at most eight at a time", async () => {
  const { environment, receiver, turn, one, rpc, scope } = await shop();
  await turn(false);
  const sent = await tell(environment, 40);
  const dispatcher = dispatch();
  await looked(dispatcher);
  expect(receiver.received).toEqual([]);
  expect(await one()).toMatchObject({ isOn: false, held: 40, waiting: 0 });
  const held = await rpc.webhooks.deliveries({ ...scope, status: "Held", take: 100 });
  expect(held.deliveries).toHaveLength(40);
  expect(held.deliveries[0]).toMatchObject({ status: "Held", nextAttemptAt: null, attempts: 0 });
  expect((await rpc.webhooks.deliveries({ ...scope, status: "Pending" })).deliveries).toEqual([]);

  await turn(true);
  await settled(environment);
  expect((await rows(environment)).every(({ status, attempts }) => status === "Delivered" && attempts === 1)).toBe(true);
  const came = sourcesOf(receiver);
  expect([...came].sort()).toEqual([...sent].sort());
  // When one arrives, all older ones have been sent: only those in flight beside it may arrive later.
  const order = came.map((source) => sent.indexOf(source));
  for (const [at, place] of order.entries()) expect(order.slice(at).filter((later) => later < place).length).toBeLessThan(8);
  expect(receiver.atOnce.most).toBeLessThanOrEqual(8);
  expect(await one()).toMatchObject({ isOn: true, held: 0, waiting: 0 });
});

test("a delivery between retries is held, and attempted immediately when the endpoint is on again", async () => {
  let reply: Reply = { status: 500 };
  const { environment, receiver, turn } = await shop(() => reply);
  const [first] = await tell(environment, 1);
  const dispatcher = dispatch();
  await until(async () => (await rows(environment))[0]!.attempts === 1);
  await turn(false);
  await sql`update webhook_deliveries set due_at = now() + interval '5 hours' where environment_id = ${environment.id}`;
  const [second] = await tell(environment, 1);
  await looked(dispatcher);
  expect(receiver.received).toHaveLength(1);
  reply = { status: 200 };
  await turn(true);
  await settled(environment);
  expect(await rows(environment)).toMatchObject([
    { sourceId: first, status: "Delivered", attempts: 2 },
    { sourceId: second, status: "Delivered", attempts: 1 },
  ]);
});

test("an endpoint that the service switched off holds its deliveries too", async () => {
  const { environment, id, receiver, turn, one } = await shop(() => ({ status: 500 }));
  await sql`update webhook_endpoints set failing_since = now() - interval '5 days' where id = ${id}`;
  await tell(environment, 1);
  const dispatcher = dispatch();
  await until(async () => !(await one()).isOn);
  await tell(environment, 2);
  await looked(dispatcher);
  expect(receiver.received).toHaveLength(1);
  expect((await rows(environment)).map(({ status, attempts }) => [status, attempts])).toEqual([
    ["Pending", 1],
    ["Pending", 0],
    ["Pending", 0],
  ]);
  expect((await one()).held).toBe(3);
  await turn(true);
  await until(async () => (await rows(environment)).every(({ attempts }) => attempts > 0));
});

test("when an endpoint is switched off, only running attempts of its claimed deliveries finish, and their responses count", async () => {
  const gate = Promise.withResolvers<Reply>();
  const { environment, receiver, turn, one } = await shop(() => gate.promise);
  await tell(environment, 30);
  const dispatcher = dispatch();
  await until(() => receiver.atOnce.now === 2);
  await turn(false);
  // The next poll releases deliveries that were claimed ahead.
  await until(async () => {
    const [leased] = await sql<{ count: number }[]>`
      select count(*) as count from webhook_deliveries where environment_id = ${environment.id} and leased_until > now()`;
    return leased!.count === 2;
  });
  gate.resolve({ status: 200 });
  await until(async () => (await rows(environment)).filter(({ status }) => status === "Delivered").length === 2);
  await looked(dispatcher);
  expect(receiver.received).toHaveLength(2);
  expect((await one()).held).toBe(28);
  await turn(true);
  await settled(environment);
  expect(new Set(sourcesOf(receiver)).size).toBe(30);
});

test("two dispatchers send held deliveries once, even while the endpoint is switched off and on", async () => {
  const { environment, receiver, turn } = await shop();
  await turn(false);
  const sent = await tell(environment, 60);
  dispatch();
  dispatch();
  for (const isOn of [true, false, true, false, true]) await turn(isOn);
  await settled(environment);
  expect(sourcesOf(receiver).sort()).toEqual([...sent].sort());
});

test("claims of a dead process are held too, and sent once the lease has run out", async () => {
  const { environment, id, receiver, turn } = await shop();
  await tell(environment, 1);
  expect((await claimDue(database, testCipher, [{ endpointId: id, quota: 10 }], 300)).claimed).toHaveLength(1);
  await turn(false);
  await looked(dispatch());
  expect(receiver.received).toEqual([]);
  await turn(true);
  await settled(environment);
  expect(receiver.received).toHaveLength(1);
});

test("an Editor discards held deliveries, the audit log says how many, and later ones are held again", async () => {
  const { environment, receiver, turn, one, rpc, scope, slug, email } = await shop();
  await expect(rpc.webhooks.discardHeld(scope)).rejects.toThrow("switched on");
  await turn(false);
  await tell(environment, 3);
  const viewer = await signedIn(database, slug, "Viewer");
  await expect(viewer.rpc.webhooks.discardHeld(scope)).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect((await one()).held).toBe(3);

  const both = await Promise.all([rpc.webhooks.discardHeld(scope), rpc.webhooks.discardHeld(scope)]);
  expect(both.map(({ discarded }) => discarded).sort()).toEqual([0, 3]);
  expect(await one()).toMatchObject({ isOn: false, held: 0 });
  const { entries } = await rpc.auditLog.list({ project: slug, action: "discard" });
  expect(entries).toMatchObject([{ actor: email, subjectKind: "webhookEndpoint", subjectKey: receiver.url }]);
  expect(entries[0]!.changes).toEqual([{ path: "discarded", before: null, after: "3" }]);

  const [later] = await tell(environment, 1);
  const dispatcher = dispatch();
  await turn(true);
  await settled(environment);
  expect(sourcesOf(receiver)).toEqual([later]);
  expect((await rows(environment)).map(({ status, givenUp }) => [status, givenUp])).toEqual([
    ["Failed", "Discarded"],
    ["Failed", "Discarded"],
    ["Failed", "Discarded"],
    ["Delivered", null],
  ]);

  // Deliveries that were discarded by mistake can be sent after all.
  const { deliveries } = await rpc.webhooks.deliveries({ ...scope, status: "Failed" });
  expect(deliveries[0]).toMatchObject({ status: "Failed", givenUp: "Discarded" });
  await rpc.webhooks.retry({ ...scope, deliveryId: deliveries[0]!.id });
  dispatcher.wake();
  await settled(environment);
  expect(receiver.received).toHaveLength(2);
  expect((await rpc.webhooks.delivery({ ...scope, deliveryId: deliveries[0]!.id })).givenUp).toBeNull();
});

test("an attempt that is under way when its delivery is discarded counts when it succeeds", async () => {
  const gate = Promise.withResolvers<Reply>();
  const { environment, receiver, turn, rpc, scope } = await shop(() => gate.promise);
  await tell(environment, 1);
  dispatch();
  await until(() => receiver.atOnce.now === 1);
  await turn(false);
  expect(await rpc.webhooks.discardHeld(scope)).toEqual({ discarded: 1 });
  gate.resolve({ status: 200 });
  await until(async () => (await rows(environment))[0]!.status === "Delivered");
  expect(await rows(environment)).toMatchObject([{ attempts: 1, givenUp: null }]);
});

test("deliveries held for thirty days are given up, also when only a scheduler runs the jobs; younger ones stay", async () => {
  const { environment, id, receiver, turn, one } = await shop();
  await turn(false);
  const [old] = await tell(environment, 1);
  await sql`update webhook_deliveries set created_at = now() - interval '30 days', due_at = now() - interval '30 days' where environment_id = ${environment.id}`;
  const [young] = await tell(environment, 1);
  // Due before that, but switched off since yesterday: held for a day.
  await drain(options, ["deliveries"], 5_000);
  expect((await one()).held).toBe(2);
  await sql`update webhook_endpoints set disabled_at = now() - interval '30 days' where id = ${id}`;
  expect(await drain(options, ["deliveries"], 5_000)).toMatchObject([{ isThrough: true }]);
  expect(await rows(environment)).toEqual([
    { sourceId: old, status: "Failed", attempts: 0, givenUp: "HeldTooLong" },
    { sourceId: young, status: "Pending", attempts: 0, givenUp: null },
  ]);
  expect((await one()).held).toBe(1);
  await turn(true);
  dispatch();
  await settled(environment);
  expect(sourcesOf(receiver)).toEqual([young]);
});

test("held deliveries of a deleted endpoint fail, and their rows stay", async () => {
  const { environment, turn, rpc, scope } = await shop();
  await turn(false);
  await tell(environment, 2);
  await rpc.webhooks.delete(scope);
  dispatch();
  await settled(environment);
  expect(await rows(environment)).toMatchObject([{ status: "Failed" }, { status: "Failed" }]);
});

test("polling for due deliveries reads no held ones, however many there are", async () => {
  const { environment, id, turn } = await shop();
  await turn(false);
  await pending(sql, environment, id, { count: 20_000 });
  await sql.begin(async (tx) => {
    // No held row is read. The bound leaves room for dead entries of earlier tests and for the planner's own reads.
    expect(await readBy(tx, { id, state: "Held" })).toBeLessThan(1_000);
  });
});

test("polling reads no delivery of an endpoint that has enough claimed, however many are leased", async () => {
  const { environment, id } = await shop();
  await pending(sql, environment, id, { count: 2000, leased: "1 hour" });
  await sql.begin(async (tx) => {
    const unsupplied = await readBy(tx, { id, state: "Waiting" });
    expect(unsupplied - (await readBy(tx, { id, state: "Due" }, [id]))).toBeGreaterThanOrEqual(2000);
  });
});

test("polling reads few of an endpoint's due deliveries, however many there are", async () => {
  const { environment, id } = await shop();
  await sql.begin(async (tx) => {
    await pending(tx, environment, id, { count: 1 });
    const ofOne = await readBy(tx, { id, state: "Due" });
    await pending(tx, environment, id, { count: 20_000 });
    expect((await readBy(tx, { id, state: "Due" })) - ofOne).toBeLessThan(1_000);
  });
});

const pending = (
  db: Sql,
  environment: { id: number },
  endpointId: string,
  { count, leased = null }: { count: number; leased?: string | null },
) => db`
  insert into webhook_deliveries (id, endpoint_id, environment_id, event, source_id, data, occurred_at, due_at, leased_until)
  select gen_random_uuid(), ${endpointId}, ${environment.id}, 'mission.completed', gen_random_uuid(), '{}', now(), now() - interval '1 s',
    now() + ${leased}::interval
  from generate_series(1, ${count}::int)`;

/** The number of rows and index entries read by a poll, which must find the endpoint in that state. */
async function readBy(tx: Transaction, backlog: { id: string; state: string }, supplied: string[] = []): Promise<number> {
  const read = () =>
    onlyValue(tx<{ read: number }[]>`
      select pg_stat_get_xact_tuples_returned('webhook_deliveries_due'::regclass)
        + pg_stat_get_xact_tuples_returned('webhook_deliveries'::regclass) as read`);
  const before = await read();
  expect(await selectBacklogs(tx, HELD_FOR_MS, supplied)).toContainEqual({ endpointId: backlog.id, state: backlog.state });
  return (await read()) - before;
}
