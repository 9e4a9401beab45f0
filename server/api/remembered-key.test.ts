import { afterAll, expect, test, vi } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { revokeKeys, testDatabase, testDatabaseUrl, testProject } from "../../db/testing.ts";
import { importDefinitions } from "../authoring/definitions/service/import.ts";
import { loadEnvironment } from "../engine/environment.ts";
import type { Environment } from "../model/kernel/environment.ts";
import { formatInstant } from "../model/kernel/time.ts";
import { moveClock } from "../operations/sandbox/move-clock.ts";
import { resetSandbox } from "../operations/sandbox/reset.ts";
import { archiveProject } from "../people/projects/projects.ts";
import { testApi } from "./testing/calls.ts";

const database = await testDatabase();
const { sql } = database;
const served = openDatabase(await testDatabaseUrl());
afterAll(() => served.close());

/** What the service asks the database, in order: for a key, or to append. */
const asked: ("key" | "append")[] = [];
/** Called once, before the next append. */
let beforeAppend: (() => Promise<unknown>) | null = null;
const watched = {
  ...served,
  sql: new Proxy(served.sql, {
    apply(target, _, of: [TemplateStringsArray, ...unknown[]]) {
      const text = Array.isArray(of[0]) ? of[0].join("") : "";
      const run = () => (target as (...of: unknown[]) => unknown)(...of);
      if (text.includes("k.hash = any")) asked.push("key");
      if (!text.includes("with locked as")) return run();
      asked.push("append");
      const before = beforeAppend;
      beforeAppend = null;
      return before === null ? run() : before().then(run);
    },
  }),
};
const api = await testApi(watched);

/** A project with an event and a metric, whose key the process knows. */
async function knownProject() {
  const { slug, sandbox, sandboxKey: key } = await testProject(database);
  const define = async (changed: object = {}) => {
    const events = [{ key: "order", name: "Order", ...changed }];
    const metrics = [{ key: "distance", name: "Distance", kind: "Number", ...changed }];
    expect(await importDefinitions(database, sandbox, { version: 1, events, metrics })).not.toHaveProperty("problems");
  };
  await define();
  const send = (item: object = {}) =>
    api.post("/v1/events", { events: [{ playerId: "ann", event: "order", occurredAt: new Date().toISOString(), ...item }] }, key);
  const add = (item: object = {}) =>
    api.post(
      "/v1/metric-events",
      { externalPlayerId: "ann", metricKey: "distance", value: 2, occurredAtUtc: new Date().toISOString(), ...item },
      key,
    );
  expect((await send({ playerId: "first" })).json).toMatchObject({ accepted: 1 });
  asked.length = 0;
  const sendMalformed = () => api.post("/v1/events", { events: "none" }, key);
  return { slug, sandbox, define, send, add, sendMalformed, current: async () => (await loadEnvironment(sql, sandbox.id))! };
}

const eventsOf = async ({ id }: Environment) =>
  sql<{ receivedAt: number; player: string }[]>`
    select e.received_at, p.external_id as player
    from (select part, player_id, environment_id, seq, received_at from events
      union all select part, player_id, environment_id, seq, received_at from metric_events) e
    join players p on p.part = e.part and p.player_id = e.player_id
    where e.environment_id = ${id} and p.external_id <> 'first' order by e.seq`.execute();

/** The requests that are received with a known key in one statement. */
const RECEIVED = ["send", "add"] as const;

test.each(RECEIVED)("%s: by a known key is one statement, which confirms the key and receives by the database's clock", async (what) => {
  const { [what]: receive, sandbox } = await knownProject();
  const [before] = await sql<{ now: number }[]>`select clock_timestamp() as now`;
  const { status, json } = await receive();
  expect([status, json]).toMatchObject([200, what === "send" ? { accepted: 1, rejected: 0 } : { total: 2 }]);
  const [after] = await sql<{ now: number }[]>`select clock_timestamp() as now`;
  expect(asked).toEqual(["append"]);
  const [event] = await eventsOf(sandbox);
  expect(event!.receivedAt).toBeGreaterThanOrEqual(Math.floor(before!.now));
  expect(event!.receivedAt).toBeLessThanOrEqual(after!.now);
  if (what === "add") expect(json).toMatchObject({ receivedAtUtc: formatInstant(event!.receivedAt) });
});

test("a metric event that is sent again by a known key is answered with the first one, but not by a revoked key", async () => {
  const { slug, add, sandbox } = await knownProject();
  const first = await add({ idempotencyKey: "k" });
  const again = () => add({ idempotencyKey: "k", value: 5 });
  // A new event with this currency would be refused, so the replay is answered without an append.
  const refused = () => add({ idempotencyKey: "k", currencyCode: "EUR" });
  expect(await again()).toMatchObject({ status: 200, json: first.json });
  expect(asked).toEqual(["append", "append"]);
  expect(await refused()).toMatchObject({ status: 200, json: first.json });
  expect(await eventsOf(sandbox)).toHaveLength(1);
  await revokeKeys(database, { ...sandbox, projectSlug: slug }, "test");
  expect((await refused()).status).toBe(401);
  expect((await again()).status).toBe(401);
});

test("the service refuses an event or a malformed body only after checking the key in the database", async () => {
  const { slug, send, add, sendMalformed, sandbox } = await knownProject();
  expect((await send({ event: "none" })).json).toMatchObject({ rejected: 1, results: [{ errors: [{ code: "event.not_found" }] }] });
  expect((await add({ metricKey: "none" })).json).toMatchObject({ code: "metric.not_found" });
  expect((await sendMalformed()).status).toBe(400);
  expect(asked).toEqual(["key", "key", "key"]);
  await revokeKeys(database, { ...sandbox, projectSlug: slug }, "test");
  expect((await send({ event: "none" })).status).toBe(401);
  expect((await add({ metricKey: "none" })).status).toBe(401);
  expect((await sendMalformed()).status).toBe(401);
});

type Change = (project: Awaited<ReturnType<typeof knownProject>>) => Promise<unknown>;

/** Changes that the database alone knows of, and the answer to the next event. */
const CHANGES: [string, Change, number, object][] = [
  ["its key is revoked", ({ slug, sandbox }) => revokeKeys(database, { ...sandbox, projectSlug: slug }, "test"), 401, {}],
  ["its project is archived", ({ slug }) => archiveProject(database, slug), 404, { code: "project_environment.not_found" }],
  ["its event is switched off", ({ define }) => define({ active: false }), 200, { results: [{ errors: [{ code: "event.inactive" }] }] }],
];

test.each(CHANGES)(
  "where %s, nothing is accepted by what the process remembers, also between judging and writing",
  async (_, change, status, body) => {
    for (const when of ["before the request", "before its statement"]) {
      const project = await knownProject();
      if (when === "before the request") await change(project);
      else beforeAppend = () => change(project);
      const reply = await project.send();
      expect([reply.status, reply.json]).toMatchObject([status, body]);
      expect(asked).toEqual(["append", "key"]);
      expect(await eventsOf(project.sandbox)).toEqual([]);
      if (when === "before its statement") beforeAppend = () => change(project);
      expect((await project.add()).status).toBeGreaterThanOrEqual(400);
      expect(await eventsOf(project.sandbox)).toEqual([]);
    }
  },
);

/** Changes after which the next event is received as before, under what the database knows. */
const MOVES: [string, Change][] = [
  [
    "its project is another organization's",
    async ({ slug }) => {
      const { slug: other } = await testProject(database);
      await sql`update projects set organization_id = (select organization_id from projects where slug = ${other}) where slug = ${slug}`;
    },
  ],
  [
    "its bodies are not kept any more",
    ({ sandbox }) => sql`update environments set keeps_bodies = false where id = ${sandbox.id}`.execute(),
  ],
  [
    "the process's clock went wrong",
    async () => {
      const now = performance.now.bind(performance);
      vi.spyOn(performance, "now").mockImplementation(() => now() + 11_000);
    },
  ],
];

test.each(MOVES)("where %s, the key is asked for again before anything is received", async (_, change) => {
  for (const what of RECEIVED) {
    const project = await knownProject();
    await change(project);
    try {
      expect((await project[what]()).status).toBe(200);
      expect(asked).toEqual(["append", "key", "append"]);
      asked.length = 0;
      expect((await project[what]()).status).toBe(200);
      expect(asked).toEqual(["append"]);
    } finally {
      vi.restoreAllMocks();
    }
    const events = await eventsOf(project.sandbox);
    expect(events).toHaveLength(2);
    for (const { receivedAt } of events) expect(Math.abs(receivedAt - Date.now())).toBeLessThan(10_000);
  }
});

test("after the Sandbox's clock has moved, an event is received at the new time; after a reset, its player is created again", async () => {
  const { send, sandbox, current } = await knownProject();
  await moveClock(database, await current(), "P3D");
  const reply = await send();
  expect(reply.json).toMatchObject({ accepted: 1 });
  const [event] = await eventsOf(sandbox);
  expect(event!.receivedAt).toBeGreaterThan(Date.now() + 2 * 86_400_000);
  expect(Date.parse(String(reply.headers["x-sandbox-time"]))).toBeGreaterThan(Date.now() + 2 * 86_400_000);
  await resetSandbox(database, await current());
  expect((await send()).json).toMatchObject({ accepted: 1 });
  expect(await eventsOf(sandbox)).toMatchObject([{ player: "ann" }]);
});

test("of events that arrive together each is answered for itself: one that is refused holds up none, and a replay counts once", async () => {
  const { send, sandbox } = await knownProject();
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, at) => send(at === 5 ? { event: "none" } : { playerId: `p${at % 6}`, idempotencyKey: `k${at % 6}` })),
  );
  const results = replies.map(({ json }) => (json as { results: { accepted: boolean; eventId: string | null }[] }).results[0]!);
  expect(results.map(({ accepted }) => accepted)).toEqual(results.map((_, at) => at !== 5));
  for (const at of [0, 1, 2, 3, 4]) expect(results[at + 6]!.eventId).toBe(results[at]!.eventId);
  expect(await eventsOf(sandbox)).toHaveLength(6);
});
