import { request, type ClientRequest } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, expect, test, vi } from "vitest";
import { testDatabase, testProject } from "../../db/testing.ts";
import { archiveProject, revokeApiKey } from "../projects/service.ts";
import { moveClock } from "../work/clock.ts";
import { until } from "../work/testing.ts";
import { Aborted } from "./body.ts";
import { Presence } from "./presence.ts";
import { testApi, type TestApi } from "./testing.ts";

const database = await testDatabase();
afterEach(() => database.sql`delete from processes`);

/** A process of its own as the database sees it, which beats when the test says so: its listener, and who asked it for a place, in order. */
async function startProcess() {
  const presence = new Presence(database);
  vi.spyOn(presence, "show").mockImplementation(() => {});
  await presence.beat();
  const asked = vi.spyOn(presence.places, "take").mock;
  return { api: await testApi(database, { presence }), presence, asked };
}

type Process = Awaited<ReturnType<typeof startProcess>>;

/** A request under way. `status` is settled once it is answered, or null once it is gone. */
interface Held {
  status: Promise<number | null>;
  finish(): void;
  goAway(): void;
}

/** A request that is in flight or waits, for as long as the test does not send the end of its body. */
async function hold({ api, asked }: Process, key: string, playerId = "held"): Promise<Held> {
  const body = JSON.stringify({ playerId });
  const before = asked.calls.length;
  const outgoing = post(api, key, body.length);
  const status = new Promise<number | null>((resolve) => {
    outgoing.once("error", () => resolve(null));
    outgoing.once("response", (incoming) => void text(incoming).then(() => resolve(incoming.statusCode ?? 0)));
  });
  outgoing.flushHeaders();
  await until(() => asked.calls.length > before);
  return { status, finish: () => outgoing.end(body), goAway: () => outgoing.destroy() };
}

const post = ({ port }: TestApi, key: string, length: number): ClientRequest =>
  request({ port, method: "POST", path: "/v1/players", headers: { authorization: `Bearer ${key}`, "content-length": length } });

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

test("of an organization 16 are in flight and 8 wait, Sandbox and Live together; the next one is refused, those are not", async () => {
  const process = await startProcess();
  const { sandboxKey, liveKey } = await testProject(database);
  const other = await testProject(database);
  const held = await holdMany(24, process, sandboxKey, liveKey);
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

test("the limit comes after authentication and before routing; openapi.json is apart", async () => {
  const process = await startProcess();
  const { slug, sandboxKey } = await testProject(database);
  const held = await holdMany(24, process, sandboxKey);
  const status = async (path: string, key?: string) => (await process.api.get(path, key)).status;
  expect(await status("/v1/nothing", sandboxKey)).toBe(429);
  expect(await status("/v1/nothing")).toBe(401);
  expect(await status("/v1/openapi.json", sandboxKey)).toBe(200);
  expect(await status("/", sandboxKey)).toBe(404);
  await archiveProject(database, slug);
  expect(await status("/v1/nothing", sandboxKey)).toBe(404);
  for (const one of held) one.goAway();
});

test("who waits has their turn in the order they came", async () => {
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
  await revokeApiKey(database, sandbox, "test");
  waiting.finish();
  await finish(held);
  expect(await waiting.status).toBe(401);
});

test("a client that goes away while it waits leaves the queue at once, and what it wanted is never done", async () => {
  const process = await startProcess();
  const { sandbox, sandboxKey } = await testProject(database);
  const inFlight = await holdMany(16, process, sandboxKey);
  const gone = await hold(process, sandboxKey, "gone");
  const waiting = await holdMany(7, process, sandboxKey);
  gone.finish();
  gone.goAway();
  await expect(process.asked.results[16]!.value).rejects.toBeInstanceOf(Aborted);
  waiting.push(await hold(process, sandboxKey));
  expect((await read(process, sandboxKey)).status).toBe(429);
  await finish([...inFlight, ...waiting]);
  const players = await database.sql`select external_id as name from players where environment_id = ${sandbox.id}`;
  expect([...players]).toEqual([{ name: "held" }]);
});

test("a client that goes away while its request is in flight gives its place back", async () => {
  const process = await startProcess();
  const { sandboxKey } = await testProject(database);
  const inFlight = await holdMany(16, process, sandboxKey);
  const waiting = await hold(process, sandboxKey);
  inFlight[3]!.goAway();
  await process.asked.results[16]!.value;
  await finish([waiting]);
  for (const one of inFlight) one.goAway();
});

test("whatever comes of a request, its place is free again", async () => {
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

test("processes on one database share the limit out: each of two takes half, and all of it when the other one stops", async () => {
  const one = await startProcess();
  const other = await startProcess();
  await one.presence.beat();
  const { sandboxKey } = await testProject(database);
  const held = await Promise.all([holdMany(12, one, sandboxKey), holdMany(12, other, sandboxKey)]);
  for (const process of [one, other]) expect((await read(process, sandboxKey)).status).toBe(429);
  await other.presence.stop();
  await one.presence.beat();
  held.push(await holdMany(12, one, sandboxKey));
  expect((await read(one, sandboxKey)).status).toBe(429);
  await finish(held.flat());
});

test("a process that dies without a word is out once its last sign of life is three seconds old", async () => {
  const one = await startProcess();
  await startProcess();
  await one.presence.beat();
  const { sandboxKey } = await testProject(database);
  const held = await holdMany(12, one, sandboxKey);
  expect((await read(one, sandboxKey)).status).toBe(429);
  await database.sql`update processes set beat_at = beat_at - interval '3 seconds'`;
  await one.presence.beat();
  held.push(...(await holdMany(12, one, sandboxKey)));
  expect((await read(one, sandboxKey)).status).toBe(429);
  await finish(held);
});

const beats = () => database.sql<{ beat: number }[]>`select (extract(epoch from beat_at) * 1000)::bigint as beat from processes`;

test("a process that is started beats by itself until it is stopped", async () => {
  const presence = new Presence(database);
  await presence.start();
  const [first] = await beats();
  await until(async () => (await beats())[0]!.beat > first!.beat);
  await presence.stop();
  await presence.beat();
  expect(await beats()).toHaveLength(0);
});

test("a process that nobody starts beats with its requests", async () => {
  const api = await testApi(database);
  const { sandboxKey } = await testProject(database);
  expect(await beats()).toHaveLength(0);
  await api.get("/v1/points?PlayerId=ann", sandboxKey);
  await until(async () => (await beats()).length === 1);
});

test("a 429 to a Sandbox whose clock was moved carries its time, as every answer does", async () => {
  const process = await startProcess();
  const { sandbox, sandboxKey, liveKey } = await testProject(database);
  await moveClock(database, sandbox, "P1Y");
  const held = await holdMany(24, process, sandboxKey);
  const refused = async (key: string) => (await read(process, key)).headers["x-sandbox-time"];
  expect(Date.parse((await refused(sandboxKey)) as string)).toBeGreaterThan(Date.now() + 300 * 86_400_000);
  expect(await refused(liveKey)).toBeUndefined();
  for (const one of held) one.goAway();
});
