import { beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase, type Sql } from "#db/client.ts";
import { testDatabase, testDatabaseUrl, testProject } from "#db/testing.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { parseJson, writeJson } from "../../model/kernel/json.ts";
import { ingest } from "../../game/events/service.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { checkIntegrity } from "../../operations/integrity/check.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import {
  ATTRIBUTES,
  EVENTS,
  fileOf,
  ITEMS,
  mission,
  order,
  points,
  withMission,
  withMissions,
} from "../../model/definitions/testing/in-memory.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { definitionsOf, editInstants } from "../../engine/definitions.ts";
import { exportDefinitions, importDefinitions } from "./service/import.ts";

/** The keys that `withMission` defines, in its order. */
const DEFINED = [...EVENTS.map(({ key }) => key), ...ATTRIBUTES.map(({ key }) => key), ...ITEMS.map(({ key }) => key), "m"];

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});

const segment = (key: string, rule: object) => ({ key, name: key, rule });

const reloaded = async ({ id }: Environment): Promise<Environment> => (await loadEnvironment(database.sql, id))!;
const versionOf = async (environment: Environment): Promise<number> => (await reloaded(environment)).definitionsVersion;
const rowsOf = ({ id }: Environment) =>
  database.sql<
    { kind: string; key: string; createdAt: number }[]
  >`select kind, key, created_at from definitions where environment_id = ${id} order by id`;

async function changesOf(environment: Environment, document: unknown, options?: Parameters<typeof importDefinitions>[3]): Promise<number> {
  const result = await importDefinitions(database, environment, document, options);
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.changes.length;
}

describe("an import", () => {
  it("writes everything and raises the version; again, it changes nothing", async () => {
    const { sandbox } = await testProject(database);
    expect(await changesOf(sandbox, withMission())).toBe(DEFINED.length);
    expect(await versionOf(sandbox)).toBe(1);
    expect(await changesOf(sandbox, withMission())).toBe(0);
    expect(await versionOf(sandbox)).toBe(1);
    expect((await rowsOf(sandbox)).map(({ key }) => key)).toEqual(DEFINED);
  });

  it("with a problem writes nothing at all", async () => {
    const { sandbox } = await testProject(database);
    const result = await importDefinitions(database, sandbox, fileOf({ events: EVENTS, missions: [mission({ rewards: [] })] }));
    expect(result).toEqual({
      problems: [{ pointer: "/missions/0/rewards", message: "must have at least one entry", code: "shape.entries_least", params: {} }],
    });
    expect(await rowsOf(sandbox)).toEqual([]);
    expect(await versionOf(sandbox)).toBe(0);
  });

  it("a dry run shows the difference and writes nothing", async () => {
    const { sandbox } = await testProject(database);
    expect(await changesOf(sandbox, withMission(), { dryRun: true })).toBe(DEFINED.length);
    expect(await rowsOf(sandbox)).toEqual([]);
    expect(await versionOf(sandbox)).toBe(0);
  });

  it("reaches its own environment and no other", async () => {
    const { sandbox, live } = await testProject(database);
    await changesOf(sandbox, withMission());
    expect(await rowsOf(live)).toEqual([]);
    expect((await definitionsOf(database.sql, await reloaded(live))).missions).toEqual([]);
  });

  it("creates on the environment's clock", async () => {
    const { sandbox } = await testProject(database);
    const ahead = 400 * 24 * 60 * 60 * 1000;
    await database.sql`update environments set clock_offset_ms = ${ahead} where id = ${sandbox.id}`;
    const before = Date.now() + ahead;
    await changesOf(sandbox, withMission());
    const { missions } = await definitionsOf(database.sql, await reloaded(sandbox));
    expect(missions[0]?.createdAt).toBeGreaterThanOrEqual(before - 60_000);
    expect([...(await editInstants(database.sql, sandbox.id, "missions"))]).toEqual([[missions[0]?.id, missions[0]?.createdAt]]);
  });

  it("judges the start of a window by the environment's clock, not by that of its caller", async () => {
    const { sandbox } = await testProject(database);
    const startsAt = new Date(Date.now() + 60 * 60 * 1000).toISOString();
    await changesOf(sandbox, withMission({ window: { startsAt } }));
    await database.sql`update environments set clock_offset_ms = ${2 * 60 * 60 * 1000} where id = ${sandbox.id}`;
    const result = await importDefinitions(database, sandbox, withMission());
    expect(result).toMatchObject({ problems: [{ pointer: "/missions/0/window/startsAt" }] });
  });
});

describe("two concurrent imports", () => {
  it("leave one set of definitions, each counted once", async () => {
    const { sandbox } = await testProject(database);
    const counts = await Promise.all(Array.from({ length: 6 }, () => changesOf(sandbox, withMission())));
    expect(counts.sort()).toEqual([0, 0, 0, 0, 0, DEFINED.length]);
    expect(await versionOf(sandbox)).toBe(1);
    expect(await rowsOf(sandbox)).toHaveLength(DEFINED.length);
  });

  it("cannot together create a conflict that neither may create alone", async () => {
    const { sandbox } = await testProject(database);
    await changesOf(sandbox, fileOf({ events: EVENTS }));
    const results = await Promise.all([
      importDefinitions(database, sandbox, fileOf({ missions: [mission()] })),
      importDefinitions(database, sandbox, fileOf({ events: [{ ...EVENTS[0], active: false }] })),
    ]);
    expect(results.filter((result) => "problems" in result)).toHaveLength(1);
  });

  it("that define a thing differently keep one version and refuse the other", async () => {
    const { sandbox } = await testProject(database);
    const files = ["String", "Number"].map((type) =>
      fileOf({
        attributes: [{ key: "a", name: type, type }],
        segments: [segment("s", { attribute: "a", operator: "EqualTo", value: type === "Number" ? 5 : "x" })],
      }),
    );
    const results = await Promise.all(files.map((file) => importDefinitions(database, sandbox, file)));
    expect(results.filter((result) => "problems" in result)).toMatchObject([
      { problems: [{ pointer: "/attributes/0/type", message: expect.stringContaining("cannot change") }] },
    ]);
    const kept = files[results.findIndex((result) => "changes" in result)];
    expect(await changesOf(sandbox, kept)).toBe(0);
  });

  it("cannot together create a cycle of segments", async () => {
    const { sandbox } = await testProject(database);
    const rich = { points: "Balance", operator: "GreaterThan", value: 5 };
    const ring = ["a", "b", "c", "d"];
    await changesOf(sandbox, fileOf({ segments: ring.map((key) => segment(key, rich)) }));
    const results = await Promise.all(
      ring.map((key, at) => importDefinitions(database, sandbox, fileOf({ segments: [segment(key, { segment: ring[(at + 1) % 4] })] }))),
    );
    expect(results.filter((result) => "problems" in result)).toHaveLength(1);
    expect((await definitionsOf(database.sql, await reloaded(sandbox))).missions).toEqual([]);
  });

  it("leave the results of both when both succeed", async () => {
    const { sandbox, live } = await testProject(database);
    const files = Array.from({ length: 5 }, (_, at) => withMissions(mission({ key: `m${at}`, name: `Mission ${at}` })));
    await Promise.all(files.map((file) => importDefinitions(database, sandbox, file)));
    for (const file of files) expect(await changesOf(sandbox, file)).toBe(0);
    expect(await rowsOf(sandbox)).toHaveLength(DEFINED.length + 4);
    const exported = JSON.stringify(await exportDefinitions(database, sandbox));
    await changesOf(live, parseJson(exported));
    expect(JSON.stringify(await exportDefinitions(database, live))).toBe(exported);
  });
});

it("while events stream in, imports change later rewards and nothing is lost", async () => {
  const { sandbox } = await testProject(database);
  const file = (amount: number, audience: object) =>
    withMissions(
      mission({ key: "five", objectives: [{ ...order, target: 5 }], rewards: points(amount), audience }),
      mission({ key: `of_${amount}`, objectives: [{ ...order, target: 2 }], rewards: points(1) }),
    );
  await changesOf(sandbox, file(10, { rule: null }));
  const players = Array.from({ length: 20 }, (_, at) => `player-${at}`);
  const read = async (externalId: string) =>
    readMissions(database, await reloaded(sandbox), Date.now(), { externalId, take: null, includeCompleted: true, language: null });
  await Promise.all(players.map(read));
  const send = async () => {
    const items = players.map((playerId) => ({
      playerId,
      event: "order_placed",
      occurredAt: new Date().toISOString(),
      properties: { amount: 1 },
    }));
    await ingest(database, await reloaded(sandbox), { items, mayHoldBadText: false, now: Date.now() });
    await drainFacts(database, sandbox.id);
  };
  const history = { rule: { event: "order_placed", operator: "LessThan", value: 3, lastDays: 7 } };
  await Promise.all([
    (async () => {
      for (let round = 0; round < 6; round++) await send();
    })(),
    (async () => {
      for (const amount of [20, 30, 20, 10]) await changesOf(sandbox, file(amount, amount === 30 ? history : { rule: null }));
    })(),
  ]);
  await drainFacts(database, sandbox.id);
  for (const player of players) {
    const missions = await read(player);
    expect(missions.find(({ missionKey }) => missionKey === "five")).toMatchObject({
      status: "Completed",
      objectives: [{ progress: { actual: { value: 5 } } }],
    });
  }
  expect(await checkIntegrity(database, await reloaded(sandbox))).toEqual([]);
});

it("keeps every digit in the database, and returns the same bytes", async () => {
  const { sandbox, live } = await testProject(database);
  const document = parseJson(
    writeJson(withMission({ name: "“Ünïcode” 😀" })).replace('"target":1', '"target":12345678901234567890.12345678'),
  );
  await changesOf(sandbox, document);
  const exported = await exportDefinitions(database, sandbox);
  const text = JSON.stringify(exported, null, 2);
  expect(text).toContain('"target": 12345678901234567890.12345678');
  await changesOf(live, parseJson(text));
  expect(JSON.stringify(await exportDefinitions(database, live), null, 2)).toBe(text);
  expect(await changesOf(sandbox, document)).toBe(0);
});

describe("compiled definitions", () => {
  /** The database, with the number of its queries. */
  function counting(sql: Sql): { sql: Sql; asked: () => number } {
    let asked = 0;
    const proxy = new Proxy(sql, { apply: (target, self, args) => (asked++, Reflect.apply(target as never, self, args)) });
    return { sql: proxy, asked: () => asked };
  }

  /** Caches are keyed by project, so calls with this environment find nothing cached, like another process. */
  const elsewhere = async (environment: Environment): Promise<Environment> => ({
    ...(await reloaded(environment)),
    projectId: `elsewhere ${environment.projectId}`,
  });

  it("are loaded once for each version, even by concurrent callers", async () => {
    const { sandbox } = await testProject(database);
    await changesOf(sandbox, withMission());
    const first = await elsewhere(sandbox);
    const { sql, asked } = counting(database.sql);
    const all = await Promise.all(Array.from({ length: 10 }, () => definitionsOf(sql, first)));
    expect(new Set(all).size).toBe(1);
    expect(await definitionsOf(sql, first)).toBe(all[0]);
    // The definitions, the boards' past zones, and when funnels began.
    expect(asked()).toBe(3);
    await changesOf(sandbox, withMissions(mission({ name: "Renamed" })));
    const renamed = await definitionsOf(sql, await elsewhere(sandbox));
    expect(renamed.missions[0]?.name).toEqual({ default: "en", texts: { en: "Renamed" } });
    expect(asked()).toBe(6);
  });

  it("are loaded by the next caller if the first failed", async () => {
    const { sandbox } = await testProject(database);
    await changesOf(sandbox, withMission());
    const environment = await elsewhere(sandbox);
    const closed = openDatabase(await testDatabaseUrl());
    await closed.close();
    const [failed, loaded] = await Promise.allSettled([definitionsOf(closed.sql, environment), definitionsOf(database.sql, environment)]);
    expect(failed.status).toBe("rejected");
    expect(loaded).toMatchObject({ status: "fulfilled", value: { missions: [{ key: "m" }] } });
  });
});
