import fc from "fast-check";
import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { ingest } from "../../game/events/service.ts";
import { firstDay, formatDay, parseDay } from "../../model/kernel/calendar.ts";
import { type Environment, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { Problem } from "../../model/kernel/problem.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { purchase } from "../../game/marketplace/service/shop.ts";
import { reversePurchase } from "../../game/marketplace/service/reversal.ts";
import { takeMetricEvent } from "../../game/metrics/service.ts";
import { acceptMission, readMissions } from "../../game/missions/service/read.ts";
import { playerKey } from "../../model/players/identity.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import { adjustPoints } from "../../game/points/service.ts";
import { changeProject } from "../../authoring/definitions/service/project-settings.ts";
import { moveClock } from "../../operations/sandbox/move-clock.ts";
import { resetSandbox } from "../../operations/sandbox/reset.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { compactAll, recount, countHistory } from "./service/counting.ts";
import { miscounted, settleAnalytics } from "../../operations/integrity/testing.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { environmentNow, loadEnvironment } from "../../engine/environment.ts";

/** Property: after any history, in any order, the kept sums equal those recomputed from log and tables. */

const database = await testDatabase();
const { sql } = database;

const DAY = 24 * 3_600_000;

const DEFINITIONS = {
  version: 1,
  events: [
    { key: "order", name: "Order" },
    { key: "visit", name: "Visit" },
  ],
  metrics: [{ key: "steps", name: "Steps", kind: "Number" }],
  catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
  streaks: [
    { key: "daily", name: "Daily", event: "visit", cadence: "Day", milestones: [{ length: 2, rewards: [{ kind: "Points", points: 7 }] }] },
  ],
  marketplaceItems: [
    { key: "voucher", name: "Voucher", priceInPoints: 10, contents: [{ catalogItem: "coffee", value: 1 }] },
    {
      key: "weekly",
      name: "Weekly",
      priceInPoints: 5,
      contents: [{ catalogItem: "coffee", value: 2 }],
      recurrence: { kind: "Calendar", every: "Week" },
    },
  ],
  missions: [
    {
      key: "orders",
      name: "Two orders",
      recurrence: { kind: "AfterCompletion", cooldownHours: 1 },
      objectives: [{ event: "order", operator: "GreaterThanOrEqualTo", target: 2 }],
      rewards: [
        { kind: "Points", points: 30 },
        { kind: "CatalogItem", catalogItem: "coffee", value: 2.5 },
      ],
    },
    {
      key: "daily_orders",
      name: "Two orders in a day",
      optIn: "Manual",
      recurrence: { kind: "Calendar", every: "Day" },
      objectives: [{ event: "order", operator: "GreaterThanOrEqualTo", target: 2 }],
      rewards: [{ kind: "Points", points: 1 }],
    },
  ],
};

type Step =
  | { kind: "event"; player: string; event: string; daysAgo: number; minutes: number }
  | { kind: "metric"; player: string; value: number; daysAgo: number }
  | { kind: "read" | "accept" | "travel" | "buy" | "buyWeekly"; player: string }
  | { kind: "adjust"; player: string; amount: number }
  | { kind: "reverse" | "drain" | "compact" | "count" | "clock" | "reset" | "uncount" }
  | { kind: "zone"; zone: string };

const player = fc.constantFrom("ann", "bob", "eve");
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant("event" as const),
      player,
      event: fc.constantFrom("order", "visit"),
      daysAgo: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 70 })),
      minutes: fc.integer({ min: 0, max: 1439 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("metric" as const),
      player,
      value: fc.constantFrom(1, 0.25, 1234.5678),
      daysAgo: fc.integer({ min: 0, max: 40 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom(...(["read", "accept", "travel", "buy", "buyWeekly"] as const)), player }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("adjust" as const), player, amount: fc.constantFrom(-5, 20) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom("reverse" as const, "drain" as const, "drain" as const, "compact" as const, "count" as const, "clock" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("reset" as const, "uncount" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("zone" as const),
      zone: fc.constantFrom("Europe/Amsterdam", "America/Havana", "Pacific/Kiritimati", "UTC"),
    }),
  },
);

const current = async ({ id }: Environment) => (await loadEnvironment(sql, id))!;

/** Refusals are part of the generated history. */
const orRefused = (work: Promise<unknown>) =>
  work.catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
  });

async function take(sandbox: Environment, one: Step): Promise<void> {
  const environment = await current(sandbox);
  const now = await environmentNow(sql, environment);
  switch (one.kind) {
    case "event":
      await ingest(database, environment, {
        items: [{ playerId: one.player, event: one.event, occurredAt: formatInstant(now - one.daysAgo * DAY - one.minutes * 60_000) }],
        mayHoldBadText: false,
        now,
      });
      return;
    case "metric":
      await takeMetricEvent(database, environment, now, {
        ...{ externalId: one.player, metricKey: "steps", value: one.value, currencyCode: null, exchangeRate: null, idempotencyKey: null },
        ...{ occurredAt: now - one.daysAgo * DAY, properties: {}, timeZone: null },
      });
      return;
    case "read":
      await readMissions(database, environment, now, { externalId: one.player, take: null, includeCompleted: false, language: null });
      return;
    case "accept":
      await orRefused(acceptMission(database, environment, one.player, "daily_orders"));
      return;
    case "travel":
      await savePlayer(database, environment, now, one.player, { timeZone: "Asia/Tokyo" });
      return;
    case "buy":
    case "buyWeekly": {
      const listingKey = one.kind === "buy" ? "voucher" : "weekly";
      await orRefused(purchase(database, environment, now, { externalId: one.player, listingKey, idempotencyKey: null }));
      return;
    }
    case "adjust":
      await orRefused(
        adjustPoints(database, environment, now, { externalId: one.player, amount: one.amount, reason: "test", idempotencyKey: null }),
      );
      return;
    case "reverse": {
      const [sold] = await sql<{ id: string }[]>`
        select id from marketplace_purchases where environment_id = ${environment.id} and reversed_at is null order by id limit 1`;
      if (sold !== undefined) await reversePurchase(database, environment, sold.id, "test");
      return;
    }
    case "drain":
      return drainFacts(database, environment.id);
    case "compact":
      await compactAll(database, () => false);
      return;
    case "count":
      await countHistory(database, environment.id, 1, () => false);
      return;
    case "clock":
      await moveClock(database, environment, "PT31H");
      return;
    case "reset":
      await resetSandbox(database, environment);
      return;
    case "uncount":
      // As after an upgrade: the existing history is not counted yet.
      await recount(database, environment);
      return;
    case "zone":
      await changeProject(database, environment, { name: "Test", defaultLanguage: "en", timeZone: one.zone }, COMMAND_LINE);
  }
}

const MEMBERS = ["ann", "bob"];
/** In the middle of the 70 days that a history may span: reports begin with whole periods. */
const MONDAY = formatDay(firstDay("Week", parseDay(formatInstant(Date.now() - 30 * DAY).slice(0, 10))));

/** The daily sums that a report on a segment of two players reads. */
async function ofSegment({ id, timeZone }: Environment, from: string): Promise<object[]> {
  const [segment, keys] = [-id, MEMBERS.map((externalId) => playerKey(id, externalId))];
  await sql.begin(async (tx) => {
    await tx`delete from segment_members where segment_id = ${segment}`;
    for (const { part, playerId } of keys) await tx`insert into segment_members values (${segment}, 1, ${part}, ${playerId})`;
  });
  return sql<object[]>`
    select measure, subject, detail, day::text as day, count, amount::float8 as amount
    from analytics_of_members(${segment}::int, 1, ${measuresFrom(from)}::text[], ${from}::text::date, 'infinity'::date, ${timeZone}) order by 1, 2, 3, 4`;
}

/** The same sums, by the recount that `audit` compares with. */
const ofPlayers = ({ id, timeZone }: Environment, from: string): Promise<object[]> => {
  const keys = MEMBERS.map((externalId) => playerKey(id, externalId));
  return sql<object[]>`
    select measure, subject, detail, day::text as day, count, amount::float8 as amount
    from analytics_recount(${id}::int, ${keys.map(({ part }) => part)}::smallint[], ${keys.map(({ playerId }) => playerId)}::uuid[], ${timeZone})
    where measure = any(${measuresFrom(from)}::text[]) and day >= ${from}::text::date order by 1, 2, 3, 4`.execute();
};

const MEASURES = [
  ...["active.day", "active.week", "active.month", "new", "retention", "completed", "duration", "items", "purchased", "reversed"],
  ...["points.granted", "points.spent", "points.refunded", "points.credited", "points.debited"],
];

const measuresFrom = (from: string): string[] => (from === MONDAY ? MEASURES.filter((measure) => measure !== "active.month") : MEASURES);

test("the kept sums equal those of the tables, after any history, at any moment", { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const { sandbox } = await testProject(database);
      const imported = await importDefinitions(database, sandbox, DEFINITIONS);
      expect(imported).not.toHaveProperty("problems");
      for (const one of steps) await take(sandbox, one);
      expect(await miscounted(database, sandbox)).toEqual([]);
      await drainFacts(database, sandbox.id);
      await settleAnalytics(database, sandbox.id);
      expect(await miscounted(database, sandbox)).toEqual([]);
      for (const from of ["-infinity", MONDAY])
        expect(await ofSegment(await current(sandbox), from)).toEqual(await ofPlayers(await current(sandbox), from));
    }),
    { numRuns: 12, endOnFailure: true },
  );
});

test("an event of the first instant that is accepted counts on the first day in any zone, also when it is counted again", async () => {
  const { slug, sandbox } = await testProject(database, { timeZone: "America/New_York" });
  expect(await importDefinitions(database, sandbox, DEFINITIONS)).not.toHaveProperty("problems");
  const environment = async () => (await loadEnvironment(sql, sandbox.id))!;
  const now = await environmentNow(sql, await environment());
  // A platform's "no date". In New York it is on the last day of the year 0.
  for (const occurredAt of ["0001-01-01T00:00:00Z", formatInstant(now)]) {
    const items = [{ playerId: "p", event: "visit", occurredAt }];
    await ingest(database, await environment(), { items, mayHoldBadText: false, now });
    await drainFacts(database, sandbox.id);
  }
  for (const timeZone of ["Asia/Tokyo", "America/New_York"]) {
    expect(await miscounted(database, await environment())).toEqual([]);
    const days = await sql`
      select min(day)::text as first from analytics_sums where project = ${slug} and measure in ('event', 'active.day', 'new')`;
    expect(days).toEqual([{ first: "0001-01-01" }]);
    const settings = { name: "Test", defaultLanguage: "en", timeZone };
    await changeProject(database, { projectId: (await environment()).projectId, projectSlug: slug }, settings, COMMAND_LINE);
    await settleAnalytics(database, sandbox.id);
  }
  expect(await miscounted(database, await environment())).toEqual([]);
});
