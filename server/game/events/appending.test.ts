import { expect, test } from "vitest";
import { testDatabase, testProject } from "../../../db/testing.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { playerKey } from "../../model/players/identity.ts";
import { ingest } from "./service.ts";
import { appender } from "./store.ts";

const database = await testDatabase();
const { sql } = database;

async function projectWithOrders() {
  const { live } = await testProject(database);
  expect(await importDefinitions(database, live, { version: 1, events: [{ key: "order", name: "Order" }] })).not.toHaveProperty("problems");
  return (await loadEnvironment(sql, live.id))!;
}

test("requests that arrive together share a commit; each has its own answer and instant, and a replayed key among them is one event", async () => {
  const environment = await projectWithOrders();
  const now = Date.now();
  const send = (at: number) => {
    const sound = { playerId: `p${at % 20}`, event: "order", occurredAt: new Date().toISOString(), idempotencyKey: `k${at % 20}` };
    return ingest(database, environment, { items: [at === 7 ? { ...sound, event: "none" } : sound], mayHoldBadText: false, now: now + at });
  };
  const answers = (await Promise.all(Array.from({ length: 40 }, (_, at) => send(at)))).map(([item]) => item!);
  expect(answers.map(({ accepted }) => accepted)).toEqual(answers.map((_, at) => at !== 7));
  expect(answers[7]!.errors.map(({ code }) => code)).toEqual(["event.not_found"]);
  for (let at = 0; at < 20; at++) if (at !== 7) expect(answers[at + 20]!.eventId).toBe(answers[at]!.eventId);
  const [row] = await sql<{ events: number; players: number; queued: number; commits: number; instants: number[] }[]>`
    select count(*)::int as events, count(distinct xmin::text)::int as commits,
      array_agg((extract(epoch from received_at) * 1000)::bigint order by seq) as instants,
      (select count(*)::int from players where environment_id = ${environment.id}) as players,
      (select count(*)::int from queued_facts where environment_id = ${environment.id}) as queued
    from events where environment_id = ${environment.id}`;
  expect(row).toMatchObject({ events: 20, players: 20, queued: 20 });
  expect(new Set(row!.instants).size).toBe(20);
  expect(row!.commits).toBeLessThan(10);
});

test("a request that the database refuses fails alone, not the ones that share its statement", async () => {
  const environment = await projectWithOrders();
  const append = appender(sql);
  const rowOf = (name: string, occurredAt: number) => {
    const { part, playerId } = playerKey(environment.id, name);
    return {
      environment,
      isQuiet: false,
      recorded: 0,
      count: 1,
      receivedAt: Date.now(),
      newPlayers: [{ part, playerId, externalId: name }],
      rows: JSON.stringify({ p: part, u: playerId, i: crypto.randomUUID(), d: 1, o: occurredAt, r: Date.now() / 1000, x: {} }),
    };
  };
  const written = await Promise.allSettled([append(rowOf("one", 0)), append(rowOf("two", 1e300)), append(rowOf("three", 0))]);
  expect(written.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const players = await sql<{ name: string }[]>`
    select external_id as name from players where environment_id = ${environment.id} order by created_at, external_id`;
  expect(players.map(({ name }) => name)).toEqual(["one", "three"]);
});
