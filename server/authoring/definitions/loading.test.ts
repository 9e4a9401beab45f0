import { expect, test } from "vitest";
import { saveDefinition } from "./service/saving.ts";
import { openDatabase } from "#db/client.ts";
import { testDatabase, testDatabaseUrl, testProject } from "#db/testing.ts";
import { compiledDefinitions, definitionsOf } from "../../engine/definitions.ts";
import { overviewIn, overviews } from "./service/overviews.ts";
import { VersionCache } from "../../engine/version-cache.ts";
import { EVENTS, fileOf, mission } from "../../model/definitions/testing/in-memory.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { importDefinitions } from "./service/import.ts";

test("a transaction never waits for definitions whose load waits for a free connection", async () => {
  const { sandbox } = await testProject(await testDatabase());
  const pool = openDatabase(await testDatabaseUrl(), { connections: 1 });
  let waiting: Promise<unknown> = Promise.resolve();
  const version = await pool.sql.begin(async (tx) => {
    waiting = definitionsOf(pool.sql, sandbox);
    return (await definitionsOf(tx, sandbox)).version;
  });
  expect(version).toBe(sandbox.definitionsVersion);
  await waiting;
  await pool.close();
});

test("one version per environment is cached, and a cached one is not compiled again", async () => {
  const database = await testDatabase();
  const { sandbox } = await testProject(database);
  const missions = Array.from({ length: 200 }, (_, at) => mission({ key: `m${at}`, description: "x".repeat(2_000) }));
  const before = [compiledDefinitions.bytes, overviews.bytes];
  await importDefinitions(database, sandbox, fileOf({ events: EVENTS, missions }));
  const current = async () => (await loadEnvironment(database.sql, sandbox.id))!;
  const first = await current();
  const [held, shown] = [await definitionsOf(database.sql, first), await overviewIn(database, first)];
  const one = [compiledDefinitions.bytes, overviews.bytes].map((bytes, at) => bytes - before[at]!);
  expect(Math.min(...one)).toBeGreaterThan(400_000);
  for (let version = 0; version < 30; version++) {
    const document = JSON.stringify(mission({ key: "m0", description: `${version}` }));
    const save = { kind: "missions", document, isNew: false, revision: null } as const;
    await saveDefinition(database, await current(), save, { userId: null, name: "ann@example.com" });
    await definitionsOf(database.sql, await current());
    await overviewIn(database, await current());
  }
  for (const [at, cache] of [compiledDefinitions, overviews].entries()) expect(cache.bytes - before[at]!).toBeLessThanOrEqual(one[at]!);
  expect(await definitionsOf(database.sql, first)).toBe(held);
  expect(await overviewIn(database, first)).toBe(shown);
});

test("the cache is limited in bytes over all environments, least recently used first; a single larger one is kept", () => {
  const cache = new VersionCache<object>(1_000);
  for (let at = 0; at < 30; at++) cache.set(`environment ${at}`, "1", {}, 300);
  expect(cache.bytes).toBeLessThanOrEqual(1_000);
  expect(cache.get("environment 29", "1")).toBeDefined();
  cache.set("large", "1", {}, 5_000);
  expect([cache.get("large", "1") === undefined, cache.bytes]).toEqual([false, 1_000]);
});
