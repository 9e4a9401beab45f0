import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { ingest } from "../../game/events/service.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { moveClock, moveClockUpTo } from "../../operations/sandbox/move-clock.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { LISTS } from "../exports/lists.ts";
import { countMovements } from "./service/snapshots.ts";
import { periodsToCompare } from "./store/snapshots.ts";
import { openReport } from "./service/reports/context.ts";
import { reportLeaderboards } from "./service/reports/leaderboards.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { FIRST_PAGE } from "../../model/analytics/table.ts";
import { environmentNow, loadEnvironment } from "../../engine/environment.ts";

const database = await testDatabase();
const { sql } = database;

const daily = { period: { kind: "Calendar", every: "Day" }, rankOrder: "HighestFirst", settleAfterMinutes: 0, scoreSource: "Event" };
const board = { ...daily, event: "order", measure: { kind: "Sum", property: "amount" } };
const tiers = [
  { key: "bronze", name: "Bronze" },
  { key: "silver", name: "Silver" },
];
const DEFINITIONS = {
  version: 1,
  events: [{ key: "order", name: "Order", properties: [{ key: "amount", type: "Number" }] }],
  leaderboards: [
    { key: "open", name: "Open", ...board },
    { key: "slow", name: "Slow", ...board, settleAfterMinutes: 60 },
    { key: "league", name: "League", ...board, league: { groupSize: 3, tiers, promotes: 1, relegates: 1 } },
  ],
};

/** An environment with the boards, at noon of 10 March 2031. */
async function boards() {
  const { sandbox } = await testProject(database);
  const current = async () => (await loadEnvironment(sql, sandbox.id))!;
  await moveClockUpTo(database, sandbox, Date.parse("2031-03-10T12:00:00Z"));
  expect(await importDefinitions(database, await current(), DEFINITIONS)).not.toHaveProperty("problems");
  /** Sends scores that happened some hours from now. */
  const score = async (scores: Record<string, number>, hours = 0) => {
    const environment = await current();
    const now = await environmentNow(sql, environment);
    const items = Object.entries(scores).map(([playerId, amount]) => ({
      ...{ playerId, event: "order", occurredAt: formatInstant(now + hours * 3_600_000), properties: { amount } },
    }));
    await ingest(database, environment, { items, mayHoldBadText: false, now });
    await drainFacts(database, environment.id);
  };
  /** Plays a day with these scores, until it is settled. */
  const day = async (scores: Record<string, number>) => {
    await score(scores);
    await moveClock(database, await current(), "P1D");
  };
  const report = async (of: string) => {
    const environment = await current();
    const opened = await openReport(sql, environment, await environmentNow(sql, environment));
    const { row, table } = await reportLeaderboards(opened, { of, table: FIRST_PAGE });
    return { row: row!, listed: table.rows.find(({ subject }) => subject.key === of)! };
  };
  return { sandbox, current, score, day, report };
}

test("ranks of settled periods are compared, leagues by outcome, and each period once", async () => {
  const { sandbox, day, report } = await boards();
  const movements = async (of: string) => {
    const { row, listed } = await report(of);
    expect(listed.movement).toEqual(row.periods.find(({ movement }) => movement !== null)?.movement ?? null);
    return row.periods.map(({ movement }) => movement);
  };
  const running = { ann: 1 };
  await day({ ann: 9, bob: 8, cas: 7, dee: 7, eve: 1 });
  // Ann and bob swap ranks; cas and dee, tied for third before, are third and fourth now; eve is gone, fay is new.
  await day({ ann: 8, bob: 9, cas: 7, dee: 6, fay: 2 });
  await day(running);
  await countMovements(database, () => false);
  const open = { rose: 1, fell: 2, stayed: 1, entered: 1, left: 1 };
  expect(await movements("open")).toEqual([null, { rose: 1, fell: 0, stayed: 0, entered: 0, left: 4 }, open, null]);
  const league = await movements("league");
  const [seats] = await sql<{ promoted: number; relegated: number; stayed: number }[]>`
    select count(*) filter (where outcome = 'Promoted') as promoted,
      count(*) filter (where outcome = 'Relegated') as relegated, count(*) filter (where outcome = 'Stayed') as stayed
    from leaderboard_seats where period_id = (
      select p.id from leaderboard_periods p join definitions d on d.id = p.leaderboard_id
      where d.environment_id = ${sandbox.id} and d.key = 'league' and p.start = '2031-03-11')`;
  const { promoted, relegated, stayed } = seats!;
  expect(league[2]).toEqual({ rose: promoted, fell: relegated, stayed, entered: 1, left: 1 });
  expect([promoted, relegated, stayed].every((count) => count > 0)).toBe(true);
  expect(await countMovements(database, () => false), "a second look finds nothing").toBe(0);
});

test("a look for periods to compare reads the recent ones of a board, however many there are", async () => {
  const { sandbox } = await boards();
  await sql`
    insert into leaderboard_periods (environment_id, leaderboard_id, start, number, step)
    select ${sandbox.id}, d.id, to_char(date '2010-01-01' + n, 'YYYY-MM-DD'), n, 'Settled'
    from generate_series(1, 3000) n, definitions d where d.environment_id = ${sandbox.id} and d.kind = 'leaderboards' and d.key = 'open'`;
  await sql`analyze leaderboard_periods`;
  await sql.begin(async (tx) => {
    // The newest one is running.
    expect(await periodsToCompare(tx, 12, 100)).toHaveLength(11);
    const [read] = await tx<{ rows: number }[]>`
      select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'leaderboard_periods'`;
    expect(read!.rows).toBeLessThan(500);
  });
});

test("the file of a league's standings names tiers by their keys and counts groups from 1, as the screen does", async () => {
  const { current, day } = await boards();
  await day({ ann: 9, bob: 8, cas: 7, dee: 7, eve: 1 });
  const query = { leaderboard: "league", start: "2031-03-10" };
  const rows: Record<string, unknown>[] = [];
  for await (const page of await LISTS["standings"]!.open(database, await current(), query))
    rows.push(...page.map((json) => JSON.parse(json) as Record<string, unknown>));
  expect(rows.map(({ rank, playerId }) => `${rank as number} ${playerId as string}`).toSorted()).toEqual([
    "1 ann",
    "2 bob",
    "3 cas",
    "3 dee",
    "5 eve",
  ]);
  expect([...new Set(rows.map(({ tier }) => tier))]).toEqual(["bronze"]);
  expect([...new Set(rows.map(({ group }) => group))].toSorted()).toEqual([1, 2]);
});

test("equal scores share a rank in the file of standings, however they were added up", async () => {
  const { current, score, day } = await boards();
  await score({ ann: 1.5, cas: 1 });
  await day({ ann: 0.5, bob: 2 });
  const rows: unknown[] = [];
  for await (const page of await LISTS["standings"]!.open(database, await current(), { leaderboard: "open", start: "2031-03-10" }))
    rows.push(...page.map((json) => JSON.parse(json) as unknown));
  expect(rows).toMatchObject([
    { rank: 1, score: 2 },
    { rank: 1, score: 2 },
    { rank: 3, playerId: "cas", score: 1 },
  ]);
});

test("the current period is the one that runs, whether the next one has scores or the last one has not settled", async () => {
  const { current, score, report } = await boards();
  await score({ ann: 1, bob: 2 });
  await score({ ann: 1 }, 20);
  const { row, listed } = await report("slow");
  expect(row.periods.map(({ start }) => start)).toEqual(["2031-03-10"]);
  expect(listed).toMatchObject({ now: 2, before: null });
  await moveClock(database, await current(), "PT12H30M");
  expect((await report("slow")).listed).toMatchObject({ now: 1, before: 2 });
  await moveClock(database, await current(), "P1D");
  expect((await report("slow")).listed).toMatchObject({ now: null, before: 1 });
});

test("the scores of a board are spread by what they are, the few of a small one each", async () => {
  const { score, report } = await boards();
  await score({ ann: 2.5, bob: -1, cas: 2.5 });
  expect((await report("open")).row.scores).toEqual([
    { from: "-1", to: "-1", count: 1 },
    { from: "2.5", to: "2.5", count: 2 },
  ]);
  await score(Object.fromEntries(Array.from({ length: 38 }, (_, at) => [`p${at}`, at + 1])));
  const { scores } = (await report("open")).row;
  expect(scores[0]).toEqual({ from: "-1", to: "-1", count: 1 });
  expect(scores.slice(1, 3)).toEqual([
    { from: "1", to: "2.5", count: 4 },
    { from: "3", to: "4", count: 2 },
  ]);
  expect(scores.reduce((sum, { count }) => sum + count, 0)).toBe(41);
});
