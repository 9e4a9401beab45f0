import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { writeAttributes } from "../../attributes/service.ts";
import { ingest } from "../../events/service.ts";
import { checkIntegrity } from "#server/operations/integrity/check.ts";
import { type Environment, COMMAND_LINE } from "#server/model/kernel/environment.ts";
import { lockPlayersExclusive } from "#server/engine/store/locks.ts";
import { erasePlayer } from "#server/operations/privacy/erase.ts";
import { moveClock, moveClockUpTo } from "#server/operations/sandbox/move-clock.ts";
import { resetSandbox } from "#server/operations/sandbox/reset.ts";
import { drainFacts } from "#server/operations/worker/drain-facts.ts";
import { giveSeatsIn } from "../settlement/give-seats.ts";
import { hideFromBoards, showOnBoards } from "./hide.ts";
import { readStandings } from "./read.ts";
import { importDefinitions } from "#server/authoring/definitions/service/import.ts";
import { environmentNow, loadEnvironment } from "#server/engine/environment.ts";

const database = await testDatabase();
const { sql } = database;

const daily = { period: { kind: "Calendar", every: "Day" }, rankOrder: "HighestFirst", settleAfterMinutes: 0 };
const spent = { ...daily, scoreSource: "Event", event: "order_placed", measure: { kind: "Sum", property: "amount" } };
const held = { ...daily, scoreSource: "Attribute", attribute: "level" };
const prizes = [{ fromRank: 1, toRank: 1, rewards: [{ kind: "Points", points: 30 }] }];
const tiers = [
  { key: "bronze", name: "Bronze" },
  { key: "silver", name: "Silver" },
];
const DEFINITIONS = {
  version: 1,
  events: [{ key: "order_placed", name: "Order placed", properties: [{ key: "amount", type: "Number" }] }],
  attributes: [
    { key: "office", name: "Office", type: "String" },
    { key: "level", name: "Level", type: "Number" },
  ],
  leaderboards: [
    { key: "spent", name: "Spent", ...spent, prizes },
    { key: "best", name: "Best", ...spent, measure: { kind: "Max", property: "amount" } },
    { key: "last", name: "Last", ...spent, measure: { kind: "Latest", property: "amount" } },
    { key: "offices", name: "Offices", ...spent, teamAttribute: "office", prizes },
    { key: "league", name: "League", ...spent, league: { groupSize: 2, tiers, promotes: 1, relegates: 1 } },
    { key: "levels", name: "Levels", ...held },
    { key: "teams", name: "Teams", ...held, teamAttribute: "office" },
  ],
};
const PLAYERS = ["ann", "bob", "cid"];

/** Ann and cid of one office and bob of another have scored; ann is first everywhere. */
async function boards() {
  const { sandbox } = await testProject(database);
  await moveClockUpTo(database, sandbox, Date.parse("2031-03-10T12:00:00Z"));
  expect(await importDefinitions(database, sandbox, DEFINITIONS)).not.toHaveProperty("problems");
  const current = async () => (await loadEnvironment(sql, sandbox.id)) as Environment;
  const set = async (playerId: string, attributes: Record<string, string | number>) =>
    writeAttributes(database, await current(), { playerId, attributes }, []);
  const order = async (amounts: Record<string, number>) => {
    const environment = await current();
    const now = await environmentNow(sql, environment);
    const items = Object.entries(amounts).map(([playerId, amount]) => ({
      ...{ playerId, event: "order_placed", occurredAt: new Date(now).toISOString() },
      properties: { amount },
    }));
    await ingest(database, environment, { items, mayHoldBadText: false, now });
    await drainFacts(database, sandbox.id);
  };
  for (const [at, playerId] of PLAYERS.entries()) await set(playerId, { office: at === 1 ? "ber" : "ams", level: 9 - at });
  await order({ ann: 7, bob: 5, cid: 3 });
  await giveSeatsIn(database, sandbox.id);
  const hide = async (who = "ann") => hideFromBoards(database, await current(), who, "cheated", COMMAND_LINE);
  const show = async (who = "ann") => showOnBoards(database, await current(), who, "proven innocent", COMMAND_LINE);
  const read = async (leaderboardKey: string, externalId: string, previous = false) => {
    const environment = await current();
    const now = await environmentNow(sql, environment);
    const { leaderboard, top } = await readStandings(database, environment, now, {
      ...{ leaderboardKey, externalId, language: null, top: 10, neighbours: 5, previous, named: PLAYERS },
    });
    return {
      me: leaderboard.me?.rank ?? null,
      participants: leaderboard.participants,
      scores: top.map(({ rank, score }) => [rank, score]),
    };
  };
  const audit = async () => checkIntegrity(database, await current());
  return { sandbox, current, set, order, hide, show, read, audit };
}

/** All board data of an environment's players, by name. */
const stateOf = async (environmentId: number) => ({
  scores: await sql`
    select d.key, p.start, coalesce(s.team_key, w.external_id) as name, s.sort_score::text as score, s.members
    from leaderboard_scores s join leaderboard_periods p on p.id = s.period_id join definitions d on d.id = p.leaderboard_id
    left join players w on w.part = s.part and w.player_id = s.player_id
    where p.environment_id = ${environmentId} order by 1, 2, s.sort_score, s.reached_seq, 3`,
  contributions: await sql`
    select d.key, p.start, w.external_id as name, c.team_key as team, c.score::text as score
    from leaderboard_contributions c join leaderboard_periods p on p.id = c.period_id join definitions d on d.id = p.leaderboard_id
    join players w on w.part = c.part and w.player_id = c.player_id
    where p.environment_id = ${environmentId} order by 1, 2, 3, 4`,
  seats: await sql`
    select d.key, p.start, w.external_id as name, s.tier, s.group_number from leaderboard_seats s
    join leaderboard_periods p on p.id = s.period_id join definitions d on d.id = p.leaderboard_id
    join players w on w.part = s.part and w.player_id = s.player_id
    where p.environment_id = ${environmentId} order by 1, 2, 3`,
});

const apart = async () =>
  (
    await sql`select 1 from leaderboard_scores where period_id < 0 union all select 1 from leaderboard_contributions where period_id < 0 union all select 1 from leaderboard_seats where period_id < 0`
  ).length;

test("a hidden player immediately leaves every board: others move up, teams and groups are without them, and nothing is out of order", async () => {
  const { hide, read, audit } = await boards();
  expect(await read("spent", "bob")).toEqual({
    me: 2,
    participants: 3,
    scores: [
      [1, 7],
      [2, 5],
      [3, 3],
    ],
  });
  await hide();
  expect(await read("spent", "bob")).toEqual({
    me: 1,
    participants: 2,
    scores: [
      [1, 5],
      [2, 3],
    ],
  });
  expect((await read("spent", "ann")).me).toBeNull();
  expect((await read("offices", "bob")).scores).toEqual([
    [1, 5],
    [2, 3],
  ]);
  expect((await read("levels", "bob")).scores).toEqual([
    [1, 8],
    [2, 7],
  ]);
  expect((await read("league", "bob")).scores).toEqual([[1, 5]]);
  expect(await audit()).toEqual([]);
});

test("a player who is shown again has the scores of the time while they were hidden", async () => {
  const [one, other] = [await boards(), await boards()];
  await one.hide();
  for (const { order, set } of [one, other]) {
    await order({ ann: 4, cid: 1 });
    await set("ann", { level: 2 });
    await set("cid", { office: "ber" });
    await order({ ann: 2 });
  }
  expect(await one.audit()).toEqual([]);
  await one.show();
  expect(await stateOf(one.sandbox.id)).toEqual(await stateOf(other.sandbox.id));
  expect(await one.read("spent", "ann")).toEqual(await other.read("spent", "ann"));
  expect(await one.audit()).toEqual([]);
});

test("a period settles without hidden players: no prize, and no rank once they are shown; values they hold are in the next one", async () => {
  const { sandbox, hide, show, read, audit } = await boards();
  await hide();
  await moveClock(database, sandbox, "P1D");
  expect(await audit()).toEqual([]);
  const winners = await sql<{ name: string }[]>`
    select p.external_id as name from points_transactions t join players p on p.part = t.part and p.player_id = t.player_id
    where t.environment_id = ${sandbox.id} order by 1`;
  // The prizes of the first player, and of the team that is first without ann.
  expect(winners.map(({ name }) => name)).toEqual(["bob", "bob"]);
  await show();
  expect(await read("spent", "ann", true)).toMatchObject({ me: null, participants: 2 });
  expect(await read("levels", "ann")).toEqual({
    me: 1,
    participants: 3,
    scores: [
      [1, 9],
      [2, 8],
      [3, 7],
    ],
  });
  expect((await read("teams", "ann")).scores).toEqual([
    [1, 16],
    [2, 8],
  ]);
  expect(await audit()).toEqual([]);
});

test("a player is hidden once and shown once, and neither while one of their periods is being settled", async () => {
  const { sandbox, hide, show } = await boards();
  await expect(hide("nobody")).rejects.toThrow("no such player");
  await expect(show()).rejects.toThrow("on leaderboards already");
  const periods = (step: string) => sql`
    update leaderboard_periods p set step = ${step} from definitions d
    where d.id = p.leaderboard_id and d.key = 'offices' and p.environment_id = ${sandbox.id}`;
  await periods("Closing");
  await expect(hide()).rejects.toThrow("leaderboard offices that the player is in is being settled");
  await periods("Open");
  const both = await Promise.allSettled([hide(), hide()]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const entries = await sql<{ action: string }[]>`
    select action from audit_log where environment_id = ${sandbox.id} and subject_key = 'ann' order by at`;
  expect(entries.map(({ action }) => action)).toEqual(["hide_from_boards"]);
});

test("an erasure and a reset delete hidden players' data, and a reused name is not hidden", async () => {
  const { sandbox, current, hide, order, read, audit } = await boards();
  const before = await apart();
  await hide();
  await hide("bob");
  await erasePlayer(database, await current(), "ann", "they asked");
  expect(await audit()).toEqual([]);
  await order({ ann: 1 });
  expect(await read("spent", "ann")).toMatchObject({ me: 2, participants: 2 });
  await resetSandbox(database, sandbox);
  expect(await apart()).toBe(before);
});

test("a player is not hidden during a reset, and the environment is not locked meanwhile", async () => {
  const { sandbox, hide } = await boards();
  await database.sql.begin(async (reset) => {
    await lockPlayersExclusive(reset, sandbox.id);
    await reset`delete from players where environment_id = ${sandbox.id}`;
    await expect(hide()).rejects.toMatchObject({ code: "55P03" });
  });
  await expect(hide()).rejects.toThrow("no such player");
});
