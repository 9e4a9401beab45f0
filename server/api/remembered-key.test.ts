import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { revokeKeys, testDatabase, testDatabaseUrl, testProject } from "../../db/testing.ts";
import { importDefinitions } from "../authoring/definitions/service/import.ts";
import { loadEnvironment } from "../engine/environment.ts";
import type { Environment } from "../model/kernel/environment.ts";
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

/** A project with an event, whose key the process knows. */
async function knownProject(event: object = {}) {
  const { slug, sandbox, sandboxKey: key } = await testProject(database);
  const define = async (changed: object) =>
    expect(
      await importDefinitions(database, sandbox, { version: 1, events: [{ key: "order", name: "Order", ...changed }] }),
    ).not.toHaveProperty("problems");
  await define(event);
  const send = (item: object = {}) =>
    api.post("/v1/events", { events: [{ playerId: "ann", event: "order", occurredAt: new Date().toISOString(), ...item }] }, key);
  expect((await send({ playerId: "first" })).json).toMatchObject({ accepted: 1 });
  asked.length = 0;
  const sendMalformed = () => api.post("/v1/events", { events: "none" }, key);
  return { slug, sandbox, define, send, sendMalformed, current: async () => (await loadEnvironment(sql, sandbox.id))! };
}

const eventsOf = async ({ id }: Environment) =>
  sql<{ receivedAt: number; player: string }[]>`
    select e.received_at, p.external_id as player from events e join players p on p.part = e.part and p.player_id = e.player_id
    where e.environment_id = ${id} and p.external_id <> 'first' order by e.seq`.execute();

test("an event by a known key is one statement: it confirms the key, and the event is received by the database's clock", async () => {
  const { send, sandbox } = await knownProject();
  const [before] = await sql<{ now: number }[]>`select clock_timestamp() as now`;
  expect((await send()).json).toMatchObject({ accepted: 1, rejected: 0 });
  const [after] = await sql<{ now: number }[]>`select clock_timestamp() as now`;
  expect(asked).toEqual(["append"]);
  const [event] = await eventsOf(sandbox);
  expect(event!.receivedAt).toBeGreaterThanOrEqual(Math.floor(before!.now));
  expect(event!.receivedAt).toBeLessThanOrEqual(after!.now);
});

test("the service refuses an event or a malformed body only after checking the key in the database", async () => {
  const { slug, send, sendMalformed, sandbox } = await knownProject();
  expect((await send({ event: "none" })).json).toMatchObject({ rejected: 1, results: [{ errors: [{ code: "event.not_found" }] }] });
  expect((await sendMalformed()).status).toBe(400);
  expect(asked).toEqual(["key", "key"]);
  await revokeKeys(database, { ...sandbox, projectSlug: slug }, "test");
  expect((await send({ event: "none" })).status).toBe(401);
  expect((await sendMalformed()).status).toBe(401);
});

/** Changes that the database alone knows of, and the answer to the next event. */
const CHANGES: [string, (project: Awaited<ReturnType<typeof knownProject>>) => Promise<unknown>, number, object][] = [
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
    }
  },
);

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
