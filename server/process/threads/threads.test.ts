import { expect, onTestFinished, test, vi } from "vitest";
import { testDatabase, testDatabaseUrl, testProject } from "#db/testing.ts";
import { ingest } from "../../game/events/service.ts";
import type { WorkObserver } from "../../model/kernel/monitoring.ts";
import { playerKey } from "../../model/players/identity.ts";
import { TEST_AUTH_SECRET, testCipher } from "../../delivery/testing.ts";
import { startFacts } from "../../operations/worker/facts.ts";
import { laneOf, until } from "#db/testing/work.ts";
import { factConnections, startThreads, type ThreadsOptions } from "./start.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await testDatabase();
const SIZES = { facts: 3, deliveries: 2 };

/** Threads, with everything that they report. */
async function threads(count: number, more: Partial<ThreadsOptions> = {}) {
  const reports = { lines: [] as string[], failures: [] as object[], jobs: new Set<string>(), facts: 0 };
  const observer: WorkObserver = {
    lookBegan: (job) => void reports.jobs.add(job),
    sliceApplied: ({ byKind }) => (reports.facts += byKind.get("event") ?? 0),
    factQuarantined: () => {},
    deliveryAttempted: () => {},
  };
  const started = startThreads({
    ...{ databaseUrl: await testDatabaseUrl(), waitMs: 5_000, sizes: Array.from({ length: count }, () => SIZES), observer },
    ...{ logger: { error: (fields) => void reports.failures.push(fields) }, writeLine: (line) => void reports.lines.push(line), ...more },
  });
  onTestFinished(() => started.stop());
  return { ...started, reports };
}

const NAMES = Array.from({ length: 40 }, (_, index) => `player ${index}`);

/** An event of each of forty players, who are in all lanes. */
async function sendEvents() {
  const { sandbox } = await testProject(database);
  expect(await importDefinitions(database, sandbox, { version: 1, events: [{ key: "order", name: "Order" }] })).not.toHaveProperty(
    "problems",
  );
  const now = Date.now();
  const items = NAMES.map((playerId) => ({ playerId, event: "order", occurredAt: new Date(now).toISOString() }));
  await ingest(database, sandbox, { items, mayHoldBadText: false, now });
  expect(new Set(NAMES.map((name) => laneOf(playerKey(sandbox.id, name).part))).size).toBeGreaterThan(1);
}
const isApplied = async () => (await database.sql`select from queued_facts limit 1`).length === 0;

test("two threads apply accepted events, report what they do, and leave nothing behind when they stop", async () => {
  vi.stubEnv("AUTH_SECRET", TEST_AUTH_SECRET);
  // Vitest sets a variable of this name.
  vi.stubEnv("BASE_URL", "");
  onTestFinished(() => void vi.unstubAllEnvs());
  await sendEvents();
  const worker = await threads(2);
  worker.wake();
  await until(isApplied);
  await until(() => worker.reports.facts === NAMES.length);
  await until(() => ["facts", "deliveries", "analytics"].every((job) => worker.reports.jobs.has(job)));
  // Either thread may report first.
  await until(() => worker.pools().get("facts")?.size === 6);
  expect(worker.pools().get("deliveries")?.size).toBe(2);
  expect(worker.figures().map(({ index }) => index)).toEqual([0, 1]);
  await worker.stop();
  expect(worker.figures()).toEqual([]);
  expect([worker.restarts(), worker.reports.failures, worker.reports.lines]).toEqual([0, [], []]);
});

test("a thread helps with the lanes of a thread that is gone", async () => {
  await sendEvents();
  const logger = { error: () => {}, warn: () => {} };
  const second = startFacts({
    ...{ database, logger, allowPrivateAddresses: true, cipher: testCipher, onEffects: () => {} },
    share: { index: 1, of: 2 },
  });
  await until(isApplied);
  await second.stop();
});

/** A small thread program that reports how many calls arrived, and which. */
const program = (atStart: string, beforeCalls = "") =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
    import { parentPort, workerData } from "node:worker_threads";
    const flags = new Int32Array(workerData.calls);
    ${atStart}
    parentPort.on("message", () => {
      ${beforeCalls}
      const calls = Atomics.exchange(flags, 0, 0);
      parentPort.postMessage({ kind: "log", line: String(calls) });
      if (calls & 4) process.exit(0);
    });`)}`,
  );

test("many calls are one message until the thread handles it, and a stop among them is seen", async () => {
  // A slow thread: a fast one on another processor may handle a call before the next.
  const worker = await threads(1, { program: program("", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);") });
  for (let count = 0; count < 1_000; count++) worker.wake();
  await until(() => worker.reports.lines.length > 0);
  for (let count = 0; count < 1_000; count++) worker.wake();
  await worker.stop();
  expect(worker.reports.lines.length).toBeLessThan(10);
  expect(worker.reports.lines.reduce((all, line) => all | Number(line), 0)).toBe(1 | 4);
});

test("messages that Node sends while it watches files are ignored", async () => {
  const worker = await threads(1, { program: program(`parentPort.postMessage({ "watch:import": ["file:///a.ts"] });`) });
  worker.wake();
  await until(() => worker.reports.lines.length > 0);
  await worker.stop();
  expect(worker.reports.failures).toEqual([]);
});

test("a failed thread is reported, restarted after a pause, and does not block shutdown", async () => {
  const worker = await threads(2, { program: program(`if (workerData.index === 1) throw new Error("broken");`) });
  await until(() => worker.restarts() > 1);
  expect(worker.reports.failures[0]).toMatchObject({ thread: 1, pauseMs: 500, err: { message: "broken" } });
  expect(worker.reports.failures[1]).toMatchObject({ thread: 1, pauseMs: 1_000 });
  await worker.stop();
});

test("threads share the connections of a single-threaded worker, plus one each for polling", () => {
  for (const count of [1, 2, 3, 4]) {
    const sizes = Array.from({ length: count }, (_, index) => factConnections(7, { index, of: count }));
    expect(
      sizes.reduce((sum, size) => sum + size, 0),
      String(count),
    ).toBe(6 + count);
  }
  expect(factConnections(2, { index: 0, of: 4 })).toBe(2);
});
