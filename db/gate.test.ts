import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { type Database, openDatabase, isUnavailable } from "./client.ts";
import { testDatabaseUrl } from "./testing.ts";

const opened: Database[] = [];
afterAll(() => Promise.all(opened.map((database) => database.close())));

async function open(connections: number, waitMs?: number): Promise<Database> {
  const database = openDatabase(await testDatabaseUrl(), { connections, waitMs });
  opened.push(database);
  return database;
}

/** Takes connections until the test gives them back: each is in a transaction that does nothing. */
async function take(database: Database, count: number) {
  const over = Promise.withResolvers<void>();
  const begun = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const transactions = begun.map(({ resolve }) =>
    database.sql.begin(async (tx) => {
      await tx`select 1`;
      resolve();
      await over.promise;
    }),
  );
  await Promise.all(begun.map(({ promise }) => promise));
  return async () => {
    over.resolve();
    await Promise.all(transactions);
  };
}

/** Every way to ask for a connection. */
const WAYS: Record<string, (database: Database) => Promise<unknown>> = {
  "a query": ({ sql }) => sql`select 1 as one where ${sql`true`}`,
  "a query as text": ({ sql }) => sql.unsafe("select 1 as one"),
  "a transaction": ({ sql }) => sql.begin((tx) => tx`select 1 as one`),
};

for (const [name, ask] of Object.entries(WAYS))
  test(`${name} that finds no connection free fails as unavailable after the wait, and the pool works afterwards`, async () => {
    const database = await open(2, 50);
    for (let round = 0; round < 3; round++) {
      const giveBack = await take(database, 2);
      const before = performance.now();
      await expect(ask(database)).rejects.toSatisfy(isUnavailable);
      expect(performance.now() - before).toBeGreaterThan(40);
      await giveBack();
      expect(await Promise.all([ask(database), ask(database)])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    }
  });

test("a waiting query gets the next free connection, in order of arrival, and waits indefinitely without a limit", async () => {
  const database = await open(1);
  const giveBack = await take(database, 1);
  const turns: number[] = [];
  const waiting = [1, 2, 3].map((number) => database.sql`select 1`.then(() => turns.push(number)));
  await delay(100);
  expect(turns).toEqual([]);
  await giveBack();
  await Promise.all(waiting);
  expect(turns).toEqual([1, 2, 3]);
});

test("no query is sent behind another one that waits for a lock while a connection is free", async () => {
  const database = await open(3);
  const other = await open(1);
  await other.sql`create table locked (id int)`;
  const locked = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const holding = other.sql.begin(async (tx) => {
    await tx`lock table locked`;
    locked.resolve();
    await over.promise;
  });
  await locked.promise;
  const stuck = Promise.all([database.sql`select from locked`, database.sql`select from locked`]);
  const answered = await Promise.all(Array.from({ length: 20 }, () => database.sql`select 1 as one`));
  expect(answered).toHaveLength(20);
  over.resolve();
  await Promise.all([holding, stuck]);
});

test("failed queries and transactions give their connection back", async () => {
  const database = await open(2, 5_000);
  for (let round = 0; round < 5; round++) {
    await expect(database.sql`select 1 / ${0}::int`).rejects.toMatchObject({ code: "22012" });
    await expect(database.sql.begin((tx) => tx`select 1 / ${0}::int`)).rejects.toMatchObject({ code: "22012" });
    await expect(database.sql.begin(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await expect(database.sql`select ${undefined as never}`).rejects.toMatchObject({ code: "UNDEFINED_VALUE" });
  }
  expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]);
});
