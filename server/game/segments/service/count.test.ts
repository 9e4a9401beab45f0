import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { writeAttributes } from "../../attributes/service.ts";
import { lockPlayersExclusive } from "#server/engine/store/locks.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { savePlayer } from "../../players/service/players.ts";
import { erasePlayer } from "#server/operations/privacy/erase.ts";
import { moveClock } from "#server/operations/sandbox/move-clock.ts";
import { resetSandbox } from "#server/operations/sandbox/reset.ts";
import { compareCounts, countStep } from "./count.ts";
import { countAgain, readCounts, readMembers } from "./read.ts";
import { importDefinitions } from "#server/authoring/definitions/service/import.ts";
import { loadEnvironment } from "#server/engine/environment.ts";

const database = await testDatabase();
const { sql } = database;
let environment: Environment;

const current = async (): Promise<Environment> => (environment = (await loadEnvironment(sql, environment.id))!);
const over = (value: number) => ({ attribute: "level", operator: "GreaterThan", value });

async function define(rule: object, more: object = {}): Promise<void> {
  const segments = [{ key: "high", name: "High", rule, ...more }];
  const result = await importDefinitions(database, environment, {
    version: 1,
    attributes: [{ key: "level", name: "Level", type: "Number" }],
    segments,
  });
  expect(result).not.toHaveProperty("problems");
  await current();
}

/** p1 has level 1, and so on. */
async function players(count: number): Promise<void> {
  for (let level = 1; level <= count; level++)
    await writeAttributes(database, environment, { playerId: `p${level}`, attributes: { level } }, []);
}

/** What a worker does until nothing is due. */
async function work(): Promise<number> {
  await compareCounts(database);
  let steps = 0;
  while (await countStep(database)) steps++;
  return steps;
}

const count = async () => (await readCounts(database, await current(), ["high"]))[0];
const members = async () => {
  const page = await readMembers(database, await current(), "high", null, 100);
  return page!.members.map(({ externalId }) => externalId).toSorted();
};

/** The stored members, of every generation. */
const stored = async () =>
  (await sql`select from segment_members m join definitions d on d.id = m.segment_id where d.environment_id = ${environment.id}`).length;

beforeEach(async () => {
  environment = (await testProject(database)).sandbox;
});

test("a segment is counted automatically, and again only when its rule changes", async () => {
  await define(over(2));
  await players(5);
  expect(await count()).toEqual({ key: "high", isCounting: true, playersSoFar: 0, counted: null });
  await work();
  expect(await count()).toMatchObject({ isCounting: false, counted: { members: 3, players: 5 } });
  expect(await members()).toEqual(["p3", "p4", "p5"]);

  await define(over(2), { name: "Other" });
  expect(await work(), "another name changes no member").toBe(0);
  await define(over(4));
  expect(await count(), "the count before is shown until the next is complete").toMatchObject({
    isCounting: true,
    counted: { members: 3 },
  });
  await work();
  expect(await count()).toMatchObject({ isCounting: false, counted: { members: 1 } });
  expect(await members()).toEqual(["p5"]);
  expect(await stored(), "no members of the counts before are left").toBe(1);
});

test("a segment is recounted with the segments that it names", async () => {
  const file = (value: number) => ({
    version: 1,
    attributes: [{ key: "level", name: "Level", type: "Number" }],
    segments: [
      { key: "inner", name: "Inner", rule: over(value) },
      { key: "high", name: "High", rule: { not: { segment: "inner" } } },
    ],
  });
  await importDefinitions(database, environment, file(3));
  await players(4);
  await work();
  expect(await members()).toEqual(["p1", "p2", "p3"]);
  await importDefinitions(database, environment, file(1));
  await work();
  expect(await members()).toEqual(["p1"]);
});

test("“count again” counts the current players; until then the last count stays", async () => {
  await define(over(0));
  await players(1);
  await work();
  await players(3);
  expect(await work()).toBe(0);
  expect(await count()).toMatchObject({ counted: { members: 1 } });
  expect(await countAgain(database, await current(), "high")).toBe(true);
  await work();
  expect(await count()).toMatchObject({ counted: { members: 3 } });
});

describe("a count of many players", () => {
  beforeEach(async () => {
    await define(over(0));
    // Two pages and some.
    await sql`
      insert into players (part, player_id, environment_id, external_id, created_at)
      select n % 1024, gen_random_uuid(), ${environment.id}, 'many' || lpad(n::text, 6, '0'), now() from generate_series(1, 1200) n`;
    await sql`
      insert into attribute_values (part, player_id, attribute_id, value, occurred_at, seq)
      select p.part, p.player_id, d.id, '1', now(), 1 from players p join definitions d on d.environment_id = p.environment_id and d.key = 'level'
      where p.environment_id = ${environment.id}`;
    await compareCounts(database);
  });

  test("is paged, one worker at a time, and resumes where another one ended", async () => {
    await countStep(database);
    expect(await count()).toMatchObject({ isCounting: true, playersSoFar: 500, counted: null });
    expect(await members(), "no member is shown before the count is complete").toEqual([]);
    const both = await Promise.all([countStep(database), countStep(database)]);
    expect(both, "the second finds the count taken").toContain(false);
    await work();
    expect(await count()).toMatchObject({ counted: { members: 1200, players: 1200 } });
  });

  test("begins again when the clock is moved or the rule changes in the middle, and counts no player twice", async () => {
    await countStep(database);
    await define(over(5));
    expect([await countStep(database), await countStep(database)], "it waits to be compared").toEqual([true, false]);
    await work();
    expect(await count(), "members by the previous rule are not in it").toMatchObject({ counted: { members: 0, players: 1200 } });
    await define(over(-1));
    await moveClock(database, environment, "P1D");
    await compareCounts(database);
    await countStep(database);
    await moveClock(database, await current(), "P1D");
    await work();
    expect(await count()).toMatchObject({ isCounting: false, counted: { members: 1200, players: 1200 } });
    expect(await stored()).toBe(1200);
  });

  test("continues when a player is erased, and does not recreate them", async () => {
    await players(2);
    await countStep(database);
    await erasePlayer(database, await current(), "p1", "They asked");
    await compareCounts(database);
    expect(await count()).toMatchObject({ isCounting: true, playersSoFar: 500 });
    await work();
    expect(await stored()).toBe(1201);
    await erasePlayer(database, await current(), "p2", "They asked");
    expect(await work(), "an erasure makes no count due").toBe(0);
    expect(await stored()).toBe(1200);
  });

  test("writes no member while players are being deleted", async () => {
    await sql.begin(async (tx) => {
      await lockPlayersExclusive(tx, environment.id);
      await countStep(database);
      expect(await stored()).toBe(0);
    });
    await countAgain(database, await current(), "high");
    await work();
    expect(await stored()).toBe(1200);
  });

  test("begins anew after a reset, which leaves no members", async () => {
    await work();
    await countAgain(database, environment, "high");
    await countStep(database);
    await resetSandbox(database, environment);
    expect(await stored()).toBe(0);
    await savePlayer(database, await current(), 0, "new", {});
    await work();
    expect(await count()).toMatchObject({ counted: { members: 0, players: 1 } });
  });

  test("is deleted with its members when the segment is switched off, and made again when it is switched on", async () => {
    await players(1);
    await work();
    await define(over(0), { active: false });
    await compareCounts(database);
    await erasePlayer(database, await current(), "p1", "They asked");
    expect(await stored(), "an erasure does not leave it to the worker").toBe(1200);
    await work();
    expect([await count(), await stored()]).toEqual([undefined, 0]);
    await define(over(0), { active: true });
    await work();
    expect(await count()).toMatchObject({ counted: { members: 1200 } });
  });

  test("begins as the first one where the segment is switched on before its former members are deleted: none is shown halfway", async () => {
    await work();
    await define(over(0), { active: false });
    await compareCounts(database);
    await define(over(0), { active: true });
    await compareCounts(database);
    expect([await countStep(database), await stored()], "former members are deleted first").toEqual([true, 0]);
    await countStep(database);
    expect([await count(), await members(), await stored()]).toMatchObject([{ playersSoFar: 500, counted: null }, [], 500]);
    await work();
    expect([await count(), await stored()]).toMatchObject([{ counted: { members: 1200 } }, 1200]);
  });
});

test("a count does not stop at a player who is erased while their page is read", async () => {
  await define(over(2));
  await sql`
    insert into players (part, player_id, environment_id, external_id, created_at)
    select n, gen_random_uuid(), ${environment.id}, 'q' || lpad(n::text, 3, '0'), now() from generate_series(1, 501) n`;
  await compareCounts(database);
  const { counted } = await sql.begin(async (tx) => {
    await tx`lock table attribute_values in access exclusive mode`;
    const step = countStep(database);
    await expect
      .poll(async () => (await sql`select from pg_locks where not granted and relation = 'attribute_values'::regclass`).length)
      .toBe(1);
    await tx`delete from players where environment_id = ${environment.id} and external_id = 'q500'`;
    // Inside an object, so that the transaction does not wait for it.
    return { counted: step };
  });
  expect(await counted).toBe(true);
  const [at] = await sql`select last_external_id from segment_counts where environment_id = ${environment.id}`;
  expect(at).toEqual({ lastExternalId: "q499" });
  await work();
  const [ended] = await sql`select last_external_id, players from segment_counts where environment_id = ${environment.id}`;
  expect(ended).toEqual({ lastExternalId: "", players: 501 });
});
