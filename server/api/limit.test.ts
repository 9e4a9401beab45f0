import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { onlyValue, openDatabase, type Transaction } from "../../db/client.ts";
import { revokeKeys, testDatabase, testDatabaseUrl, testProject } from "../../db/testing.ts";
import { importDefinitions } from "../authoring/definitions/service/import.ts";
import { archiveProject } from "../people/projects/projects.ts";
import { moveClock } from "../operations/sandbox/move-clock.ts";
import { until } from "../../db/testing/work.ts";
import { ArrivingBodies } from "./arriving-bodies.ts";
import { Aborted } from "./body.ts";
import { Heartbeat } from "./heartbeat.ts";
import { type Reply, testApi, type TestApi } from "./testing/calls.ts";

const database = await testDatabase();
/** The processes' connections, separate from the test's. */
const served = openDatabase(await testDatabaseUrl());
afterEach(() => database.sql`delete from processes`);
afterAll(() => served.close());

/** The gates that hold requests, by player. */
const gates = new Map<unknown, PromiseWithResolvers<void>>();
const gated = {
  ...served,
  sql: new Proxy(served.sql, {
    apply(target, _, of: unknown[]) {
      const gate = of.slice(1).flatMap((value) => gates.get(value) ?? [])[0];
      const run = () => (target as (...of: unknown[]) => unknown)(...of);
      return gate === undefined ? run() : gate.promise.then(run);
    },
  }),
};

/** A separate process from the database's view, which beats on the test's command: its listener, and the requests for slots, in order. */
async function startProcess(maxArrivalMs?: number) {
  const heartbeat = new Heartbeat(served);
  vi.spyOn(heartbeat, "beatIfDue").mockImplementation(() => {});
  await heartbeat.beat();
  const asked = vi.spyOn(heartbeat.limiter, "acquire").mock;
  return { api: await testApi(gated, { heartbeat, maxArrivalMs }), heartbeat, asked };
}

type Process = Awaited<ReturnType<typeof startProcess>>;

/** A running request. `status` settles with the response, or with null after a disconnect. */
interface Held {
  status: Promise<number | null>;
  finish(): void;
  goAway(): void;
}

/** A request that runs or waits until the test lets it write. */
async function hold({ api, asked }: Process, key: string): Promise<Held> {
  const playerId = randomBytes(8).toString("hex");
  const gate = Promise.withResolvers<void>();
  gates.set(playerId, gate);
  const before = asked.calls.length;
  const { outgoing, status } = begin(api, key);
  outgoing.end(JSON.stringify({ playerId }));
  await until(() => asked.calls.length > before);
  const goAway = () => {
    outgoing.destroy();
    gate.resolve();
  };
  return { status, finish: gate.resolve, goAway };
}

/** The headers of a request whose body may follow. */
function begin({ port }: TestApi, key: string) {
  const headers = { authorization: `Bearer ${key}`, "transfer-encoding": "chunked" };
  const outgoing = request({ port, method: "POST", path: "/v1/players", headers });
  const status = new Promise<number | null>((resolve) => {
    outgoing.once("error", () => resolve(null));
    outgoing.once("response", (incoming) => void text(incoming).then(() => resolve(incoming.statusCode ?? 0)));
  });
  outgoing.flushHeaders();
  return { outgoing, status };
}

async function holdMany(count: number, process: Process, ...keys: string[]): Promise<Held[]> {
  const held: Held[] = [];
  while (held.length < count) held.push(await hold(process, keys[held.length % keys.length]!));
  return held;
}

async function finish(held: readonly Held[]): Promise<void> {
  for (const one of held) one.finish();
  expect(new Set(await Promise.all(held.map(({ status }) => status)))).toEqual(new Set([200]));
}

const read = ({ api }: Process, key: string) => api.get("/v1/points?PlayerId=ann", key);

test("an organization has 16 requests in flight and 8 waiting, Sandbox and Live together; only its next is refused", async () => {
  const process = await startProcess();
  const { sandboxKey, liveKey } = await testProject(database);
  const other = await testProject(database);
  const held = [...(await holdMany(16, process, sandboxKey, liveKey)), ...(await holdMany(8, process, liveKey))];
  for (const key of [sandboxKey, liveKey]) {
    const reply = await process.api.call("GET", "/v1/points?PlayerId=ann", { key });
    expect([reply.status, reply.headers["retry-after"], reply.headers["content-type"]]).toEqual([429, "1", "application/problem+json"]);
    expect(reply.json).toMatchObject({
      type: "https://api.test/docs/errors#rate_limit.concurrency_exceeded",
      status: 429,
      instance: "/v1/points",
      code: "rate_limit.concurrency_exceeded",
      errors: [{ code: "rate_limit.concurrency_exceeded" }],
    });
  }
  expect((await read(process, other.sandboxKey)).status).toBe(200);
  await finish(held);
  expect((await read(process, sandboxKey)).status).toBe(200);
});

test("the limit comes after authentication and before routing; openapi.json is exempt", async () => {
  const process = await startProcess();
  const { slug, sandboxKey } = await testProject(database);
  const held = await holdMany(24, process, sandboxKey);
  const status = async (path: string, key?: string) => (await process.api.get(path, key)).status;
  expect(await status("/v1/nothing", sandboxKey)).toBe(429);
  expect(await status("/v1/nothing")).toBe(401);
  expect(await status("/v1/openapi.json", sandboxKey)).toBe(200);
  expect(await status("/", sandboxKey)).toBe(404);
  await archiveProject(database, slug);
  for (const one of held) one.goAway();
  await until(async () => (await status("/v1/nothing", sandboxKey)) === 404);
});

/** Blocks the database's key look-up, or any other use of a table, until the test releases it. */
async function slowDown(table = "api_keys") {
  const over = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const holding = database.sql.begin(async (tx) => {
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

/** The number of statements currently looking up a key. */
const asking = async () => (await database.sql`select from pg_locks where relation = 'api_keys'::regclass and not granted`).length;

/** Sends many concurrent small reads: how many were refused so far, and how all of them end. */
function flood(process: Process, count: number, key: () => string) {
  const refused: Reply[] = [];
  const replies = Array.from({ length: count }, async () => {
    const reply = await read(process, key());
    if (reply.status === 429) refused.push(reply);
    return reply.status;
  });
  return { refused, statuses: Promise.all(replies) };
}

const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;

test("of 150 concurrent small reads by one key 24 are admitted, even with a slow database; the rest are refused without a query", async () => {
  const process = await startProcess();
  const { sandboxKey } = await testProject(database);
  expect((await read(process, sandboxKey)).status).toBe(200);
  const goOn = await slowDown();
  const { refused, statuses } = flood(process, 150, () => sandboxKey);
  await until(() => refused.length === 126);
  await until(async () => (await asking()) > 0);
  expect(await asking()).toBeLessThanOrEqual(16);
  expect((await read(process, sandboxKey)).status).toBe(429);
  await goOn();
  expect([count(await statuses, 200), count(await statuses, 429)]).toEqual([24, 126]);
});

test("requests whose events share a statement have a slot each: of 40 concurrent ones 24 are admitted", async () => {
  const process = await startProcess();
  const { sandbox, sandboxKey } = await testProject(database);
  await importDefinitions(database, sandbox, { version: 1, events: [{ key: "order", name: "Order" }] });
  const goOn = await slowDown("events");
  let refused = 0;
  const sent = Array.from({ length: 40 }, async (_, at) => {
    const event = { playerId: `p${at}`, event: "order", occurredAt: new Date().toISOString() };
    const { status } = await process.api.call("POST", "/v1/events", { key: sandboxKey, body: { events: [event] } });
    if (status === 429) refused += 1;
    return status;
  });
  await until(() => refused === 16);
  await goOn();
  expect([count(await Promise.all(sent), 200), refused]).toEqual([24, 16]);
});

test("of 150 concurrent small reads by an unknown key no more are admitted than by any other, and most are refused without waiting", async () => {
  const process = await startProcess();
  const { sandboxKey } = await testProject(database);
  const goOn = await slowDown();
  const { refused, statuses } = flood(process, 150, () => sandboxKey);
  await until(() => refused.length === 150 - 3 - 64);
  expect(await asking()).toBeLessThanOrEqual(3);
  await goOn();
  expect(count(await statuses, 200)).toBeGreaterThanOrEqual(24);
  expect(count(await statuses, 200) + count(await statuses, 429)).toBe(150);
});

test("guessed keys share a separate limit: most guesses are refused without waiting, and known keys are looked up as usual", async () => {
  const process = await startProcess();
  const { sandboxKey } = await testProject(database);
  expect((await read(process, sandboxKey)).status).toBe(200);
  const goOn = await slowDown();
  const guesses = flood(process, 150, () => `svc_live_${randomBytes(32).toString("hex")}`);
  await until(() => guesses.refused.length === 150 - 3 - 64);
  expect(guesses.refused[0]!.json.detail).toContain("keys that are new here");
  // One to three queries: simultaneous requests share one.
  await until(async () => (await asking()) > 0);
  const ofUnknownKeys = await asking();
  expect(ofUnknownKeys).toBeLessThanOrEqual(3);
  const known = read(process, sandboxKey);
  await until(async () => (await asking()) > ofUnknownKeys);
  await goOn();
  expect((await known).status).toBe(200);
  expect(count(await guesses.statuses, 401)).toBe(67);
});

test("a request looks its key up once, known or unknown; simultaneous requests share a look-up", async () => {
  const keys: unknown[] = [];
  const sql = new Proxy(served.sql, {
    apply(target, _, of: [TemplateStringsArray, ...never[]]) {
      if (of[0].raw?.join("").includes("from api_keys")) keys.push(of);
      return (target as (...of: unknown[]) => unknown)(...of);
    },
  });
  const heartbeat = new Heartbeat(served);
  await heartbeat.beat();
  const api = await testApi({ ...served, sql }, { heartbeat });
  const { sandboxKey } = await testProject(database);
  const ask = () => api.get("/v1/points?PlayerId=ann", sandboxKey);
  for (let asked = 1; asked <= 3; asked++) {
    await ask();
    expect(keys).toHaveLength(asked);
  }
  const statuses = (await Promise.all(Array.from({ length: 24 }, ask))).map(({ status }) => status);
  expect(keys.length - 3).toBeLessThan(count(statuses, 200));
});

test("a key whose project moved to another organization takes a slot there, and a revoked key takes none", async () => {
  const process = await startProcess();
  const { slug, sandbox, sandboxKey, liveKey } = await testProject(database);
  const other = await testProject(database);
  expect((await read(process, sandboxKey)).status).toBe(200);
  expect((await read(process, liveKey)).status).toBe(200);
  await database.sql`update projects set organization_id = ${other.live.organizationId} where slug = ${slug}`;
  const held = await holdMany(24, process, other.sandboxKey);
  expect((await read(process, sandboxKey)).status).toBe(429);
  await finish(held);
  await revokeKeys(database, sandbox, "test");
  expect((await read(process, sandboxKey)).status).toBe(401);
  const full = await holdMany(24, process, other.sandboxKey);
  expect((await read(process, sandboxKey)).status).toBe(401);
  for (const one of full) one.goAway();
});

test("waiting requests are admitted in order of arrival", async () => {
  const process = await startProcess();
  const { sandboxKey } = await testProject(database);
  const held = await holdMany(16, process, sandboxKey);
  const waiting = await holdMany(8, process, sandboxKey);
  const turns: number[] = [];
  process.asked.results.slice(16).forEach(({ value }, index) => void (value as Promise<void>).then(() => turns.push(index)));
  for (const one of waiting) one.finish();
  held[5]!.finish();
  expect(new Set(await Promise.all(waiting.map(({ status }) => status)))).toEqual(new Set([200]));
  expect(turns).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  await finish(held);
});

test("a key that is revoked while its request waits is refused", async () => {
  const process = await startProcess();
  const { sandbox, sandboxKey } = await testProject(database);
  const held = await holdMany(16, process, sandboxKey);
  const waiting = await hold(process, sandboxKey);
  // Keys are looked up in order of arrival, so those of the requests in flight are done.
  const other = await testProject(database);
  for (let answered = 0; answered < 2; answered++) expect((await read(process, other.sandboxKey)).status).toBe(200);
  await revokeKeys(database, sandbox, "test");
  waiting.finish();
  await finish(held);
  expect(await waiting.status).toBe(401);
});

test("a client that disconnects while waiting leaves the queue immediately, and its request is never executed", async () => {
  const process = await startProcess();
  const { sandbox, sandboxKey } = await testProject(database);
  const inFlight = await holdMany(16, process, sandboxKey);
  const gone = await hold(process, sandboxKey);
  const waiting = await holdMany(7, process, sandboxKey);
  gone.goAway();
  await expect(process.asked.results[16]!.value).rejects.toBeInstanceOf(Aborted);
  waiting.push(await hold(process, sandboxKey));
  expect((await read(process, sandboxKey)).status).toBe(429);
  await finish([...inFlight, ...waiting]);
  const [players] = await database.sql<{ count: number }[]>`select count(*)::int from players where environment_id = ${sandbox.id}`;
  expect(players!.count).toBe(24);
});

test("bodies that never arrive cost no slot, from any sender; each group's are bounded, and end with their connections", async () => {
  const process = await startProcess();
  const { sandboxKey, liveKey } = await testProject(database);
  const arriving = vi.spyOn(ArrivingBodies.prototype, "wait").mock;
  expect((await read(process, sandboxKey)).status).toBe(200);
  const slow = Array.from({ length: 64 }, () => begin(process.api, sandboxKey));
  for (const { outgoing } of slow) outgoing.write("{");
  await until(() => arriving.calls.length === 64);
  for (const key of [sandboxKey, liveKey]) expect((await read(process, key)).status).toBe(200);
  const save = (key: string) => process.api.post("/v1/players", { playerId: "ann" }, key);
  const refused = await save(sandboxKey);
  expect([refused.status, refused.json.code]).toEqual([429, "rate_limit.concurrency_exceeded"]);
  expect((await save(liveKey)).status).toBe(200);
  const calls = process.asked.calls.length;
  for (const { outgoing } of slow) outgoing.destroy();
  await Promise.allSettled(arriving.results.slice(0, 64).map(({ value }) => value));
  expect((await save(sandboxKey)).status).toBe(200);
  expect(process.asked.calls.length).toBe(calls + 1);
  vi.restoreAllMocks();
});

test("a group's memory for arriving bodies is bounded, and freed once they have arrived", async () => {
  const process = await startProcess();
  const { sandboxKey } = await testProject(database);
  const arriving = vi.spyOn(ArrivingBodies.prototype, "wait").mock;
  expect((await read(process, sandboxKey)).status).toBe(200);
  const piece = `"${"x".repeat(4 * 1024 * 1024 - 100)}"`;
  const slow = Array.from({ length: 18 }, () => begin(process.api, sandboxKey));
  for (const { outgoing } of slow) outgoing.write(`{"playerId":"ann","pad":${piece}`);
  const statuses: (number | null)[] = [];
  for (const { status } of slow) void status.then((one) => statuses.push(one));
  await until(() => statuses.length >= 1);
  expect(new Set(statuses)).toEqual(new Set([429]));
  for (const { outgoing } of slow) outgoing.end("}");
  await Promise.all(slow.map(({ status }) => status));
  await Promise.allSettled(arriving.results.map(({ value }) => value));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(16);
  expect((await process.api.post("/v1/players", { playerId: "ann" }, sandboxKey)).status).toBe(200);
  vi.restoreAllMocks();
});

test("a body that is too slow is answered 408, and its connection is closed; the next one reveals that the key is revoked", async () => {
  const process = await startProcess(50);
  const { sandbox, sandboxKey } = await testProject(database);
  expect((await read(process, sandboxKey)).status).toBe(200);
  await revokeKeys(database, sandbox, "test");
  const socket = connect(process.api.port, "127.0.0.1");
  socket.write(`POST /v1/players HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sandboxKey}\r\nContent-Length: 100\r\n\r\n{`);
  // The text ends when the connection closes.
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toMatch(/^Connection: close\r$/m);
  expect(answer).toContain('"code":"request.timeout"');
  expect(await begin(process.api, sandboxKey).status).toBe(401);
});

test("waiting Live requests go first; a test project's Live does not count as Live", async () => {
  const process = await startProcess();
  const { sandboxKey, liveKey, slug } = await testProject(database);
  const test = await testProject(database);
  await database.sql`
    update projects p set organization_id = home.organization_id, test_of = home.id, expires_at = now() + interval '1 hour'
    from projects home where home.slug = ${slug} and p.slug = ${test.slug}`;
  const held = await holdMany(16, process, sandboxKey);
  const waiting = await holdMany(8, process, test.liveKey, sandboxKey);
  const live = await hold(process, liveKey);
  expect(await waiting[7]!.status).toBe(429);
  expect((await read(process, test.liveKey)).status).toBe(429);
  live.finish();
  held[0]!.finish();
  expect(await live.status).toBe(200);
  await finish([...held, ...waiting.slice(0, 7)]);
});

test("a request releases its slot, whatever its outcome", async () => {
  const process = await startProcess();
  const { sandboxKey } = await testProject(database);
  const { api } = process;
  for (let round = 0; round < 9; round++) {
    expect((await api.get("/v1/nothing", sandboxKey)).status).toBe(404);
    expect((await api.get("/v1/points", sandboxKey)).status).toBe(400);
    expect((await api.post("/v1/players", "not json", sandboxKey)).status).toBe(400);
  }
  const held = await holdMany(16, process, sandboxKey);
  expect(process.asked.results.map(({ value }) => value as unknown)).toEqual(Array(43).fill(null));
  await finish(held);
});

test("processes on one database share the limit: each of two takes half, and all of it when the other one stops", async () => {
  const one = await startProcess();
  const other = await startProcess();
  await one.heartbeat.beat();
  await other.heartbeat.beat();
  const { sandboxKey } = await testProject(database);
  const held = await Promise.all([holdMany(12, one, sandboxKey), holdMany(12, other, sandboxKey)]);
  for (const process of [one, other]) expect((await read(process, sandboxKey)).status).toBe(429);
  await other.heartbeat.stop();
  await one.heartbeat.beat();
  held.push(await holdMany(12, one, sandboxKey));
  expect((await read(one, sandboxKey)).status).toBe(429);
  await finish(held.flat());
});

test("a new process takes over slots once they are released, which requests in flight may delay", async () => {
  const one = await startProcess();
  const { sandboxKey } = await testProject(database);
  const held = await holdMany(16, one, sandboxKey);
  const other = await startProcess();
  const quotas = () => [one, other].map(({ heartbeat }) => heartbeat.limiter.quota.inFlight);
  expect(quotas()).toEqual([16, 1]);
  for (const { heartbeat } of [one, other]) await heartbeat.beat();
  expect(quotas()).toEqual([8, 1]);
  await finish(held);
  for (const { heartbeat } of [one, other]) await heartbeat.beat();
  expect(quotas()).toEqual([8, 8]);
});

test("twenty processes that start and beat at the same time never exceed the sixteen by more than one request each", async () => {
  const processes = Array.from({ length: 20 }, () => new Heartbeat(served));
  const sum = () => processes.reduce((total, { limiter }) => total + limiter.quota.inFlight, 0);
  for (let alive = 1; alive <= 20; alive++) {
    const beating = processes.slice(0, alive).map((heartbeat) => heartbeat.beat().then(() => expect(sum()).toBeLessThanOrEqual(36)));
    await Promise.all(beating);
  }
  expect(sum()).toBe(20);
  for (const heartbeat of processes.slice(4)) await heartbeat.stop();
  for (let round = 0; round < 2; round++) for (const heartbeat of processes.slice(0, 4)) await heartbeat.beat();
  expect(processes.slice(0, 4).map(({ limiter }) => limiter.quota)).toEqual(Array(4).fill({ inFlight: 4, waiting: 2 }));
});

/** The database, with another way to run a transaction. */
const beginning = (begin: (run: (tx: Transaction) => Promise<void>) => Promise<unknown>) => ({
  ...served,
  sql: new Proxy(served.sql, { get: (target, name) => (name === "begin" ? begin : (Reflect.get(target, name) as unknown)) }),
});

test("the server ends a beat that stands still: no other process could beat or start", async () => {
  const limits: string[] = [];
  const seen = beginning((run) =>
    served.sql.begin(async (tx) => {
      await run(tx);
      limits.push(await onlyValue(tx<{ limit: string }[]>`select current_setting('idle_in_transaction_session_timeout') as "limit"`));
    }),
  );
  await new Heartbeat(seen).beat();
  expect(limits).toEqual(["3s"]);
});

test("a process whose beat stood still until the server ended it has one request in flight: others may have taken its part", async () => {
  let isFrozen = false;
  const frozen = beginning(async (run) => {
    await served.sql.begin(run);
    if (!isFrozen) return;
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 3_001);
    throw new Error("terminating connection due to idle-in-transaction timeout");
  });
  const heartbeat = new Heartbeat(frozen);
  await heartbeat.beat();
  expect(heartbeat.limiter.quota.inFlight).toBe(16);
  isFrozen = true;
  await heartbeat.beat();
  vi.spyOn(heartbeat, "beat").mockResolvedValue();
  heartbeat.beatIfDue();
  expect(heartbeat.limiter.quota.inFlight).toBe(1);
  vi.restoreAllMocks();
});

test("a process that the others do not know, or consider dead, has one request in flight until it has beaten", async () => {
  const heartbeat = new Heartbeat(served);
  vi.spyOn(heartbeat, "beat").mockResolvedValue();
  const process = { api: await testApi(gated, { heartbeat }), heartbeat, asked: vi.spyOn(heartbeat.limiter, "acquire").mock };
  const { sandboxKey } = await testProject(database);
  const held = await holdMany(24, process, sandboxKey);
  expect(process.asked.results.filter(({ value }) => value === null)).toHaveLength(1);
  expect((await read(process, sandboxKey)).status).toBe(429);
  vi.mocked(heartbeat.beat).mockRestore();
  await heartbeat.beat();
  expect(heartbeat.limiter.quota).toEqual({ inFlight: 16, waiting: 8 });
  await finish(held);
  vi.spyOn(performance, "now").mockReturnValue(performance.now() + 3_001);
  vi.spyOn(heartbeat, "beat").mockResolvedValue();
  heartbeat.beatIfDue();
  expect(heartbeat.limiter.quota.inFlight).toBe(1);
  vi.restoreAllMocks();
});

test("a process that dies is removed three seconds after its last beat", async () => {
  const one = await startProcess();
  await startProcess();
  await one.heartbeat.beat();
  const { sandboxKey } = await testProject(database);
  const held = await holdMany(12, one, sandboxKey);
  expect((await read(one, sandboxKey)).status).toBe(429);
  await database.sql`update processes set beat_at = beat_at - interval '30 seconds'`;
  await one.heartbeat.beat();
  held.push(...(await holdMany(12, one, sandboxKey)));
  expect((await read(one, sandboxKey)).status).toBe(429);
  await finish(held);
});

const beats = () => database.sql<{ beat: number }[]>`select beat_at as beat from processes`;

test("a started process beats by a timer until it is stopped", async () => {
  const heartbeat = new Heartbeat(served);
  await heartbeat.start();
  const [first] = await beats();
  await until(async () => (await beats())[0]!.beat > first!.beat);
  await heartbeat.stop();
  await heartbeat.beat();
  expect(await beats()).toHaveLength(0);
});

test("a process that is not started beats with its requests", async () => {
  const api = await testApi(served);
  const { sandboxKey } = await testProject(database);
  expect(await beats()).toHaveLength(0);
  await api.get("/v1/points?PlayerId=ann", sandboxKey);
  await until(async () => (await beats()).length === 1);
});

test("a 429 to a Sandbox whose clock was moved reports its time, like every response", async () => {
  const process = await startProcess();
  const { sandbox, sandboxKey, liveKey } = await testProject(database);
  await moveClock(database, sandbox, "P1Y");
  const held = [...(await holdMany(16, process, sandboxKey)), ...(await holdMany(8, process, liveKey))];
  const refused = async (key: string) => (await read(process, key)).headers["x-sandbox-time"];
  expect(Date.parse((await refused(sandboxKey)) as string)).toBeGreaterThan(Date.now() + 300 * 86_400_000);
  expect(await refused(liveKey)).toBeUndefined();
  for (const one of held) one.goAway();
});

test("a 404 to a Sandbox with a moved clock and an archived project reports its time, like every response", async () => {
  const { api } = await startProcess();
  const { slug, sandbox, sandboxKey, liveKey } = await testProject(database);
  await moveClock(database, sandbox, "P1Y");
  await archiveProject(database, slug);
  const reply = await api.get("/v1/points?PlayerId=ann", sandboxKey);
  expect([reply.status, reply.json.code]).toEqual([404, "project_environment.not_found"]);
  expect(Date.parse(String(reply.headers["x-sandbox-time"]))).toBeGreaterThan(Date.now() + 300 * 86_400_000);
  expect((await api.get("/v1/points?PlayerId=ann", liveKey)).headers["x-sandbox-time"]).toBeUndefined();
});
