import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { ingest } from "../../game/events/service.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { erasePlayer } from "../../operations/privacy/erase.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { until } from "#db/testing/work.ts";
import type { WebhookEvent } from "../../model/webhooks/contract.ts";
import { type Reply, startReceiver, testCipher } from "../testing.ts";
import { startDispatcher } from "./dispatcher.ts";
import { createEndpoint } from "./endpoints.ts";
import { forgetOld, recordAttempts } from "./sending.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { enqueueDeliveries } from "../../engine/store/outbox.ts";

const database = await testDatabase();
const { sql } = database;
const logger = { warn: () => {}, error: () => {} };
const dispatcher = startDispatcher({ database, logger, cipher: testCipher, allowPrivateAddresses: true });
const receivers: { close(): Promise<void> }[] = [];
afterAll(async () => {
  await dispatcher.stop();
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

async function shop(...events: WebhookEvent[]) {
  const project = await testProject(database);
  const { id: environmentId } = project.sandbox;
  const answers = { reply: { status: 200 } as Reply };
  const endpoint = async () => {
    const receiver = await startReceiver(() => answers.reply);
    receivers.push(receiver);
    const wanted = { url: receiver.url, events: events.length === 0 ? (["mission.completed"] as const) : events };
    return { receiver, ...(await createEndpoint(database, project.sandbox, wanted, { allowPrivateAddresses: true, cipher: testCipher })) };
  };
  const tell = async (event: WebhookEvent, count: number) => {
    const notify = () => ({ environmentId, event, sourceId: crypto.randomUUID(), data: {}, occurredAt: Date.now() });
    await sql.begin((tx) => enqueueDeliveries(tx, Array.from({ length: count }, notify)));
    dispatcher.wake();
  };
  const statuses = async () =>
    (await sql<{ status: string }[]>`select status from webhook_deliveries where environment_id = ${environmentId} order by 1`).map(
      ({ status }) => status,
    );
  const settled = () => until(async () => !(await statuses()).includes("Pending"));
  const scope = { project: project.slug, environment: "sandbox" as const };
  return {
    ...project,
    ...(await endpoint()),
    endpoint,
    answers,
    tell,
    statuses,
    settled,
    scope,
    ...(await signedIn(database, project.slug, "Editor")),
  };
}

const LONG_AGO = "2020-01-01T00:00:00.000Z";

test("an attempt shows its request and the beginning of the response, 16 KiB of a failure, 1 KiB of a success, for thirty days", async () => {
  const { scope, id, rpc, answers, tell, settled } = await shop();
  answers.reply = { status: 400, headers: { "content-type": "text/html", "set-cookie": "a=b" }, body: `<script>${"é".repeat(20_000)}` };
  await tell("mission.completed", 1);
  await settled();
  const deliveryId = (await rpc.webhooks.deliveries(scope)).deliveries[0]!.id;
  const { attemptsMade } = await rpc.webhooks.delivery({ ...scope, id, deliveryId });
  const [first] = attemptsMade;
  expect(first).toMatchObject({ number: 1, hasAnswer: true });
  const sent = Object.fromEntries(first!.requestHeaders.map(({ name, value }) => [name, value]));
  expect(sent).toMatchObject({ "webhook-id": deliveryId, "x-service-event": "mission.completed" });
  expect(sent["webhook-timestamp"]).toBe(String(Math.floor(Date.parse(first!.startedAt) / 1000)));
  expect(sent["webhook-signature"]).not.toMatch(/v1,[A-Za-z0-9+/]{43}=/);
  const answerOf = async (number: number) => (await rpc.webhooks.answer({ ...scope, id, deliveryId, number })).answer;
  expect(await answerOf(1)).toMatchObject({
    headers: expect.arrayContaining([{ name: "content-type", value: "text/html" }]),
    ...{ text: `<script>${"é".repeat(8_188)}`, bytes: 16_384, isCut: true, isUtf8: true },
  });
  expect(JSON.stringify(await answerOf(1))).not.toContain("a=b");

  answers.reply = { status: 200, body: "k".repeat(5_000) };
  await rpc.webhooks.retry({ ...scope, id, deliveryId });
  dispatcher.wake();
  await settled();
  expect(await answerOf(2)).toMatchObject({ bytes: 1024, isCut: true });
  expect(await answerOf(3)).toBeNull();

  await sql`update webhook_answers set started_at = now() - interval '31 days' where delivery_id = ${deliveryId} and number = 1`;
  expect(await forgetOld(database)).toBe(true);
  expect(await answerOf(1)).toBeNull();
  expect(await answerOf(2)).not.toBeNull();
});

test("health counts each attempt in the hour in which it began, for 48 hours, and how long they took", async () => {
  const { scope, id, rpc, answers, tell, settled } = await shop();
  await tell("mission.completed", 3);
  await settled();
  // An hour ago: two of 8 to 10 ms and one of 23 to 31; the same again too long ago to be shown.
  await sql`
    update analytics_webhooks set quarter = quarter - interval '1 hour',
      latencies = array(select case n when 6 then 2 when 9 then 1 else 0 end from generate_series(0, 32) n order by n)
    where endpoint_id = ${id}`;
  await sql`
    insert into analytics_webhooks
    select environment_id, endpoint_id, quarter - interval '48 hours', attempts, delivered, retries, latencies
    from analytics_webhooks where endpoint_id = ${id}`;
  answers.reply = { status: 404 };
  await tell("mission.completed", 2);
  await settled();
  const { endpoints } = await rpc.webhooks.health(scope);
  const hours = endpoints.find((endpoint) => endpoint.id === id)!.hours;
  // Either may have been sent across a change of the hour.
  expect(hours.reduce((sum, { succeeded, failed }) => [sum[0]! + succeeded, sum[1]! + failed], [0, 0])).toEqual([3, 2]);
  expect([hours[0]!.p50, hours[0]!.p95].map(Math.round)).toEqual([10, 31]);
});

test("a success that is recorded late keeps the count of attempts, so the attempt of a resend is recorded too", async () => {
  const { id: endpointId, sandbox } = await shop();
  // This file's dispatcher sends nothing to an endpoint that is off.
  await sql`update webhook_endpoints set disabled_at = now() where id = ${endpointId}`;
  const id = crypto.randomUUID();
  await sql`
    insert into webhook_deliveries (id, endpoint_id, environment_id, event, source_id, data, occurred_at)
    values (${id}, ${endpointId}, ${sandbox.id}, 'mission.completed', ${id}, '{}', now())`;
  const common = {
    deliveryId: id,
    endpointId,
    startedAt: Date.now(),
    durationMs: 5,
    error: null,
    waitMs: 0,
    timedOut: false,
    answer: null,
  };
  const record = (number: number, status: "Delivered" | "Pending") =>
    recordAttempts(database, [{ ...common, number, status, responseStatus: status === "Delivered" ? 200 : 500 }]);
  const counted = () => sql`select status, attempts from webhook_deliveries where id = ${id}`;
  // The first attempt's process was so late that another one made and recorded the first and the second.
  for (const number of [1, 2]) await record(number, "Pending");
  await record(1, "Delivered");
  expect(await counted()).toEqual([{ status: "Delivered", attempts: 2 }]);
  await sql`update webhook_deliveries set status = 'Pending' where id = ${id}`;
  await record(3, "Delivered");
  expect(await counted()).toEqual([{ status: "Delivered", attempts: 3 }]);
  expect(await sql`select number from webhook_attempts where delivery_id = ${id} order by number`).toHaveLength(3);
});

test("deliveries failed since an instant are resent together: only repeatable events, to active endpoints, and no discarded ones", async () => {
  const { scope, id, slug, email, rpc, answers, tell, settled, statuses, endpoint } = await shop(
    "mission.completed",
    "streak.milestone_reached",
  );
  const off = await endpoint();
  answers.reply = { status: 400 };
  await tell("mission.completed", 3);
  await tell("streak.milestone_reached", 2);
  await settled();
  expect(await statuses()).toEqual(Array(10).fill("Failed"));
  await sql`update webhook_endpoints set disabled_at = now() where id = ${off.id}`;
  const [discarded] = await sql<{ id: string }[]>`
    update webhook_deliveries set given_up = 'Discarded' where id = (
      select id from webhook_deliveries where endpoint_id = ${id} and event = 'mission.completed' limit 1) returning id`;

  // A web process whose own clock is behind finds the latest failures too.
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() - 600_000);
  onTestFinished(() => clock.mockRestore());
  const counted = await rpc.webhooks.countFailed({ ...scope, id: null, since: LONG_AGO });
  clock.mockRestore();
  expect(counted.count).toBe(2);
  expect(await rpc.webhooks.countFailed({ ...scope, id: off.id, since: LONG_AGO })).toMatchObject({ count: 0 });
  expect(await rpc.webhooks.countFailed({ ...scope, id: null, since: counted.until })).toMatchObject({ count: 0 });
  // Concurrent calls divide the work; deliveries that fail again meanwhile are taken by neither, nor by a later call.
  const input = { ...scope, id: null, since: LONG_AGO, until: counted.until };
  const both = await Promise.all([rpc.webhooks.resendFailed(input), rpc.webhooks.resendFailed(input)]);
  expect(both.reduce((sum, { resent }) => sum + resent, 0)).toBe(2);
  dispatcher.wake();
  await settled();
  expect(await rpc.webhooks.resendFailed(input)).toEqual({ resent: 0, left: 0 });
  const rows = await sql<
    { id: string; attempts: number }[]
  >`select id, attempts from webhook_deliveries where endpoint_id = ${id} and event = 'mission.completed'`;
  expect(rows.map((row) => [row.id === discarded!.id, row.attempts]).sort()).toEqual([
    [false, 2],
    [false, 2],
    [true, 1],
  ]);
  const { entries } = await rpc.auditLog.list({ project: slug, action: "resend" });
  expect(entries.length).toBeGreaterThan(0);
  expect(entries[0]).toMatchObject({ actor: email, subjectKind: "webhookDelivery" });
});

test("failed deliveries are counted up to ten thousand, and all of them are resent", async () => {
  const { scope, id, slug, rpc, sandbox } = await shop("mission.completed");
  // Resent, they are due at the time of their creation: tomorrow, so that none is sent in this test.
  await sql`
    insert into webhook_deliveries (id, endpoint_id, environment_id, event, source_id, data, occurred_at, due_at, created_at, status)
    select gen_random_uuid(), ${id}, ${sandbox.id}, 'mission.completed', gen_random_uuid(), '{}', now(), now() - interval '1 s',
      now() + interval '1 day', 'Failed'
    from generate_series(1, 10002)`;
  const { count, until: counted } = await rpc.webhooks.countFailed({ ...scope, id: null, since: LONG_AGO });
  expect(count).toBe(10_000);
  let sent = 0;
  for (let left = 1; left > 0;) {
    const done = await rpc.webhooks.resendFailed({ ...scope, id: null, since: LONG_AGO, until: counted });
    sent += done.resent;
    left = done.left;
  }
  expect(sent).toBe(10_002);
  const { entries } = await rpc.auditLog.list({ project: slug, action: "resend" });
  expect(entries.at(-1)!.changes).toContainEqual({ path: "deliveries", before: null, after: '"10,000 or more"' });
});

test("deliveries waiting for a retry are sent immediately, by one of two calls, and once per call", async () => {
  const { scope, id, slug, rpc, answers, tell } = await shop("mission.completed", "streak.milestone_reached");
  // None of them comes due while the test runs.
  answers.reply = { status: 503, headers: { "retry-after": "3600" } };
  await tell("mission.completed", 3);
  await tell("streak.milestone_reached", 1);
  const attempts = async () =>
    (await sql<{ attempts: number }[]>`select attempts from webhook_deliveries where endpoint_id = ${id} order by event, attempts`)
      .map((row) => row.attempts); // oxfmt-ignore
  await until(async () => (await attempts()).join() === "1,1,1,1");
  const { until: counted, ...counts } = await rpc.webhooks.countFailed({ ...scope, id: null, since: LONG_AGO });
  expect(counts).toEqual({ count: 0, waiting: 3 });
  const input = { ...scope, id: null, since: LONG_AGO, until: counted };
  expect(await rpc.webhooks.resendFailed(input)).toEqual({ resent: 0, left: 0 });
  const sendWaiting = () => rpc.webhooks.resendFailed({ ...input, isWaiting: true });
  const both = await Promise.all([sendWaiting(), sendWaiting()]);
  expect(both.reduce((sum, { resent }) => sum + resent, 0)).toBe(3);
  dispatcher.wake();
  await until(async () => (await attempts()).join() === "2,2,2,1");
  expect(await sendWaiting()).toEqual({ resent: 0, left: 0 });
  expect((await rpc.webhooks.list(scope)).endpoints).toMatchObject([{ failingSince: expect.any(String) }]);

  answers.reply = { status: 200 };
  expect(await rpc.webhooks.resendFailed({ ...scope, id, since: LONG_AGO, isWaiting: true })).toEqual({ resent: 3, left: 0 });
  dispatcher.wake();
  await until(async () => (await attempts()).join() === "3,3,3,1");
  expect((await rpc.webhooks.list(scope)).endpoints).toMatchObject([{ failingSince: null }]);
  const { entries } = await rpc.auditLog.list({ project: slug, action: "resend" });
  expect(entries).not.toHaveLength(0);
});

test("a single held delivery can be discarded; one that is not held cannot", async () => {
  const { scope, id, rpc, tell, statuses } = await shop();
  await sql`update webhook_endpoints set disabled_at = now() where id = ${id}`;
  await tell("mission.completed", 2);
  const [first] = (await rpc.webhooks.deliveries(scope)).deliveries;
  await rpc.webhooks.discard({ ...scope, id, deliveryId: first!.id });
  expect(await statuses()).toEqual(["Failed", "Pending"]);
  await expect(rpc.webhooks.discard({ ...scope, id, deliveryId: first!.id })).rejects.toThrow("Only a delivery that is held");
});

test("deliveries are found by endpoint, event, status, time and player, page by page, each once", async () => {
  const { scope, id, rpc, sandbox, slug, answers, tell, settled } = await shop(
    "mission.completed",
    "catalog_item.fulfillment_requested",
    "streak.milestone_reached",
  );
  await importDefinitions(database, sandbox, {
    version: 1,
    events: [{ key: "order_placed", name: "Order placed" }],
    catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
    missions: [
      {
        ...{ key: "one", name: "One", rewards: [{ kind: "CatalogItem", catalogItem: "coffee", value: 1 }] },
        objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 }],
      },
    ],
    streaks: [
      {
        key: "daily",
        name: "Daily",
        event: "order_placed",
        cadence: "Day",
        milestones: [{ length: 1, rewards: [{ kind: "Points", points: 1 }] }],
      },
    ],
  });
  const environment = await findEnvironment(database, slug, "sandbox");
  const play = async (playerId: string) => {
    await readMissions(database, environment, Date.now(), { externalId: playerId, take: null, includeCompleted: false, language: null });
    const items = [{ playerId, event: "order_placed", occurredAt: new Date().toISOString() }];
    await ingest(database, environment, { items, mayHoldBadText: false, now: Date.now() });
    await drainFacts(database, environment.id);
  };
  await play("ann");
  await play("bob");
  await settled();
  const quiet = await startReceiver();
  receivers.push(quiet);
  const other = await createEndpoint(
    database,
    sandbox,
    { url: quiet.url, events: ["mission.completed"] },
    { allowPrivateAddresses: true, cipher: testCipher },
  );
  answers.reply = { status: 400 };
  await tell("mission.completed", 3);
  await settled();

  const all = async (filter: object) => {
    const found: { id: string; player: string | null; event: string; endpointId: string; status: string }[] = [];
    for (let cursor: string | null = null, page = 0; page === 0 || cursor !== null; page++) {
      const { deliveries, next } = await rpc.webhooks.deliveries({ ...scope, ...filter, cursor, take: 2 });
      found.push(...deliveries);
      cursor = next;
    }
    expect(new Set(found.map((one) => one.id)).size).toBe(found.length);
    return found;
  };
  expect(await all({})).toHaveLength(12);
  expect(await all({ id: other.id })).toHaveLength(3);
  expect(await all({ event: "streak.milestone_reached" })).toHaveLength(2);
  expect(await all({ event: "mission.completed", id })).toHaveLength(5);
  expect(await all({ status: "Failed" })).toHaveLength(3);
  expect(await all({ status: "Held" })).toEqual([]);
  expect(await all({ until: LONG_AGO })).toEqual([]);
  expect(await all({ from: LONG_AGO })).toHaveLength(12);
  const ofAnn = await all({ player: "ann" });
  expect(ofAnn.map(({ event }) => event).sort()).toEqual([
    "catalog_item.fulfillment_requested",
    "mission.completed",
    "streak.milestone_reached",
  ]);
  expect(new Set(ofAnn.map(({ player }) => player))).toEqual(new Set(["ann"]));
  expect(await all({ player: "ann", event: "mission.completed" })).toHaveLength(1);
  expect(await all({ player: "ann", status: "Failed" })).toEqual([]);
  expect(await all({ player: "nobody" })).toEqual([]);
  await erasePlayer(database, environment, "bob", "They asked");
  expect(await all({ player: "ann" }), "the ids of new deliveries are others from now on").toEqual(ofAnn);
});
