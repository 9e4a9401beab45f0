import { expect, test } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { testDatabase, testDatabaseUrl, testProject } from "../../db/testing.ts";
import { definitionsOf } from "./service.ts";

test("a transaction never waits for definitions that somebody loads as soon as a connection is free", async () => {
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
