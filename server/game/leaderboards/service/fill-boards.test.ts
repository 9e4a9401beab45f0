import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { writeAttributes } from "../../attributes/service.ts";
import { checkIntegrity } from "#server/operations/integrity/check.ts";
import { type Environment, COMMAND_LINE } from "#server/model/kernel/environment.ts";
import { playerKey } from "#server/model/players/identity.ts";
import { moveClock, moveClockUpTo } from "#server/operations/sandbox/move-clock.ts";
import { resetSandbox } from "#server/operations/sandbox/reset.ts";
import { dueFills } from "../store/fills.ts";
import { drainFills, fillBoard } from "./fill-boards.ts";
import { importDefinitions } from "#server/authoring/definitions/service/import.ts";
import { awardMission } from "../../missions/service/award.ts";
import { hideFromBoards, showOnBoards } from "./hide.ts";
import { createPlayers } from "#server/engine/store/players.ts";
import { loadEnvironment } from "#server/engine/environment.ts";

const database = await testDatabase();
const { sql } = database;
let environment: Environment;

const ATTRIBUTES = [
  { key: "level", name: "Level", type: "Number" },
  { key: "office", name: "Office", type: "String" },
];
const board = (more: object = {}) => ({
  key: "levels",
  name: "Levels",
  scoreSource: "Attribute",
  attribute: "level",
  rankOrder: "HighestFirst",
  period: { kind: "AllTime" },
  ...more,
});
const DAILY = { period: { kind: "Calendar", every: "Day" }, settleAfterMinutes: 0 };

const define = async (...leaderboards: object[]): Promise<void> =>
  expect(await importDefinitions(database, environment, { version: 1, attributes: ATTRIBUTES, leaderboards })).not.toHaveProperty(
    "problems",
  );
const current = async (): Promise<Environment> => (await loadEnvironment(sql, environment.id))!;
const set = async (playerId: string, attributes: object) => writeAttributes(database, await current(), { playerId, attributes }, []);
const filled = () => drainFills(database, environment.id);

/** The rows of a board that take scores, best first: the player or the team, with the score. */
const rows = async (start = "") =>
  (
    await sql<{ name: string; score: number }[]>`
      select coalesce(s.team_key, p.external_id) as name, -s.sort_score::int as score
      from leaderboard_scores s join leaderboard_periods l on l.id = s.period_id left join players p on p.part = s.part and p.player_id = s.player_id
      where l.environment_id = ${environment.id} and l.start = ${start} order by s.sort_score, s.reached_seq`
  ).map(({ name, score }) => `${name} ${score}`);

/** Fills one page of the only board, like a worker that then stops or dies. */
async function onePage(): Promise<number> {
  const [due] = await dueFills(sql, environment.id);
  return due === undefined ? 0 : fillBoard(database, environment.id, due.leaderboardId, 1);
}

/** Many players with only a level: p000001 has 1, and so on. */
async function crowd(count: number): Promise<void> {
  const players = Array.from({ length: count }, (_, at) => `p${String(at + 1).padStart(6, "0")}`);
  const rows = players.map((externalId) => ({
    ...playerKey(environment.id, externalId),
    externalId,
    environmentId: environment.id,
    createdAt: 0,
  }));
  await createPlayers(sql, rows);
  await sql`
    insert into attribute_values (part, player_id, attribute_id, value, occurred_at, seq)
    select part, player_id, (select id from definitions where environment_id = ${environment.id} and key = 'level'),
      to_json(substr(external_id, 2)::int), to_timestamp(0), nextval('fact_seq') from players where environment_id = ${environment.id}`;
}

beforeEach(async () => {
  const { sandbox } = await testProject(database);
  environment = sandbox;
  await moveClockUpTo(database, sandbox, Date.parse("2031-03-10T12:00:00Z"));
  await define();
});

describe("a board over an attribute", () => {
  test("starts with the values that players hold when it is created, in the order in which they reached them", async () => {
    await set("zoe", { level: 3 });
    await set("ann", { level: 3 });
    await set("bob", { level: { value: 9, occurredAt: "2020-01-01T00:00:00Z" } });
    await set("cid", { office: "ams" });
    await define(board());
    expect(await rows()).toEqual([]);
    await filled();
    expect(await rows()).toEqual(["bob 9", "zoe 3", "ann 3"]);
    expect(await checkIntegrity(database, environment)).toEqual([]);
  });

  test("has the players' present values when it is switched on again", async () => {
    await set("ann", { level: 3 });
    await define(board());
    await filled();
    await define(board({ active: false }));
    await set("ann", { level: 5 });
    await set("bob", { level: 4 });
    expect(await rows()).toEqual(["ann 3"]);
    await define(board());
    await filled();
    expect(await rows()).toEqual(["ann 5", "bob 4"]);
    expect(await checkIntegrity(database, environment)).toEqual([]);
  });

  test("is not filled again after an unrelated edit", async () => {
    await set("ann", { level: 3 });
    await define(board());
    await filled();
    await define(board({ name: "Levels of all", topSize: 7 }));
    expect(await dueFills(sql, environment.id)).toEqual([]);
  });

  test("has the players of its audience, also after a change of the audience", async () => {
    const audience = (office: string) => ({ audience: { rule: { attribute: "office", operator: "EqualTo", value: office } } });
    await set("ann", { level: 3, office: "ams" });
    await set("bob", { level: 4, office: "ber" });
    await define(board(audience("ams")));
    await filled();
    expect(await rows()).toEqual(["ann 3"]);
    await define(board(audience("ber")));
    await filled();
    expect(await rows()).toContain("bob 4");
  });

  test("that ranks teams has the players' values with their teams", async () => {
    for (const [name, level, office] of [
      ["ann", 3, "ams"],
      ["bob", 4, "ber"],
      ["cid", 2, "ams"],
    ] as const)
      await set(name, { level, office });
    await set("dan", { level: 9 });
    await define(board({ teamAttribute: "office" }));
    await filled();
    expect(await rows()).toEqual(["ams 5", "ber 4"]);
    await define(board({ teamAttribute: "office", active: false }));
    await set("ann", { office: "ber" });
    await define(board({ teamAttribute: "office" }));
    await filled();
    expect(await rows()).toEqual(["ber 7", "ams 2"]);
    expect(await checkIntegrity(database, environment)).toEqual([]);
  });

  test("with leagues gives seats in the order in which values were reached, once all are loaded", async () => {
    const league = { groupSize: 2, tiers: [{ key: "bronze", name: "Bronze" }], promotes: 0, relegates: 0 };
    for (const name of ["zoe", "ann"]) await set(name, { level: 3 });
    await define(board({ ...DAILY, league }));
    await moveClock(database, environment, "PT1S");
    const seats = await sql<{ name: string }[]>`
      select p.external_id as name from leaderboard_seats s join players p on p.part = s.part and p.player_id = s.player_id
      where p.environment_id = ${environment.id} order by s.first_seq`;
    expect(seats.map(({ name }) => name)).toEqual(["zoe", "ann"]);
  });

  test("of a season that has not begun has the values from before it", async () => {
    await set("ann", { level: 3 });
    await define(board({ period: { kind: "Season", startsAt: "2031-04-01T00:00:00Z", endsAt: "2031-05-01T00:00:00Z" } }));
    await filled();
    expect(await rows()).toEqual(["ann 3"]);
    expect(await checkIntegrity(database, environment)).toEqual([]);
  });
});

describe("at the end of a period of a board with an audience", () => {
  const audience = (rule: object) => ({ ...DAILY, audience: { rule } });
  const ofAms = audience({ attribute: "office", operator: "EqualTo", value: "ams" });

  test("only players in the audience are carried into the next, hidden ones too", async () => {
    await define(board(ofAms), board({ ...ofAms, key: "offices", teamAttribute: "office" }));
    for (const [name, level] of [
      ["ann", 9],
      ["bob", 5],
      ["cid", 8],
      ["dan", 4],
    ] as const)
      await set(name, { level, office: "ams" });
    for (const name of ["cid", "dan"]) await hideFromBoards(database, await current(), name, "Cheated", COMMAND_LINE);
    for (const name of ["ann", "cid"]) await set(name, { office: "ber" });
    for (const name of ["ann", "cid"]) await set(name, { level: 2 });
    await moveClock(database, environment, "P1D");
    expect(await rows("2031-03-10")).toEqual(["ams 14", "ann 9", "bob 5"]);
    expect(await rows("2031-03-11")).toEqual(["bob 5", "ams 5"]);
    await showOnBoards(database, await current(), "dan", "Apologised", COMMAND_LINE);
    await showOnBoards(database, await current(), "cid", "Apologised", COMMAND_LINE);
    expect(await rows("2031-03-11")).toEqual(["ams 9", "bob 5", "dan 4"]);
    expect(await checkIntegrity(database, environment)).toEqual([]);
  });

  test("players who entered it without a fact about an attribute are ranked in it and in the next, by their present values", async () => {
    const definitions = {
      events: [{ key: "order_placed", name: "Order placed" }],
      missions: [
        {
          key: "first",
          name: "First",
          objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 }],
          rewards: [{ kind: "Points", points: 1 }],
        },
      ],
      leaderboards: [board(audience({ missionCompleted: "first" }))],
    };
    expect(await importDefinitions(database, environment, { version: 1, ...definitions })).not.toHaveProperty("problems");
    await filled();
    for (const [name, level] of [
      ["ann", 9],
      ["bob", 7],
    ] as const)
      await set(name, { level });
    const award = { externalId: "bob", missionKey: "first", objectiveId: null, reason: "Was there", requestId: randomUUID() };
    await awardMission(database, await current(), award, COMMAND_LINE);
    expect(await rows("2031-03-10")).toEqual([]);
    await moveClock(database, environment, "P1D");
    expect([await rows("2031-03-10"), await rows("2031-03-11")]).toEqual([["bob 7"], ["bob 7"]]);
    const [settled] = await sql`select participants from leaderboard_periods where environment_id = ${environment.id} and step = 'Settled'`;
    expect(settled).toEqual({ participants: 1 });
    expect(await checkIntegrity(database, environment)).toEqual([]);
  });
});

describe("while a board is filled", () => {
  test("a worker that stops after a page leaves the rest to the next, and no player is added twice", async () => {
    await crowd(2_100);
    await define(board());
    expect(await onePage()).toBe(1);
    expect((await rows()).length).toBe(1_000);
    // Fails at the last statement of a page.
    await sql.unsafe(`
      create function cut_off() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$;
      create trigger cut_off before update on leaderboard_fills for each row execute function cut_off()`);
    await expect(onePage()).rejects.toThrow("cut off");
    await sql.unsafe("drop function cut_off cascade");
    expect((await rows()).length).toBe(1_000);
    await Promise.all([filled(), filled(), filled()]);
    expect((await rows()).length).toBe(2_100);
    expect(await checkIntegrity(database, environment)).toEqual([]);
  });

  test("a newer value wins, before and after the page of its player", async () => {
    await crowd(1_100);
    await define(board());
    await onePage();
    for (const name of ["p000001", "p001100"]) await set(name, { level: 10_000 });
    await filled();
    expect((await rows()).slice(0, 3)).toEqual(["p000001 10000", "p001100 10000", "p001099 1099"]);
    expect(await checkIntegrity(database, environment)).toEqual([]);
  });

  test("switching it off ends the fill, and switching it on starts a new one", async () => {
    await crowd(1_100);
    await define(board());
    await onePage();
    await define(board({ active: false }));
    expect(await dueFills(sql, environment.id)).toEqual([]);
    await set("p000001", { level: 7_000 });
    await define(board());
    await filled();
    const found = await rows();
    expect([found.length, found[0]]).toEqual([1_100, "p000001 7000"]);
    expect(await checkIntegrity(database, environment)).toEqual([]);
  });

  test("a day that ends is settled with the values held in it, and continues in the next", async () => {
    await crowd(1_100);
    await define(board(DAILY));
    await onePage();
    await moveClock(database, environment, "P1D");
    expect([(await rows("2031-03-10")).length, (await rows("2031-03-11")).length]).toEqual([1_100, 1_100]);
    const [settled] = await sql`select participants from leaderboard_periods where environment_id = ${environment.id} and step = 'Settled'`;
    expect(settled).toEqual({ participants: 1_100 });
    expect(await checkIntegrity(database, environment)).toEqual([]);
  });

  test("a reset ends the fill", async () => {
    await crowd(1_100);
    await define(board());
    await onePage();
    await resetSandbox(database, await current());
    await set("ann", { level: 1 });
    await filled();
    expect(await rows()).toEqual(["ann 1"]);
  });
});

test("with concurrent writes while a board is filled and switched off and on, it ends with the values that players hold", async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("set" as const), name: fc.integer({ min: 1, max: 8 }), level: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ do: fc.constant("move" as const), name: fc.integer({ min: 1, max: 8 }), office: fc.constantFrom("ams", "ber") }),
    fc.record({ do: fc.constantFrom("fill" as const, "off" as const, "on" as const, "hour" as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), async (rounds) => {
      environment = (await testProject(database)).sandbox;
      await moveClockUpTo(database, environment, Date.parse("2031-03-10T20:30:00Z"));
      const shapes = (active: boolean) => [
        board({ active }),
        board({ key: "days", ...DAILY, active }),
        board({ key: "offices", teamAttribute: "office", active }),
      ];
      await define();
      await crowd(8);
      for (const steps of rounds) {
        await Promise.all(
          steps.map((one) => {
            if (one.do === "set") return set(`p00000${one.name}`, { level: one.level });
            if (one.do === "move") return set(`p00000${one.name}`, { office: one.office });
            if (one.do === "fill") return filled();
            if (one.do === "hour") return moveClock(database, environment, "PT1H");
            return define(...shapes(one.do === "on"));
          }),
        );
      }
      await define(...shapes(true));
      await moveClock(database, environment, "PT1S");
      expect(await checkIntegrity(database, environment)).toEqual([]);
      const held = await sql<{ name: string; level: number }[]>`
        select p.external_id as name, a.value::text::int as level from attribute_values a join players p on p.part = a.part and p.player_id = a.player_id
        join definitions d on d.id = a.attribute_id where p.environment_id = ${environment.id} and d.key = 'level' order by 2 desc, a.seq`;
      const shown = await sql<{ name: string; level: number }[]>`
        select p.external_id as name, -s.sort_score::int as level from leaderboard_scores s join leaderboard_periods l on l.id = s.period_id
        join definitions d on d.id = l.leaderboard_id join players p on p.part = s.part and p.player_id = s.player_id
        where l.environment_id = ${environment.id} and d.key = 'levels' order by s.sort_score, s.reached_seq`;
      expect(shown.map(({ name, level }) => `${name} ${level}`).toSorted()).toEqual(
        held.map(({ name, level }) => `${name} ${level}`).toSorted(),
      );
    }),
    { numRuns: 15, endOnFailure: true },
  );
});
