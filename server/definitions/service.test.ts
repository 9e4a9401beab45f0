import { beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase, type Sql } from "../../db/client.ts";
import { testDatabase, testDatabaseUrl, testProject } from "../../db/testing.ts";
import type { Environment } from "../kernel/environment.ts";
import { parseJson, writeJson } from "../kernel/json.ts";
import { loadEnvironment } from "../projects/service.ts";
import { definitionsOf, editInstants, exportDefinitions, importDefinitions } from "./service.ts";
import { EVENTS, fileOf, mission, withMission, withMissions } from "./testing.ts";

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});

const reloaded = async ({ id }: Environment): Promise<Environment> => (await loadEnvironment(database.sql, id))!;
const versionOf = async (environment: Environment): Promise<number> => (await reloaded(environment)).definitionsVersion;
const rowsOf = ({ id }: Environment) =>
  database.sql<
    { kind: string; key: string; createdAt: Date }[]
  >`select kind, key, created_at as "createdAt" from definitions where environment_id = ${id} order by id`;

async function changesOf(environment: Environment, document: unknown, options?: Parameters<typeof importDefinitions>[3]): Promise<number> {
  const result = await importDefinitions(database, environment, document, options);
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.changes.length;
}

describe("an import", () => {
  it("writes everything and raises the version; again, it changes nothing", async () => {
    const { sandbox } = await testProject(database);
    expect(await changesOf(sandbox, withMission())).toBe(7);
    expect(await versionOf(sandbox)).toBe(1);
    expect(await changesOf(sandbox, withMission())).toBe(0);
    expect(await versionOf(sandbox)).toBe(1);
    expect((await rowsOf(sandbox)).map(({ key }) => key)).toEqual([
      "order_placed",
      "order_returned",
      "coffee",
      "badge",
      "colours",
      "valid_until",
      "m",
    ]);
  });

  it("with a problem writes nothing at all", async () => {
    const { sandbox } = await testProject(database);
    const result = await importDefinitions(database, sandbox, fileOf({ events: EVENTS, missions: [mission({ rewards: [] })] }));
    expect(result).toEqual({ problems: [{ pointer: "/missions/0/rewards", message: "must have at least one entry" }] });
    expect(await rowsOf(sandbox)).toEqual([]);
    expect(await versionOf(sandbox)).toBe(0);
  });

  it("dry run tells the difference and writes nothing", async () => {
    const { sandbox } = await testProject(database);
    expect(await changesOf(sandbox, withMission(), { dryRun: true })).toBe(7);
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

describe("two imports at once", () => {
  it("leave one set of definitions, with each counted once", async () => {
    const { sandbox } = await testProject(database);
    const counts = await Promise.all(Array.from({ length: 6 }, () => changesOf(sandbox, withMission())));
    expect(counts.sort()).toEqual([0, 0, 0, 0, 0, 7]);
    expect(await versionOf(sandbox)).toBe(1);
    expect(await rowsOf(sandbox)).toHaveLength(7);
  });

  it("cannot together make what neither may make", async () => {
    const { sandbox } = await testProject(database);
    await changesOf(sandbox, fileOf({ events: EVENTS }));
    const results = await Promise.all([
      importDefinitions(database, sandbox, fileOf({ missions: [mission()] })),
      importDefinitions(database, sandbox, fileOf({ events: [{ ...EVENTS[0], active: false }] })),
    ]);
    expect(results.filter((result) => "problems" in result)).toHaveLength(1);
  });
});

it("keeps every digit through the database, and gives back the same bytes", async () => {
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
  /** The same pool, telling how often it was asked. */
  function counting(sql: Sql): { sql: Sql; asked: () => number } {
    let asked = 0;
    const proxy = new Proxy(sql, { apply: (target, self, args) => (asked++, Reflect.apply(target as never, self, args)) });
    return { sql: proxy, asked: () => asked };
  }

  it("are loaded once for each version, also by many at once", async () => {
    const { sandbox } = await testProject(database);
    await changesOf(sandbox, withMission());
    const first = await reloaded(sandbox);
    const { sql, asked } = counting(database.sql);
    const all = await Promise.all(Array.from({ length: 10 }, () => definitionsOf(sql, first)));
    expect(new Set(all).size).toBe(1);
    expect(await definitionsOf(sql, first)).toBe(all[0]);
    expect(asked()).toBe(1);
    await changesOf(sandbox, withMissions(mission({ name: "Renamed" })));
    const renamed = await definitionsOf(sql, await reloaded(sandbox));
    expect(renamed.missions[0]?.name).toEqual({ default: "en", texts: { en: "Renamed" } });
    expect(asked()).toBe(2);
  });

  it("are loaded by the next where the first could not", async () => {
    const { sandbox } = await testProject(database);
    await changesOf(sandbox, withMission());
    const environment = await reloaded(sandbox);
    const closed = openDatabase(await testDatabaseUrl());
    await closed.close();
    const [failed, loaded] = await Promise.allSettled([definitionsOf(closed.sql, environment), definitionsOf(database.sql, environment)]);
    expect(failed.status).toBe("rejected");
    expect(loaded).toMatchObject({ status: "fulfilled", value: { missions: [{ key: "m" }] } });
  });
});
