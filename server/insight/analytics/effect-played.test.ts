import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { readOnly } from "#db/client.ts";
import { testDatabase, testProject } from "#db/testing.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { environmentNow, loadEnvironment } from "../../engine/environment.ts";
import { ingest } from "../../game/events/service.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { settleAnalytics } from "../../operations/integrity/testing.ts";
import { moveClockUpTo } from "../../operations/sandbox/move-clock.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { openReport } from "./service/reports/context.ts";
import { type EffectAsked, reportEffect } from "./service/reports/effect.ts";

const database = await testDatabase();
const { sql } = database;

const START = Date.parse("2031-03-10T12:00:00Z");
const DAY = 24 * 3_600_000;
/** The days of the comparison, and as many before day 0, on which the definitions are created. */
const DAYS = [1, 2, 3, 4, 5, 6, 7, 8];
const BEFORE = DAYS.map((day) => day - 9);

const rewards = (points: number, value: unknown) => [
  { kind: "Points", points },
  { kind: "CatalogItem", catalogItem: typeof value === "number" ? "coffee" : "badge", value },
];
const daily = { period: { kind: "Calendar", every: "Day" }, rankOrder: "HighestFirst", settleAfterMinutes: 0, scoreSource: "Event" };
const board = { ...daily, event: "order", measure: { kind: "Count" } };
const TARGET = 32;
const objectives = [{ event: "order", operator: "GreaterThanOrEqualTo", target: TARGET }];
const audience = { rule: { share: 50 } };
const events = [
  { key: "order", name: "Order" },
  { key: "visit", name: "Visit" },
];
/** Of each kind, a definition that is compared and another one that pays as well. */
const DEFINITIONS = {
  version: 1,
  events,
  catalogItems: [
    { key: "coffee", name: "Coffee", valueType: "Number" },
    { key: "badge", name: "Badge", valueType: "String" },
  ],
  missions: [
    { key: "shared", name: "Shared", objectives, audience, rewards: rewards(3, 0.5) },
    { key: "open", name: "Open", objectives, rewards: rewards(100, 100) },
  ],
  streaks: [
    { key: "shared", name: "Shared", event: "visit", cadence: "Day", milestones: [{ length: 3, rewards: rewards(5, 2) }] },
    { key: "open", name: "Open", event: "visit", cadence: "Day", milestones: [{ length: 2, rewards: rewards(100, 100) }] },
  ],
  leaderboards: [
    { key: "shared", name: "Shared", ...board, audience, prizes: [{ fromRank: 1, toRank: 3, rewards: rewards(7, "gold") }] },
    { key: "open", name: "Open", ...board, prizes: [{ fromRank: 1, toRank: 1, rewards: rewards(100, 100) }] },
  ],
};

/** The rule for shares as the specification has it, in separate code. */
const isInside = (kind: string, n: number): boolean =>
  createHash("sha256").update(`${kind}:shared\0p${n}`).digest().readBigUInt64BE() < 1n << 63n;

const players = Array.from({ length: 80 }, (_, n) => n);
const ordersOf = (n: number, day: number): number =>
  (isInside("missions", n) || isInside("leaderboards", n) ? 3 : 1) + ((n + day + 21) % 3);
const visitsOf = (n: number, day: number): number => Number((n + day + 20) % (2 + (n % 4)) !== 0);

/** The rewards of each definition, by its rules: once for a number of orders, each third day of a run, the three first ranks of a day. */
const PAID: Record<EffectAsked["kind"], { times(inside: number[]): number; points: number; items: number }> = {
  missions: {
    ...{ points: 3, items: 0.5 },
    times: (inside) => inside.filter((n) => DAYS.reduce((sum, day) => sum + ordersOf(n, day), 0) >= TARGET).length,
  },
  streaks: {
    ...{ points: 5, items: 2 },
    times: (inside) =>
      inside.reduce((sum, n) => {
        const days = DAYS.map((day) => (visitsOf(n, day) > 0 ? "x" : " ")).join("");
        return sum + days.split(" ").filter((run) => run.length >= 3).length;
      }, 0),
  },
  leaderboards: {
    ...{ points: 7, items: 1 },
    times: (inside) =>
      DAYS.reduce((sum, day) => {
        const ranked = (n: number) => 1 + inside.filter((other) => ordersOf(other, day) > ordersOf(n, day)).length;
        return sum + inside.filter((n) => ranked(n) <= 3).length;
      }, 0),
  },
};

/** Plays all days: the events, then the definitions and a read of the missions, then the days after. */
async function played(): Promise<Environment> {
  const { sandbox } = await testProject(database);
  const current = async () => (await loadEnvironment(sql, sandbox.id))!;
  const play = async (day: number) => {
    await moveClockUpTo(database, await current(), START + day * DAY);
    const occurredAt = formatInstant(START + day * DAY);
    const items = players.flatMap((n) =>
      (["order", "visit"] as const).flatMap((event) =>
        Array<object>(event === "order" ? ordersOf(n, day) : visitsOf(n, day)).fill({ playerId: `p${n}`, event, occurredAt }),
      ),
    );
    const environment = await current();
    await ingest(database, environment, { items, mayHoldBadText: false, now: await environmentNow(sql, environment) });
    await drainFacts(database, environment.id);
  };
  await moveClockUpTo(database, sandbox, START - 9 * DAY);
  expect(await importDefinitions(database, await current(), { version: 1, events })).not.toHaveProperty("problems");
  for (const n of players) await savePlayer(database, await current(), START - 9 * DAY, `p${n}`, {});
  for (const day of BEFORE) await play(day);
  await moveClockUpTo(database, await current(), START);
  expect(await importDefinitions(database, await current(), DEFINITIONS)).not.toHaveProperty("problems");
  for (const n of players)
    await readMissions(database, await current(), START, { externalId: `p${n}`, take: null, includeCompleted: false, language: null });
  for (const day of DAYS) await play(day);
  // The last day's board settles.
  await moveClockUpTo(database, await current(), START + 9 * DAY);
  await settleAnalytics(database, sandbox.id);
  return current();
}

test("the figures of a mission, a streak and a board that were played are a recount's, and so are the points and items they cost", async () => {
  const environment = await played();
  const now = await environmentNow(sql, environment);
  const ledger = await sql<{ externalId: string; points: number; beforeToday: number }[]>`
    select p.external_id, sum(t.amount)::int as points,
      coalesce(sum(t.amount) filter (where t.occurred_at < ${new Date(START + 8.5 * DAY)}), 0)::int as before_today
    from points_transactions t join players p using (part, player_id)
    where t.environment_id = ${environment.id} group by 1`;
  const earned = new Map(ledger.map((row) => [row.externalId, row]));
  for (const kind of ["missions", "streaks", "leaderboards"] as const) {
    const report = await readOnly(database, async (tx) =>
      reportEffect(tx, await openReport(tx, environment, now), { kind, key: "shared", event: null }),
    );
    // Streaks have no audience, so no share: the same players are compared before and since.
    const isShared = kind !== "streaks";
    const inside = isShared ? players.filter((n) => isInside(kind, n)) : players;
    const outside = isShared ? players.filter((n) => !isInside(kind, n)) : players;
    expect(report.basis, kind).toBe(isShared ? "Share" : "Before");
    expect(report.groups).toMatchObject({ inside: inside.length, outside: outside.length, share: isShared ? 0.5 : null });
    const sumOf = (of: (n: number, day: number) => number) =>
      [inside, outside].map((group, at) => {
        const days = at === 1 && !isShared ? BEFORE : DAYS;
        return group.reduce((sum, n) => sum + days.reduce((all, day) => all + of(n, day), 0), 0);
      });
    const row = (measure: string) => {
      const found = report.rows.find((one) => one.measure === measure)!;
      return [found.inside.sum, found.outside.sum];
    };
    const chosen = sumOf(isShared ? ordersOf : visitsOf);
    expect(row("chosen"), kind).toEqual(chosen);
    expect(row("events"), kind).toEqual(sumOf((n, day) => ordersOf(n, day) + visitsOf(n, day)));
    expect(row("activeDays"), kind).toEqual(sumOf(() => 1));
    // The same players are compared by whole days.
    const until = isShared ? "points" : "beforeToday";
    const earnedBy = (group: number[]) => group.reduce((sum, n) => sum + (earned.get(`p${n}`)?.[until] ?? 0), 0);
    expect(row("points"), kind).toEqual([earnedBy(inside), isShared ? earnedBy(outside) : 0]);
    const { times, points, items } = PAID[kind];
    const cost = { points: times(inside) * points, items: times(inside) * items };
    expect(times(inside), kind).toBeGreaterThan(0);
    expect(report.cost, kind).toMatchObject(cost);
    const additional = chosen[0]! - (chosen[1]! / outside.length) * inside.length;
    expect(report.cost.perAdditional, kind).toEqual(
      isShared ? { points: expect.closeTo(cost.points / additional), items: expect.closeTo(cost.items / additional) } : null,
    );
  }
});
