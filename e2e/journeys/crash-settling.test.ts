import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { type Database, openDatabase, isUnavailable } from "../../db/client.ts";
import { isSpread, testDatabase, testDatabaseUrl, timeLimit } from "../../db/testing.ts";
import { startLeaderboards } from "../../server/game/leaderboards/service/runner.ts";
import { drainFills } from "../../server/game/leaderboards/service/fill-boards.ts";
import { settlePeriods } from "../../server/game/leaderboards/settlement/settle.ts";
import { drainFacts } from "../../server/operations/worker/drain-facts.ts";
import { until } from "../../db/testing/work.ts";
import type { Backend } from "../backend.ts";
import { board, boards, spent } from "../boards.ts";
import { type BreakableWay, openBreakableWay } from "../../rehearsals/crash/breakable.ts";
import { item, measured, points } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService(await testDatabase());
const { sql } = service.database;
const DAILY = { ...measured("Sum", "amount"), period: { kind: "Calendar", every: "Day" }, settleAfterMinutes: 0 };
const first = (...rewards: object[]) => ({ prizes: [{ fromRank: 1, toRank: 1, rewards }] });
const tiers = ["bronze", "silver", "gold"].map((key) => ({ key, name: key }));
const FILE = {
  ...boards(
    board("plain", { ...DAILY, ...first(points(1), item("free_coffee", 1)) }),
    board("teams", { ...DAILY, ...first(points(10)), teamAttribute: "office" }),
    board("league", { ...DAILY, ...first(points(100)), league: { groupSize: 2, tiers, promotes: 1, relegates: 0 } }),
    board("levels", { ...DAILY, scoreSource: "Attribute", event: null, attribute: "level", measure: null }),
  ),
  catalogItems: [{ key: "free_coffee", name: "Free coffee", valueType: "Number" }],
};
const DAY = 86_400_000;
/**
 * Whichever statement of a transaction is broken, nothing of the transaction is left, unless it was committed: a break before a commit
 * leaves the same as one after the previous commit. So there is a break after each commit, before every fourth, and at some other
 * statements. Over several machines a day takes seconds, and fewer are broken.
 */
const [COMMIT_STEP, STATEMENT_STEP] = isSpread() ? [4, 29] : [1, 23];
const opened: { way: BreakableWay | null; database: Database }[] = [];

afterAll(async () => {
  for (const { way, database } of opened) {
    await database.close();
    await way?.close();
  }
});

async function open(how: "directly" | "by a way that breaks") {
  const url = await testDatabaseUrl();
  const way = how === "directly" ? null : await openBreakableWay(url);
  const database = openDatabase(way?.url ?? url, { connections: 2 });
  opened.push({ way, database });
  return { way, database };
}

/** A Sandbox whose clock is at an early hour of a day, with a worker that settles nothing by itself. */
async function openDays(): Promise<Backend> {
  await service.pause();
  const backend = await service.sandbox();
  await backend.moveTo("2031-03-01T06:00:00Z");
  await backend.define(FILE);
  await backend.subscribe("http://127.0.0.1:9/no-receiver", "leaderboard.period_closed", "catalog_item.fulfillment_requested");
  for (const [name, office] of Object.entries({ ann: "ams", bob: "ams", cid: "ber" }))
    await backend.setAttributes(name, { office, level: 5 });
  // No period settles before a board over an attribute has the values that players held when it was made.
  await drainFills(service.database, backend.environment.id);
  return backend;
}

/** The clock jumps a day ahead, and the resulting work is not done yet. */
const nextDay = ({ environment }: Backend) =>
  sql`update environments set clock_offset_ms = clock_offset_ms + ${DAY} where id = ${environment.id}`;

async function play(backend: Backend): Promise<void> {
  const clock = (await backend.get("/v1/points?PlayerId=nobody")).headers["x-sandbox-time"] as string;
  await backend.send(...Object.entries({ ann: 3, bob: 2, cid: 4 }).map(([name, amount]) => spent(name, amount, { occurredAt: clock })));
  await drainFacts(service.database, backend.environment.id);
}

/** The result after a number of settled days: everything once. */
async function expectDays(backend: Backend, days: number): Promise<void> {
  const { id } = backend.environment;
  const balances = await Promise.all(["ann", "bob", "cid"].map(async (name) => (await backend.points(name)).balance));
  // Cid is first of the players, ann and bob are the first team; in the league ann and bob share a group, and cid has one alone.
  const tierPrizes = await leaguePrizes(days);
  expect(balances, `day ${days}`).toEqual([days * 10 + tierPrizes.ann, days * 10 + tierPrizes.bob, days + tierPrizes.cid]);
  const sent = await sql<{ event: string; count: number; sources: number }[]>`
    select event, count(*) as count, count(distinct source_id) as sources from webhook_deliveries where environment_id = ${id} group by event order by event`;
  expect([...sent]).toEqual([
    { event: "catalog_item.fulfillment_requested", count: days, sources: days },
    { event: "leaderboard.period_closed", count: days * 4, sources: days * 4 },
  ]);
  const waiting = await sql`select from leaderboard_periods where environment_id = ${id} and step <> 'Settled'`;
  expect(waiting).toHaveLength(4);
}

/**
 * The points each has won. A league's groups have two seats, filled in the order ann, bob, cid; the winner of a group gets 100 points and
 * moves up a tier, as far as gold.
 */
async function leaguePrizes(days: number): Promise<{ ann: number; bob: number; cid: number }> {
  const scores = { ann: 3, bob: 2, cid: 4 };
  const tier = { ann: 0, bob: 0, cid: 0 };
  const won = { ann: 0, bob: 0, cid: 0 };
  type Name = keyof typeof tier;
  for (let day = 0; day < days; day++) {
    const groups: Name[][] = [0, 1, 2].flatMap((at) => {
      const own = (Object.keys(tier) as Name[]).filter((name) => tier[name] === at);
      return [own.slice(0, 2), own.slice(2)].filter(({ length }) => length > 0);
    });
    for (const group of groups) {
      const [winner] = group.sort((a, b) => scores[b] - scores[a]);
      won[winner!] += 100;
      tier[winner!] = Math.min(2, tier[winner!] + 1);
    }
  }
  return won;
}

const settledPeriods = async ({ environment }: Backend): Promise<number> =>
  (await sql`select from leaderboard_periods where environment_id = ${environment.id} and step = 'Settled'`).length;

const settleAll = async (database: Database, { environment }: Backend) => {
  while ((await settlePeriods(database, environment.id)) > 0);
};

test(
  "a settlement whose connection breaks after any of its commits, before one, or at another statement, completes exactly once",
  async () => {
    const backend = await openDays();
    const { way, database } = await open("by a way that breaks");
    let day = 0;
    /** Settles one more day, broken once; false if it was settled before the break. */
    const isBroken = async (number: number, when: "before" | "after", of: "statements" | "commits"): Promise<boolean> => {
      day++;
      await play(backend);
      await nextDay(backend);
      way!.arm(number, { when, how: "politely" }, of);
      const error = await settleAll(database, backend).catch((reason: unknown) => reason);
      const isThrough = way!.disarm();
      if (error instanceof Error) expect(isUnavailable(error), String(error)).toBe(true);
      // The transaction of a broken connection may still hold its period, which other workers skip meanwhile.
      await until(async () => {
        await settleAll(service.database, backend);
        return (await settledPeriods(backend)) === day * 4;
      });
      await expectDays(backend, day);
      return !isThrough;
    };
    let commit = 1;
    for (; await isBroken(commit, "after", "commits"); commit += COMMIT_STEP)
      if (commit % 4 === 1) await isBroken(commit, "before", "commits");
    expect(commit).toBeGreaterThan(10);
    for (let statement = 1; await isBroken(statement, day % 2 === 0 ? "before" : "after", "statements");) statement += STATEMENT_STEP;
    service.resume();
  },
  timeLimit(600_000),
);

test(
  "several workers that settle the same periods concurrently do everything once",
  async () => {
    const backend = await openDays();
    const faults: string[] = [];
    const logger = pino({ level: "warn" }, { write: (line: string) => void faults.push(line) });
    for (let day = 1; day <= 3; day++) {
      await play(backend);
      await nextDay(backend);
      const databases = await Promise.all([1, 2, 3].map(() => open("directly")));
      const workers = databases.map(({ database }) => startLeaderboards({ database, logger, onEffects() {} }));
      await until(async () => (await settledPeriods(backend)) === day * 4);
      await Promise.all(workers.map((worker) => worker.stop()));
      await expectDays(backend, day);
    }
    service.resume();
    expect(faults).toEqual([]);
  },
  timeLimit(120_000),
);

test(
  "one environment's settling does not block another's: they take turns",
  async () => {
    const backends = [await openDays(), await openDays()];
    for (const backend of backends) {
      await play(backend);
      await nextDay(backend);
    }
    const { database } = await open("directly");
    const worker = startLeaderboards({ database, logger: pino({ level: "silent" }), onEffects() {}, turnMs: 0 });
    await until(async () => (await Promise.all(backends.map(settledPeriods))).every((count) => count === 4));
    await worker.stop();
    service.resume();
    const ids = backends.map(({ environment }) => environment.id);
    const settled = await sql<{ id: number }[]>`
    select environment_id as id from leaderboard_periods where environment_id = any(${ids}) and step = 'Settled' order by xmin::text::bigint`;
    const order = settled.map(({ id }) => ids.indexOf(id)).join("");
    // A worker that does not alternate settles the three boards over events of one environment first. Later an environment may miss a turn,
    // while it waits for facts.
    expect(order).not.toMatch(/^(000|111)/);
  },
  timeLimit(120_000),
);
