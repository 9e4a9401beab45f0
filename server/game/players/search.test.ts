import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { findPlayers, savePlayer } from "./service/players.ts";
import { newestPlayers, playersBeginning } from "./store.ts";

const database = await testDatabase();

async function shop() {
  const { sandbox, live } = await testProject(database);
  const players: [string, string | null][] = [
    ["customer-1", "Ann"],
    ["customer-10", "annelies"],
    ["customer-2", null],
    ["Customer-3", "Émile Östberg"],
    ["an", "Zoe"],
    ["100%_sure", "Ben"],
  ];
  for (const [at, [externalId, displayName]] of players.entries()) {
    await savePlayer(database, sandbox, at * 1_000, externalId, { displayName });
  }
  await savePlayer(database, live, 0, "customer-9", { displayName: "Ann" });
  const find = async (beginning: string, limit = 20) =>
    (await findPlayers(database, sandbox, beginning, limit)).map(({ externalId }) => externalId);
  return { find, sandbox };
}

test("players are found by the beginning of their external id, or of their display name in any case", async () => {
  const { find } = await shop();
  expect(await find("customer-")).toEqual(["customer-1", "customer-10", "customer-2"]);
  expect(await find("ANN")).toEqual(["customer-1", "customer-10"]);
  expect(await find("zo")).toEqual(["an"]);
  for (const beginning of ["Ém", "ém", "ÉM", "émile ö", "Émile Ö"]) expect(await find(beginning)).toEqual(["Customer-3"]);
  expect(await find("nobody")).toEqual([]);
});

test("an exact external id comes first, and the number of results is bounded", async () => {
  const { find } = await shop();
  expect(await find("an")).toEqual(["an", "customer-1", "customer-10"]);
  expect(await find("an", 2)).toEqual(["an", "customer-1"]);
});

test("a search is plain text, without wildcards", async () => {
  const { find } = await shop();
  expect(await find("100%")).toEqual(["100%_sure"]);
  expect(await find("%")).toEqual([]);
  expect(await find("' or true --")).toEqual([]);
});

test("an empty search returns the newest players of this environment only", async () => {
  const { find } = await shop();
  expect(await find("", 3)).toEqual(["100%_sure", "an", "Customer-3"]);
});

test("a search among many players reads ranges of indexes", async () => {
  const { sandbox } = await testProject(database);
  await database.sql`
    insert into players (part, player_id, environment_id, external_id, display_name, created_at)
    select ('x' || substr(h, 1, 3))::bit(12)::int >> 2, h::uuid, ${sandbox.id}, 'p' || n, 'Name ' || n, to_timestamp(n)
    from generate_series(1, 20000) n, md5(${sandbox.id} || '/' || n) h`;
  await database.sql`analyze players`;
  const tuplesOf = async (run: () => Promise<unknown>) => {
    const read = async () => {
      await database.sql`select pg_stat_force_next_flush()`;
      const [row] = await database.sql<{ tuples: number }[]>`
        select seq_tup_read + coalesce(idx_tup_fetch, 0) as tuples from pg_stat_user_tables where relname = 'players'`;
      return row!.tuples;
    };
    const before = await read();
    await run();
    return (await read()) - before;
  };
  expect(await playersBeginning(database.sql, sandbox.id, "p1234", 20)).toHaveLength(11);
  const last = (await newestPlayers(database.sql, sandbox.id, 20)).at(-1)!;
  for (const search of [
    () => playersBeginning(database.sql, sandbox.id, "name 1999", 20),
    () => newestPlayers(database.sql, sandbox.id, 20),
    () => newestPlayers(database.sql, sandbox.id, 20, last),
  ]) {
    const tuples = await tuplesOf(search);
    expect(tuples).toBeGreaterThan(0);
    expect(tuples).toBeLessThan(200);
  }
});
