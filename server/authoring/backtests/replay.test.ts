import fc from "fast-check";
import { expect, test } from "vitest";
import { testDatabase, testProject, type TestProject } from "#db/testing.ts";
import { ingest } from "../../game/events/service.ts";
import { takeMetricEvent } from "../../game/metrics/service.ts";
import { settlePeriods } from "../../game/leaderboards/settlement/settle.ts";
import { acceptMission, readMissions } from "../../game/missions/service/read.ts";
import type { VariantResult } from "../../model/backtests/result.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { periodAt } from "../../model/kernel/time.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import { importDefinitions } from "../definitions/service/import.ts";
import { runBacktest } from "./service/run.ts";

/** A backtest of all players is compared with the same history, played through the service. */

const database = await testDatabase();
const HOUR = 3_600_000;
const DAYS = 7;

const ORDER = { event: "order_placed", where: { property: "amount", operator: "GreaterThan", value: 10 } };
const mission = fc
  .record({
    optIn: fc.constantFrom("Automatic", "Manual"),
    objectiveOrder: fc.constantFrom("AnyOrder", "InOrder"),
    recurrence: fc.constantFrom(
      { kind: "None" },
      { kind: "Calendar", every: "Day" },
      { kind: "AfterCompletion", cooldownHours: 12 },
      { kind: "AfterCompletion", maxOccurrences: 2 },
    ),
    objectives: fc.constantFrom(
      [{ ...ORDER, target: 2 }],
      [
        { ...ORDER, target: 1 },
        { event: "visited", target: 2 },
      ],
      [{ event: "order_placed", measure: { kind: "DistinctDays" }, target: 2 }],
      [{ metric: "spent", measure: { kind: "Sum" }, target: 40 }],
      [{ event: "order_placed", where: { when: { from: "06:00", until: "18:00" } }, target: 1 }],
    ),
    audience: fc.constantFrom(
      { rule: null },
      { rule: { event: "visited", measure: { kind: "Count" }, operator: "GreaterThanOrEqualTo", value: 2, lastDays: 3 } },
      { rule: { share: 60 } },
    ),
  })
  .map(({ objectives, ...one }) => ({
    ...{ key: "tried", name: "Tried", ...one },
    objectives: (objectives as readonly object[]).map((objective): object => ({ operator: "GreaterThanOrEqualTo", ...objective })),
    rewards: [
      { kind: "Points", points: 30 },
      { kind: "CatalogItem", catalogItem: "coffee", value: 2 },
    ],
  }));

/** What players do, in hours since the window began; late events were received up to twenty hours after they happened. */
const happening = fc.record({
  player: fc.constantFrom("ann", "bob"),
  what: fc.constantFrom("order_placed", "order_placed", "visited", "spent"),
  hour: fc.integer({ min: 1, max: DAYS * 24 - 1 }),
  late: fc.constantFrom(0, 0, 0, 3, 20),
  amount: fc.integer({ min: 8, max: 40 }),
});
const history = fc
  .array(happening, { minLength: 20, maxLength: 26 })
  .map((all) => all.sort((a, b) => a.hour - b.hour).map((one, at) => ({ ...one, minute: at })));

const FILE = {
  version: 1,
  baseCurrency: "EUR",
  events: [
    { key: "order_placed", name: "Order", properties: [{ key: "amount", type: "Number" }] },
    { key: "visited", name: "Visit" },
  ],
  attributes: [{ key: "team", name: "Team", type: "String" }],
  metrics: [{ key: "spent", name: "Spent", kind: "Number" }],
  catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
  pointsValuations: [{ effectiveFrom: "2020-01-01T00:00:00Z", points: 100, amount: 1, currency: "EUR" }],
};

type Drawn<From> = From extends fc.Arbitrary<infer Value> ? Value : never;

/** A mission of every day, and a player who completes it on each: whatever else is drawn, something happens. */
const BUSY: [Drawn<typeof mission>, Drawn<typeof history>] = [
  {
    ...{ key: "tried", name: "Tried", optIn: "Automatic", objectiveOrder: "AnyOrder", audience: { rule: null } },
    recurrence: { kind: "Calendar", every: "Day" },
    objectives: [{ operator: "GreaterThanOrEqualTo", ...ORDER, target: 2 }],
    rewards: [
      { kind: "Points", points: 30 },
      { kind: "CatalogItem", catalogItem: "coffee", value: 2 },
    ],
  },
  Array.from({ length: 20 }, (_, at) => ({ player: "ann", what: "order_placed", hour: 1 + 8 * at, late: 0, amount: 20, minute: at })),
];

/** Moves the Sandbox clock, backwards as well. */
async function clockAt({ sandbox }: TestProject, instant: number): Promise<Environment> {
  const offset = Math.round(instant - Date.now());
  await database.sql`update environments set clock_offset_ms = ${offset} where id = ${sandbox.id}`;
  const [row] = await database.sql<{ version: number }[]>`select definitions_version as version from environments where id = ${sandbox.id}`;
  return { ...sandbox, clockOffsetMs: offset, definitionsVersion: row!.version };
}

/**
 * Reads the missions as an app does, and accepts what is offered, until nothing more is. A backtest assumes this before each event that the
 * mission or its audience counts: it reads no others.
 */
async function open(environment: Environment, externalId: string, now: number): Promise<void> {
  for (;;) {
    const rows = await readMissions(database, environment, now, { externalId, includeCompleted: false, language: null, take: null });
    const offered = rows.filter(({ status }) => status === "Available");
    if (offered.length === 0) return;
    for (const { missionKey } of offered) await acceptMission(database, environment, externalId, missionKey);
  }
}

test("of all players, it has the outcomes of the same history played through the service", { timeout: 120_000 }, async () => {
  let completed = 0;
  await fc.assert(
    fc.asyncProperty(mission, history, async (definition, happenings) => {
      const project = await testProject(database);
      const end = Date.now();
      const from = periodAt(end - DAYS * 24 * HOUR, "UTC", "Day").startsAt;
      const before = await clockAt(project, from - HOUR);
      expect(await importDefinitions(database, before, { ...FILE, missions: [definition] })).not.toHaveProperty("problems");
      const players = ["ann", "bob"];
      const atStart = await clockAt(project, from);
      for (const player of players) await open(atStart, player, from);
      for (const { player, what, hour, minute, late, amount } of happenings) {
        const now = from + hour * HOUR + minute * 60_000;
        const environment = await clockAt(project, now);
        if (JSON.stringify(definition).includes(`"${what}"`)) await open(environment, player, now);
        if (what === "spent") {
          const sent = { metricKey: what, value: amount, currencyCode: null, exchangeRate: null, occurredAt: now - late * HOUR };
          const rest = { externalId: player, properties: {}, idempotencyKey: null, timeZone: null };
          await takeMetricEvent(database, environment, now, { ...sent, ...rest });
        } else {
          const occurredAt = new Date(now - late * HOUR).toISOString();
          const items = [{ playerId: player, event: what, occurredAt, properties: what === "visited" ? {} : { amount } }];
          expect(await ingest(database, environment, { items, mayHoldBadText: false, now })).toMatchObject([{ accepted: true }]);
        }
        await drainFacts(database, environment.id);
      }
      const environment = await clockAt(project, end);
      const result = await runBacktest(database, environment, {
        ...{ kind: "missions", document: JSON.stringify({ ...definition, name: "Tried again" }), along: [] },
        ...{ days: DAYS, entry: "WindowStart", sample: 10_000 },
      });
      const [played] = await database.sql<{ players: number; completions: number; points: number }[]>`
        select (select count(distinct player_id) from mission_completions where environment_id = ${environment.id})::int as players,
          (select count(*) from mission_completions where environment_id = ${environment.id})::int as completions,
          coalesce((select sum(amount) from points_transactions where environment_id = ${environment.id}), 0)::int as points`;
      expect([result.isExact, result.players, result.played]).toEqual([true, 2, 2]);
      const { draft } = result;
      expect({
        players: draft.completed.value,
        completions: draft.completions.value,
        points: draft.spans.reduce((sum, { points }) => sum + points.value, 0),
      }).toEqual(played);
      expect(draft.perWeek.items.map(({ key }) => key)).toEqual(played!.completions > 0 ? ["coffee"] : []);
      for (const one of [draft.qualified, draft.completions, draft.perWeek.points])
        expect([one.low, one.high]).toEqual([one.value, one.value]);
      // The draft differs from the saved mission only in its name, so its figures are the same.
      expect(result.difference === null || result.difference.points.value === 0).toBe(true);
      completed += played!.completions;
    }),
    { numRuns: 8, examples: [BUSY] },
  );
  expect(completed).toBeGreaterThan(5);
});

const board = fc
  .record({
    rankOrder: fc.constantFrom("HighestFirst", "LowestFirst"),
    measure: fc.constantFrom({ kind: "Count" }, { kind: "Sum", property: "amount" }, { kind: "Max", property: "amount" }),
    shape: fc.constantFrom<object>(
      {},
      { league: { groupSize: 2, tiers: ["low", "high"].map((key) => ({ key, name: key })), promotes: 1, relegates: 1 } },
      { teamAttribute: "team" },
    ),
    audience: fc.constantFrom({ rule: null }, { rule: { share: 60 } }),
  })
  .map(({ shape, ...one }) => ({
    ...{ key: "tried", name: "Tried", scoreSource: "Event", event: "order_placed", period: { kind: "Calendar", every: "Day" } },
    ...{ ...one, ...shape },
    settleAfterMinutes: 0,
    prizes: [
      { fromRank: 1, toRank: 1, rewards: [{ kind: "Points", points: 50 }] },
      {
        fromRank: 2,
        toRank: 3,
        rewards: [
          { kind: "Points", points: 7 },
          { kind: "CatalogItem", catalogItem: "coffee", value: 2 },
        ],
      },
    ],
  }));
const streak = fc
  .record({
    target: fc.constantFrom(1, 2),
    freezes: fc.constantFrom(null, { max: 1, earnEvery: 2 }),
    where: fc.constantFrom(null, { property: "amount", operator: "GreaterThan", value: 9 }),
  })
  .map((one) => ({
    ...{ key: "tried", name: "Tried", event: "order_placed", cadence: "Day", ...one },
    milestones: [1, 2, 3].map((length) => ({ length, rewards: [{ kind: "Points", points: 10 ** length }] })),
  }));
const OF_POINTS = {
  ...{ key: "points", name: "Points", scoreSource: "Points", rankOrder: "HighestFirst", period: { kind: "Calendar", every: "Day" } },
  ...{ settleAfterMinutes: 0, prizes: [{ fromRank: 1, toRank: 2, rewards: [{ kind: "Points", points: 3 }] }] },
};
const GUESTS = ["ann", "bob", "cid", "dan", "eve"];
const orders = fc
  .array(
    fc.record({
      player: fc.constantFrom(...GUESTS),
      hour: fc.integer({ min: 1, max: DAYS * 24 - 1 }),
      late: fc.constantFrom(0, 0, 0, 3, 20),
      amount: fc.integer({ min: 8, max: 12 }),
    }),
    { minLength: 25, maxLength: 35 },
  )
  .map((all) => all.sort((a, b) => a.hour - b.hour).map((one, at) => ({ ...one, minute: at })));

test("of all players, a board's prizes and a streak's rewards are those that the service has given", { timeout: 120_000 }, async () => {
  let [won, kept] = [0, 0];
  await fc.assert(
    fc.asyncProperty(board, streak, orders, async (definition, daily, placed) => {
      const project = await testProject(database);
      const end = Date.now();
      const from = periodAt(end - DAYS * 24 * HOUR, "UTC", "Day").startsAt;
      const before = await clockAt(project, from - HOUR);
      const file = { ...FILE, leaderboards: [definition, OF_POINTS], streaks: [daily] };
      expect(await importDefinitions(database, before, file)).not.toHaveProperty("problems");
      // The last guest is in no team.
      for (const guest of GUESTS) await savePlayer(database, before, from - HOUR, guest, {});
      await database.sql`
        insert into attribute_values (part, player_id, attribute_id, value, occurred_at)
        select p.part, p.player_id, d.id, case when p.external_id < 'c' then '"red"' else '"blue"' end::json, now()
        from players p join definitions d on d.environment_id = p.environment_id and d.kind = 'attributes'
        where p.environment_id = ${before.id} and p.external_id <> 'eve'`;
      for (const { player, hour, minute, late, amount } of placed) {
        const now = from + hour * HOUR + minute * 60_000;
        const environment = await clockAt(project, now);
        while ((await settlePeriods(database, environment.id)) > 0);
        const items = [
          { playerId: player, event: "order_placed", occurredAt: new Date(now - late * HOUR).toISOString(), properties: { amount } },
        ];
        await ingest(database, environment, { items, mayHoldBadText: false, now });
        await drainFacts(database, environment.id);
      }
      const environment = await clockAt(project, end);
      while ((await settlePeriods(database, environment.id)) > 0);
      await drainFacts(database, environment.id);
      const run = (kind: "leaderboards" | "streaks", document: object) =>
        runBacktest(database, environment, {
          ...{ kind, document: JSON.stringify(document), along: [] },
          ...{ days: DAYS, entry: "WindowStart", sample: 100 },
        });
      const { id } = environment;
      const [real] = await database.sql<{ winners: number; points: number; coffees: number }[]>`
        select count(distinct player_id)::int as winners, coalesce(sum(amount), 0)::int as points,
          (select count(*) from owed_items where environment_id = ${id})::int * 2 as coffees
        from points_transactions where environment_id = ${id} and source_type = 'Leaderboard' and source_definition_id =
          (select d.id from definitions d where d.environment_id = ${id} and d.kind = 'leaderboards' and d.key = 'tried')`;
      const [ofPoints] = await database.sql<{ points: number }[]>`
        select coalesce(sum(amount), 0)::int as points from points_transactions where environment_id = ${id} and source_definition_id =
          (select d.id from definitions d where d.environment_id = ${id} and d.kind = 'leaderboards' and d.key = 'points')`;
      const pointsOf = ({ spans }: VariantResult) => spans.reduce((sum, { points }) => sum + points.value, 0);
      expect(pointsOf((await run("leaderboards", OF_POINTS)).draft)).toBe(ofPoints!.points);
      const [streaks] = await database.sql<{ players: number; points: number }[]>`
        select count(distinct player_id)::int as players, coalesce(sum(amount), 0)::int as points
        from points_transactions where environment_id = ${id} and source_type = 'StreakMilestone'`;
      const { draft: played } = await run("streaks", daily);
      expect({
        players: played.completed.value,
        points: pointsOf(played),
      }).toEqual(streaks);
      kept += streaks!.points;
      const result = await run("leaderboards", {
        ...definition,
        prizes: definition.prizes.map((prize, at) => (at === 1 ? { ...prize, toRank: 2 } : prize)),
      });
      expect([result.isExact, result.periods]).toEqual([true, { draft: DAYS, today: DAYS }]);
      const today = result.today!;
      const weeks = (Date.parse(result.to) - Date.parse(result.from)) / (7 * 24 * HOUR);
      expect({
        winners: today.completed.value,
        points: pointsOf(today),
        coffees: Math.round((today.perWeek.items[0]?.quantity.value ?? 0) * weeks),
      }).toEqual(real);
      expect(result.difference!.points.value).toBe(7 * (result.draft.stops[1]!.players.value - today.stops[1]!.players.value));
      won += real!.points;
    }),
    { numRuns: 4, endOnFailure: true },
  );
  expect(won).toBeGreaterThan(0);
  expect(kept).toBeGreaterThan(0);
});
