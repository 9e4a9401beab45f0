import { readFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { openPools } from "#db/pools.ts";
import { testDatabase, testDatabaseUrl, testProject } from "#db/testing.ts";
import { testApi } from "../../api/testing/calls.ts";
import { createOperations } from "./endpoints.ts";
import { playerKey } from "../../model/players/identity.ts";
import { createEndpoint } from "../../delivery/service/endpoints.ts";
import { startReceiver, testCipher } from "../../delivery/testing.ts";
import { startWorker } from "../../operations/worker/loop.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await testDatabase();
const operations = createOperations({ backlogMs: 0 });
const pools = openPools(await testDatabaseUrl(), { sizes: { requests: 2, dashboard: 2, facts: 4, deliveries: 2 }, waitMs: 200 });
operations.watchPools(pools);
operations.begin(pools.requests);
const server = createServer(operations.listener).listen(0, "127.0.0.1");
await once(server, "listening");
const api = await testApi(database, { served: operations.served });
afterAll(async () => {
  server.close();
  await pools.close();
});

const read = async (path: string) => (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)).text();

/** A metric's current value, by its name with labels. */
async function valueOf(name: string): Promise<number> {
  const line = (await read("/metrics")).split("\n").find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

const rules = (
  parse(readFileSync("operations/prometheus/alerts.yml", "utf8")) as { groups: { rules: { alert: string; expr: string }[] }[] }
).groups[0]!.rules;

/** Whether an alert whose expression compares one metric fires now; `npm run alerts` tries all of them in a real Prometheus. */
async function holds(alert: string): Promise<boolean> {
  const { expr } = rules.find((rule) => rule.alert === alert)!;
  const [, name = "", sign, bound] = /^(?:max|min)(?: by \(instance\))? ?\((\w+)\) (>|==) (\d+)$/.exec(expr)!;
  const value = await valueOf(name);
  return sign === ">" ? value > Number(bound) : value === Number(bound);
}

/** Not too often: each poll renders all metrics and queries the database. */
const until = (isSo: () => Promise<boolean>) => expect.poll(isSo, { interval: 100 }).toBe(true);

const silent = { error: () => {}, warn: () => {} };
const work = () =>
  startWorker({
    ...{ database: pools.facts, deliveriesDatabase: pools.deliveries, logger: silent, cipher: testCipher, allowPrivateAddresses: true },
    observer: operations.observer,
  });

const DEFINITIONS = {
  version: 1,
  events: [{ key: "order_placed", name: "Order placed" }],
  missions: [
    {
      ...{ key: "one", name: "One", rewards: [{ kind: "Points", points: 1 }] },
      objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 }],
    },
  ],
};

test("a backlog that the database is slow to answer takes one connection of the dashboard, however often it is scraped", async () => {
  await database.sql.begin(async (tx) => {
    await tx`lock table quarantined_facts in access exclusive mode`;
    for (const text of await Promise.all([read("/metrics"), read("/metrics")])) expect(text).toMatch(/^engagement_queue_facts NaN$/im);
    expect(pools.dashboard.use()).toMatchObject({ inUse: 1, waiting: 0 });
  });
});

test("the backlog is reported with its age on the environment's clock, and raises an alert until it is empty", async () => {
  const { sandbox, sandboxKey } = await testProject(database);
  expect(await importDefinitions(database, sandbox, DEFINITIONS)).not.toHaveProperty("problems");
  await database.sql`update environments set clock_offset_ms = 864e5 where id = ${sandbox.id}`;
  const receiver = await startReceiver();
  await createEndpoint(
    database,
    sandbox,
    { url: receiver.url, events: ["mission.completed"] },
    { allowPrivateAddresses: true, cipher: testCipher },
  );
  await api.post("/v1/missions", { playerId: "ann" }, sandboxKey);
  await database.sql`update environments set clock_offset_ms = 864e5 + 1000 where id = ${sandbox.id}`;
  const at = new Date(Date.now() + 864e5).toISOString();
  const sent = await api.post("/v1/events", { events: [{ playerId: "ann", event: "order_placed", occurredAt: at }] }, sandboxKey);
  expect(sent.json, sent.text).toMatchObject({ accepted: 1 });

  expect(await valueOf("engagement_queue_facts")).toBe(1);
  expect(await valueOf("engagement_queue_lanes")).toBe(4);
  expect(await valueOf("engagement_queue_oldest_fact_age_seconds"), "a moved clock makes nothing old").toBeLessThan(60);
  expect(await holds("EngagementQueueStalled")).toBe(false);
  await database.sql`update queued_facts set received_at = received_at - interval '2 minutes'`;
  expect(await holds("EngagementQueueStalled")).toBe(true);

  const worker = work();
  await until(async () => (await valueOf('engagement_webhook_attempts_total{outcome="Delivered"}')) === 1);
  // Facts are counted after the commit that creates the delivery.
  await until(async () => (await valueOf('engagement_facts_applied_total{kind="event"}')) === 1);
  expect(await valueOf("engagement_slice_facts_count")).toBe(1);
  expect(await holds("EngagementQueueStalled")).toBe(false);
  expect(Date.now() / 1000 - (await valueOf('engagement_job_last_run_timestamp_seconds{work="deliveries"}'))).toBeLessThan(30);
  await worker.stop();
  await receiver.close();
  expect(await read("/metrics")).toMatch(/^engagement_request_duration_seconds_count\{route="\/v1\/events",code="200"\} 1$/m);

  await database.sql`update webhook_deliveries set status = 'Pending', due_at = now() - interval '3 minutes'`;
  expect(await valueOf("engagement_webhook_due")).toBe(1);
  expect(await holds("EngagementDeliveriesLate")).toBe(true);
  await database.sql`update webhook_endpoints set disabled_at = now()`;
  expect(await holds("EngagementDeliveriesLate"), "held deliveries are not late").toBe(false);
});

test("a fact that cannot be applied, and work that gets no connection, are reported and raise an alert", async () => {
  const { sandbox, sandboxKey } = await testProject(database);
  expect(await importDefinitions(database, sandbox, DEFINITIONS)).not.toHaveProperty("problems");
  await api.post("/v1/missions", { playerId: "bob" }, sandboxKey);
  const { part, playerId } = playerKey(sandbox.id, "bob");
  await database.sql`insert into balances (part, player_id, balance) values (${part}, ${playerId}, 9007199254740991)`;
  await api.post("/v1/events", { events: [{ playerId: "bob", event: "order_placed", occurredAt: new Date().toISOString() }] }, sandboxKey);
  expect(await holds("EngagementFactsQuarantined")).toBe(false);
  const worker = work();
  await until(() => holds("EngagementFactsQuarantined"));
  // The alert's row exists before the process has counted it.
  await until(async () => (await valueOf("engagement_facts_quarantined_total")) === 1);
  await worker.stop();

  const { promise, resolve } = Promise.withResolvers<void>();
  const taken = [1, 2].map(() => pools.deliveries.sql.begin(() => promise));
  await until(async () => (await valueOf('engagement_pool_in_use{pool="deliveries"}')) === 2);
  await expect(pools.deliveries.sql`select 1`).rejects.toThrow("No connection");
  expect(await valueOf('engagement_pool_refused_total{pool="deliveries"}')).toBe(1);
  resolve();
  await Promise.all(taken);
});

test("every alert has a runbook and uses metrics that a process reports", async () => {
  const reported = new Set([...(await read("/metrics")).matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
  const runbooks = readFileSync("docs/alerts.md", "utf8");
  const board = readFileSync("operations/grafana/boards/engagement.json", "utf8");
  expect(rules.length).toBeGreaterThan(10);
  for (const { alert } of rules) expect(runbooks).toMatch(new RegExp(`^## ${alert}$`, "m"));
  for (const text of [...rules.map(({ expr }) => expr), board])
    for (const [name] of text.matchAll(/\b(engagement|process|nodejs)_\w+/g))
      expect(reported).toContain(name.replace(/_(bucket|count|sum)$/, ""));
});
