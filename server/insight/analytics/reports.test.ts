import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { ingest } from "../../game/events/service.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { purchase } from "../../game/marketplace/service/shop.ts";
import { acceptMission, readMissions } from "../../game/missions/service/read.ts";
import { playerKey } from "../../model/players/identity.ts";
import { takeMetricEvent } from "../../game/metrics/service.ts";
import { adjustPoints } from "../../game/points/service.ts";
import { moveClockUpTo } from "../../operations/sandbox/move-clock.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { writeAttributes } from "../../game/attributes/service.ts";
import { compareCounts, countStep } from "../../game/segments/service/count.ts";
import { keepSumsOf } from "./service/counting.ts";
import { Decimal } from "../../model/kernel/decimal.ts";
import { FIRST_PAGE, type TableView } from "../../model/analytics/table.ts";
import { MAX_COHORT_WEEKS } from "../../model/analytics/sums.ts";
import { openReport } from "./service/reports/context.ts";
import { reportEvents } from "./service/reports/events.ts";
import { reportCompletions, reportMission, reportMissions } from "./service/reports/missions.ts";
import { reportOverview } from "./service/reports/overview.ts";
import { reportPlayers } from "./service/reports/players.ts";
import { reportPoints } from "./service/reports/points.ts";
import { reportShop } from "./service/reports/shop.ts";
import { reportStale, STALE_DAYS, UNUSED_KEY_DAYS } from "./service/reports/stale.ts";
import { createApiKey } from "../../people/api-keys/api-keys.ts";
import { reportStreaks } from "./service/reports/streaks.ts";
import { takeSnapshots } from "./service/snapshots.ts";
import { erasePlayer } from "../../operations/privacy/erase.ts";
import { settleAnalytics } from "../../operations/integrity/testing.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { environmentNow, loadEnvironment } from "../../engine/environment.ts";

const database = await testDatabase();
const { sql } = database;

const DEFINITIONS = {
  version: 1,
  events: [{ key: "order", name: "Order" }],
  streaks: [
    {
      key: "daily",
      name: "Daily",
      event: "order",
      cadence: "Day",
      freezes: { max: 1, earnEvery: 1 },
      milestones: [{ length: 2, rewards: [{ kind: "Points", points: 7 }] }],
    },
  ],
  catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
  marketplaceItems: [{ key: "voucher", name: "Voucher", priceInPoints: 10, stock: 2, contents: [{ catalogItem: "coffee", value: 1 }] }],
  missions: [
    {
      key: "three",
      name: "Three orders",
      optIn: "Manual",
      objectives: [
        { event: "order", operator: "GreaterThanOrEqualTo", target: 1 },
        { event: "order", operator: "GreaterThanOrEqualTo", target: 3 },
      ],
      rewards: [
        { kind: "Points", points: 30 },
        { kind: "CatalogItem", catalogItem: "coffee", value: 3 },
      ],
    },
  ],
};

/** A Monday at noon in Amsterdam, in 2031; clocks go forward on Sunday, 30 March. */
const MONDAY = Date.parse("2031-03-24T11:00:00Z");
const DAY = 24 * 3_600_000;

const current = async ({ id }: Environment) => (await loadEnvironment(sql, id))!;

async function shop() {
  const { sandbox } = await testProject(database, { timeZone: "Europe/Amsterdam" });
  await importDefinitions(database, sandbox, DEFINITIONS);
  await moveClockUpTo(database, await current(sandbox), MONDAY);
  const at = async (instant: number) => moveClockUpTo(database, await current(sandbox), instant);
  const order = async (playerId: string, occurredAt?: number) => {
    const environment = await current(sandbox);
    const now = await environmentNow(sql, environment);
    const items = [{ playerId, event: "order", occurredAt: formatInstant(occurredAt ?? now) }];
    await ingest(database, environment, { items, mayHoldBadText: false, now });
    await drainFacts(database, environment.id);
  };
  const report = async () => {
    const environment = await current(sandbox);
    return openReport(sql, environment, await environmentNow(sql, environment));
  };
  const read = async (externalId: string) => {
    const environment = await current(sandbox);
    await readMissions(database, environment, await environmentNow(sql, environment), {
      externalId,
      take: null,
      includeCompleted: false,
      language: null,
    });
  };
  return { sandbox, at, order, report, read };
}

const WEEKS = { from: "2031-03-17", to: "2031-04-06", by: "Week", table: FIRST_PAGE, of: null } as const;

test("players are counted by day, week and month, and a late event makes an earlier week their first", async () => {
  const { sandbox, at, order, report } = await shop();
  await order("ann");
  await order("bob");
  await at(MONDAY + 6 * DAY);
  await order("ann");
  await at(MONDAY + 8 * DAY);
  await order("ann");
  await order("bob", MONDAY - 5 * DAY);
  await settleAnalytics(database, sandbox.id);

  expect(await reportPlayers(await report(), WEEKS)).toMatchObject({
    frame: { starts: ["2031-03-17", "2031-03-24", "2031-03-31"], today: "2031-04-01", progress: { done: 0, total: 0 } },
    active: { values: [1, 2, 1], before: [0, 0, 0] },
    new: { values: [1, 1, 0] },
    returning: { values: [0, 1, 1] },
    cohorts: [
      { week: "2031-03-17", counts: [1, 1, 0] },
      { week: "2031-03-24", counts: [1, 1] },
    ],
  });
  const months = await reportPlayers(await report(), { from: "2031-03-01", to: "2031-04-30", by: "Month" });
  expect(months.active.values).toEqual([2, 1]);
  const days = await reportEvents(await report(), { ...WEEKS, from: "2031-03-30", to: "2031-04-01", by: "Day" });
  expect(days.total).toEqual({ values: [1, 0, 1], before: [0, 0, 0] });
});

test("a range of decades with players in each week has a square of retention, of its last first weeks", async () => {
  const { sandbox, report } = await shop();
  await sql`
    insert into analytics_daily (environment_id, epoch, measure, subject, detail, day, count, amount)
    select ${sandbox.id}, 0, 'retention', 0, (week - after * 7)::text, week, 1, 0
    from (select date '2031-03-24' - at * 7 as week from generate_series(0, 1700) at) w, unnest(array[0, 1, 103, 104]) after`;
  const { cohorts } = await reportPlayers(await report(), { from: "1999-01-01", to: "2031-03-31", by: "Month" });
  expect(cohorts).toHaveLength(MAX_COHORT_WEEKS);
  expect(cohorts.slice(-2)).toEqual([
    { week: "2031-03-17", counts: [1, 1] },
    { week: "2031-03-24", counts: [1] },
  ]);
  const early = await reportPlayers(await report(), { from: "1999-01-01", to: "2026-12-31", by: "Month" });
  expect(early.cohorts).toHaveLength(MAX_COHORT_WEEKS);
  expect(early.cohorts.at(-1)).toEqual({ week: "2026-12-28", counts: [1, 1, ...Array(101).fill(0), 1] });
});

test("amounts of metrics are added up digit for digit, those in a currency in the base currency", async () => {
  const { sandbox, report } = await shop();
  const metrics = [
    { key: "steps", name: "Steps", kind: "Number" },
    { key: "spend", name: "Spend", kind: "Currency" },
  ];
  await importDefinitions(database, await current(sandbox), { version: 1, baseCurrency: "EUR", metrics });
  const value = Decimal.parse("12345678901234567890.5")!;
  const rest = { externalId: "ann", idempotencyKey: null, occurredAt: MONDAY, properties: {}, timeZone: null };
  for (const more of [
    { metricKey: "steps", value, currencyCode: null, exchangeRate: null },
    { metricKey: "steps", value: 2, currencyCode: null, exchangeRate: null },
    { metricKey: "spend", value: -10, currencyCode: "USD", exchangeRate: 0.5 },
  ])
    await takeMetricEvent(database, await current(sandbox), MONDAY, { ...rest, ...more });
  await drainFacts(database, sandbox.id);
  expect((await reportEvents(await report(), WEEKS)).table.rows).toMatchObject([
    { subject: { key: "steps" }, count: { value: 2 }, amount: { value: "12345678901234567892.5" }, currency: null },
    { subject: { key: "spend" }, count: { value: 1 }, amount: { value: "-5" }, currency: "EUR" },
  ]);
});

test("a report is refused in words if it is from a day that the calendar does not have, or reaches its ends", async () => {
  const { slug } = await testProject(database, { timeZone: "Asia/Tokyo" });
  const { rpc } = await signedIn(database, slug, "Viewer");
  const scope = { project: slug, environment: "live" } as const;
  const from = (day: string) => rpc.analytics.players({ ...scope, from: day, to: "2028-03-10" });
  for (const day of ["2028-02-30", "2028-04-31", "2027-02-29", "2028-2-1"])
    await expect(from(day), day).rejects.toMatchObject({ code: "BAD_REQUEST" });
  for (const day of ["0000-01-01", "0001-01-01", "9999-12-31"])
    for (const report of [rpc.analytics.players, rpc.analytics.webhooks])
      await expect(report({ ...scope, from: day, to: day }), day).rejects.toThrow("years 1 to 9999");
  for (const day of ["0001-01-03", "9999-12-29"])
    for (const report of [rpc.analytics.players, rpc.analytics.points, rpc.analytics.webhooks])
      expect(await report({ ...scope, from: day, to: day })).toMatchObject({ frame: { from: day, to: day } });
  expect((await from("2028-02-29")).frame).toMatchObject({ from: "2028-02-29", to: "2028-03-10" });
});

test("reports count a mission from offer to reward, its points, and the shop's sales and refusals", async () => {
  const { sandbox, at, order, report, read } = await shop();
  await Promise.all(["ann", "bob", "eve"].map(read));
  await acceptMission(database, await current(sandbox), "ann", "three");
  await acceptMission(database, await current(sandbox), "bob", "three");
  await order("bob");
  await order("ann");
  await order("ann");
  await at(MONDAY + 3600_000);
  await order("ann");
  const environment = await current(sandbox);
  const now = await environmentNow(sql, environment);
  await adjustPoints(database, environment, now, { externalId: "bob", amount: 5, reason: "test", idempotencyKey: null });
  const buy = (externalId: string) => purchase(database, environment, now, { externalId, listingKey: "voucher", idempotencyKey: null });
  await buy("ann");
  await buy("ann");
  await expect(buy("ann")).rejects.toMatchObject({ code: "marketplace_item.out_of_stock" });
  await settleAnalytics(database, sandbox.id);

  const both = (value: number) => ({ value, before: 0 });
  const figures = {
    steps: { entered: both(3), accepted: both(2), progressed: both(2) },
    funnel: { entered: both(3), accepted: both(2), progressed: both(2), completed: both(1) },
    players: both(3),
    completed: both(1),
    points: both(30),
    items: both(3),
  };
  expect((await reportMissions(await report(), WEEKS)).table.rows).toMatchObject([
    { subject: { key: "three", name: "Three orders" }, active: true, ...figures },
  ]);
  const { completions } = await reportCompletions(await report(), ["three", "unknown"]);
  expect(completions).toEqual([{ key: "three", count: 1, days: expect.any(Array) }]);
  expect([completions[0]!.days.length, completions[0]!.days.filter((count) => count === 1).length]).toEqual([28, 1]);
  const mission = await reportMission(await report(), { ...WEEKS, key: "three" });
  expect(mission).toMatchObject({
    totals: figures,
    countedSince: "2031-03-24",
    completed: { values: [0, 1, 0] },
    durations: [{ from: 2048, to: 4096, count: 1 }],
    objectives: [{ satisfied: both(2) }, { satisfied: both(1) }],
  });
  expect(await reportPoints(await report(), WEEKS)).toMatchObject({
    granted: { values: [0, 30, 0] },
    spent: { values: [0, 20, 0] },
    credited: { values: [0, 5, 0] },
    outstanding: { values: [0, 15, 15], before: [0, 0, 0] },
    main: { type: "Mission", subject: { key: "three" }, figure: both(30) },
    table: {
      count: 2,
      rows: [
        { type: "Mission", subject: { key: "three" }, points: both(30) },
        { type: "MarketplacePurchase", subject: { key: "voucher" }, points: both(20), transactions: both(2) },
      ],
    },
  });
  // By the words that the table shows: a purchase comes after a mission.
  const byType = await reportPoints(await report(), { ...WEEKS, table: { ...FIRST_PAGE, sort: "type", ascending: true } });
  expect(byType.table.rows.map(({ type }) => type)).toEqual(["Mission", "MarketplacePurchase"]);
  expect(await reportShop(await report(), WEEKS)).toMatchObject({
    totals: { units: both(2), revenue: both(20), refused: both(1) },
    main: { subject: { key: "voucher" }, figure: both(20) },
    table: { rows: [{ subject: { key: "voucher" }, rounds: [{ start: null, sold: 2, stock: 2 }] }] },
    refusals: [{ code: "marketplace_item.out_of_stock", count: both(1) }],
  });
  expect(await reportOverview(await report())).toMatchObject({
    today: "2031-03-24",
    hours: 14,
    figures: {
      activePlayers: both(2),
      events: both(4),
      missionsCompleted: both(1),
      pointsGranted: both(30),
      pointsSpent: both(20),
      pointsOutstanding: both(15),
      purchases: both(2),
    },
    attention: [{ kind: "StockRunningOut", left: 0, stock: 2 }],
  });
  // A listing whose sale has ended does not need attention.
  const marketplaceItems = [{ ...DEFINITIONS.marketplaceItems[0], onSale: { endsAt: "2031-03-24T09:00:00Z" } }];
  expect(await importDefinitions(database, await current(sandbox), { version: 1, marketplaceItems })).not.toHaveProperty("problems");
  expect((await reportOverview(await report())).attention).toEqual([]);
});

test("a listing's stock is that of the current period, also before its first sale in it", async () => {
  const { sandbox, at, order, report } = await shop();
  const [voucher] = DEFINITIONS.marketplaceItems;
  const marketplaceItems = [{ ...voucher, key: "daily", recurrence: { kind: "Calendar", every: "Day" } }];
  expect(await importDefinitions(database, await current(sandbox), { version: 1, marketplaceItems })).not.toHaveProperty("problems");
  await order("ann");
  await adjustPoints(database, await current(sandbox), MONDAY, { externalId: "ann", amount: 10, reason: "test", idempotencyKey: null });
  await purchase(database, await current(sandbox), MONDAY, { externalId: "ann", listingKey: "daily", idempotencyKey: null });
  await at(MONDAY + DAY);
  const table = { ...FIRST_PAGE, sort: "sold" };
  expect((await reportShop(await report(), { ...WEEKS, table })).table.rows).toMatchObject([
    {
      subject: { key: "daily" },
      rounds: [
        { start: "2031-03-25", sold: 0, stock: 2 },
        { start: "2031-03-24", sold: 1, stock: 2 },
      ],
    },
    { subject: { key: "voucher" }, rounds: [{ start: null, sold: 0, stock: 2 }] },
  ]);
});

test("pages of the missions' report have every mission once, in the order of any column, and totals are of all", async () => {
  const { sandbox, order, report, read } = await shop();
  const mission = (at: number) => ({
    ...{ key: `m${at}`, name: `Mission ${at}`, rewards: [{ kind: "Points", points: 10 * (at + 1) }] },
    objectives: [{ event: "order", operator: "GreaterThanOrEqualTo", target: at + 1 }],
  });
  await importDefinitions(database, await current(sandbox), { version: 1, missions: [0, 1, 2].map(mission) });
  await read("ann");
  await order("ann");
  await order("ann");
  await settleAnalytics(database, sandbox.id);
  const page = async (view: Partial<TableView>) =>
    reportMissions(await report(), { ...WEEKS, table: { ...FIRST_PAGE, limit: 2, ...view } });
  const keysOf = async (view: Partial<TableView>) => {
    const pages = [await page({ ...view, page: 1 }), await page({ ...view, page: 2 })];
    for (const { totals, table } of pages) {
      expect(totals).toMatchObject({ completed: { value: 2 }, points: { value: 30 } });
      expect(table).toMatchObject({ count: 4, limit: 2 });
    }
    return pages.flatMap(({ table }) => table.rows.map(({ subject }) => subject.key));
  };
  expect(await keysOf({})).toEqual(["m0", "m1", "three", "m2"]);
  expect(await keysOf({ sort: "mission" })).toEqual(["three", "m2", "m1", "m0"]);
  expect(await keysOf({ sort: "points" })).toEqual(["m1", "m0", "three", "m2"]);
  expect((await keysOf({ sort: "each", ascending: true })).slice(0, 2), "those without a completion come last").toEqual(["m0", "m1"]);
  expect((await keysOf({ sort: "median" })).toSorted()).toEqual(["m0", "m1", "m2", "three"]);
  expect((await keysOf({ sort: "rate" })).slice(0, 2).toSorted()).toEqual(["m0", "m1"]);
});

test("today is compared with the same hours a week ago, and so are outstanding points", async () => {
  const { at, order, report, read, sandbox } = await shop();
  await read("ann");
  await acceptMission(database, await current(sandbox), "ann", "three");
  for (let count = 0; count < 3; count++) await order("ann");
  await at(MONDAY + 5 * 3_600_000);
  await order("bob");
  await at(MONDAY + 7 * DAY);
  await order("ann");
  const { figures, hours } = await reportOverview(await report());
  // Clocks have gone forward: it is one o'clock by now.
  expect(hours).toBe(14);
  expect(figures).toMatchObject({
    activePlayers: { value: 1, before: 1 },
    events: { value: 1, before: 3 },
    pointsOutstanding: { value: 30, before: 30 },
  });
});

test("outstanding points have the value of the last day of the range, and large balances have a bucket of their own", async () => {
  const { sandbox, at, order, report } = await shop();
  const valuations = [1, 2].map((amount) => ({ effectiveFrom: `2031-03-2${amount}T23:00:00Z`, points: 100, amount, currency: "EUR" }));
  await importDefinitions(database, await current(sandbox), { version: 1, pointsValuations: valuations });
  await at(MONDAY + DAY);
  for (const [externalId, amount] of Object.entries({ ann: 3_000_000_000, bob: 1_500_000_000 })) {
    await order(externalId);
    await adjustPoints(database, await current(sandbox), MONDAY + DAY, { externalId, amount, reason: "test", idempotencyKey: null });
  }
  await takeSnapshots(database, () => false);
  const until = async (to: string) => reportPoints(await report(), { from: "2031-03-20", to, by: "Day", table: FIRST_PAGE });
  expect((await until("2031-03-21")).valuation).toBeNull();
  expect((await until("2031-03-22")).valuation).toMatchObject({ amount: "1" });
  const { valuation, balances } = await until("2031-03-25");
  expect(valuation).toMatchObject({ amount: "2" });
  expect(balances!.buckets).toEqual([
    { from: 2 ** 30, to: 2 ** 31, count: 1 },
    { from: 2 ** 31, to: 2 ** 32, count: 1 },
  ]);
});

test("a report counts the runs that begin, the freezes they use and the milestones they reach", async () => {
  const { at, order, read, report, sandbox } = await shop();
  await order("ann");
  await at(MONDAY + 2 * DAY);
  await order("ann");
  await settleAnalytics(database, sandbox.id);
  await takeSnapshots(database, () => false);
  const one = { value: 1, before: 0 };
  const streaks = await reportStreaks(await report(), WEEKS);
  expect(streaks.choices).toMatchObject([{ key: "daily" }]);
  expect(streaks.row).toMatchObject({
    ...{ subject: { key: "daily" }, period: "Day", started: one, freezesUsed: one, milestones: [{ length: 2, count: one }] },
  });
  expect(streaks.row).toMatchObject({ live: { buckets: [{ from: 2, to: 3, count: 1 }] }, survival: [{ length: 2, runs: 1 }] });
  expect((await reportPoints(await report(), WEEKS)).balances).toMatchObject({ buckets: [{ from: 4, to: 8, count: 1 }] });
  const views = await sql`
    select m.completed, a.active_players, s.points from projects j
    left join analytics_missions m on m.project = j.slug left join analytics_activity a on a.project = j.slug and a.day = '2031-03-26'
    left join analytics_points s on s.project = j.slug where j.id = ${sandbox.projectId}`;
  expect(views).toMatchObject([{ activePlayers: 1, points: "7" }]);
  // Without any run left, the days after show none.
  await read("bob");
  await erasePlayer(database, await current(sandbox), "ann", "They asked");
  await at(MONDAY + 4 * DAY);
  await takeSnapshots(database, () => false);
  expect((await reportStreaks(await report(), WEEKS)).row).toMatchObject({ live: { buckets: [] }, survival: [] });
});

test("a segment's report has only its members' figures, and omits figures that are not kept per player", async () => {
  const { sandbox, order, report, read } = await shop();
  const segments = [{ key: "high", name: "High", rule: { attribute: "level", operator: "GreaterThan", value: 1 } }];
  const attributes = [{ key: "level", name: "Level", type: "Number" }];
  expect(await importDefinitions(database, await current(sandbox), { ...DEFINITIONS, attributes, segments })).not.toHaveProperty(
    "problems",
  );
  for (const [playerId, level] of Object.entries({ ann: 2, bob: 1 })) {
    await read(playerId);
    await acceptMission(database, await current(sandbox), playerId, "three");
    for (let count = 0; count < 3; count++) await order(playerId);
    const environment = await current(sandbox);
    await writeAttributes(database, environment, { playerId, attributes: { level } }, []);
    await purchase(database, environment, await environmentNow(sql, environment), {
      ...{ externalId: playerId, listingKey: "voucher", idempotencyKey: null },
    });
  }
  await settleAnalytics(database, sandbox.id);
  const about = async (key: string | null) => openReport(sql, await current(sandbox), (await report()).now, key);
  expect((await about("high")).segment, "it is not counted yet").toEqual({ key: "high", name: "High", counted: null });
  await compareCounts(database);
  while (await countStep(database));

  const [all, high] = [await about(null), await about("high")];
  expect((await reportPlayers(all, WEEKS)).active.values).toEqual([0, 2, 0]);
  expect(await reportPlayers(high, WEEKS)).toMatchObject({
    frame: { segment: { name: "High", counted: { members: 1 } } },
    active: { values: [0, 1, 0] },
    cohorts: [{ week: "2031-03-24", counts: [1] }],
  });
  expect((await reportMissions(all, WEEKS)).table.rows).toMatchObject([{ steps: { entered: { value: 2 } }, completed: { value: 2 } }]);
  expect((await reportMissions(high, WEEKS)).table.rows).toMatchObject([{ steps: null, completed: { value: 1 }, points: { value: 30 } }]);
  expect(await reportMission(high, { ...WEEKS, key: "three" })).toMatchObject({
    steps: null,
    objectives: null,
    totals: { funnel: null, players: null, items: { value: 3 } },
  });
  expect(await reportPoints(high, { ...WEEKS, from: "2031-03-31" })).toMatchObject({
    outstanding: { before: [20], values: [20] },
    balances: { buckets: [{ from: 16, to: 32, count: 1 }] },
  });
  expect(await reportShop(high, WEEKS)).toMatchObject({
    totals: { units: { value: 1 }, refused: null },
    table: { rows: [{ rounds: [] }] },
  });
  await expect(about("other")).rejects.toThrow("There is no such segment");
});

test("an erased player's sums stay, and a recount does not lose them", async () => {
  const { order, report, sandbox } = await shop();
  await order("ann");
  await order("bob");
  const key = playerKey(sandbox.id, "ann");
  const environment = await current(sandbox);
  await sql.begin(async (tx) => {
    await keepSumsOf(tx, environment, key);
    for (const table of ["events", "players", "streak_periods", "streak_runs"])
      await tx`delete from ${tx(table)} where part = ${key.part} and player_id = ${key.playerId}`;
  });
  await sql`update environments set analytics_epoch = 2 where id = ${sandbox.id}`;
  await settleAnalytics(database, sandbox.id);
  expect((await reportPlayers(await report(), WEEKS)).active.values).toEqual([0, 2, 0]);
  expect((await reportEvents(await report(), WEEKS)).table.rows).toMatchObject([{ count: { value: 2 } }]);
});

test("a definition that is active and unused for sixty days is stale, until it is used or changed", async () => {
  const { sandbox, at, order, report, read } = await shop();
  const mission = (key: string, more: object) => ({
    ...{
      key,
      name: key,
      objectives: [{ event: "visit", operator: "GreaterThanOrEqualTo", target: 1 }],
      rewards: [{ kind: "Points", points: 1 }],
      ...more,
    },
  });
  await importDefinitions(database, sandbox, {
    version: 1,
    events: ["visit", "off"].map((key) => ({ key, name: key, active: key === "visit" })),
    missions: [mission("unread", {}), mission("over", { window: { endsAt: "2031-04-30T00:00:00Z" } })],
  });
  // They were defined before the clock moved to the year of the test.
  await sql`update definitions set updated_at = ${MONDAY}::timestamptz where environment_id = ${sandbox.id}`;
  const named = async () =>
    Object.fromEntries((await reportStale(await report())).definitions.map(({ kind, named }) => [kind, named.map(({ key }) => key)]));
  await at(MONDAY + (STALE_DAYS - 1) * DAY);
  expect(await named()).toEqual({});
  await at(MONDAY + (STALE_DAYS + 2) * DAY);
  expect(await named()).toEqual({ missions: ["three", "unread"], marketplaceItems: ["voucher"], events: ["order", "visit"] });

  await read("ann");
  await acceptMission(database, await current(sandbox), "ann", "three");
  for (let count = 0; count < 3; count++) await order("ann");
  const environment = await current(sandbox);
  const wanted = { externalId: "ann", listingKey: "voucher", idempotencyKey: null };
  await purchase(database, environment, await environmentNow(sql, environment), wanted);
  await importDefinitions(database, sandbox, { version: 1, missions: [mission("unread", { name: "Changed" })] });
  expect(await named()).toEqual({ events: ["visit"] });
});

test("the list of missions is sorted by recent completions, page by page", async () => {
  const { slug, sandbox } = await testProject(database);
  const mission = (key: string, event: string) => ({
    ...{ key, name: key, objectives: [{ event, operator: "GreaterThanOrEqualTo", target: 1 }], rewards: [{ kind: "Points", points: 1 }] },
  });
  await importDefinitions(database, sandbox, {
    version: 1,
    events: ["none", "one", "two"].map((key) => ({ key, name: key })),
    missions: [mission("once", "one"), mission("never", "none"), mission("twice", "two")],
  });
  const now = Date.now();
  for (const externalId of ["ann", "bob"])
    await readMissions(database, await current(sandbox), now, { externalId, take: null, includeCompleted: false, language: null });
  const items = [
    ["ann", "one"],
    ["ann", "two"],
    ["bob", "two"],
  ].map(([playerId, event]) => ({ playerId, event, occurredAt: formatInstant(now) }));
  await ingest(database, await current(sandbox), { items, mayHoldBadText: false, now });
  await drainFacts(database, sandbox.id);
  const { rpc } = await signedIn(database, slug, "Viewer");
  const of = { project: slug, environment: "sandbox", kind: "missions", sort: "completions" } as const;
  const first = await rpc.definitions.list({ ...of, limit: 2 });
  const second = await rpc.definitions.list({ ...of, limit: 2, cursor: first.next });
  expect([first, second].map(({ rows }) => rows.map(({ key }) => key))).toEqual([["twice", "once"], ["never"]]);
  expect((await rpc.definitions.list({ ...of, direction: "ascending" })).rows.map(({ key }) => key)).toEqual(["never", "once", "twice"]);
  // Other kinds have no completions: any order, and all of them.
  expect((await rpc.definitions.list({ ...of, kind: "events" })).rows).toHaveLength(3);
});

test("an API key that no request used for thirty days is stale", async () => {
  const { sandbox, report } = await shop();
  for (const name of ["unused", "used", "new", "revoked"]) await createApiKey(database, sandbox, name);
  const old = UNUSED_KEY_DAYS * DAY + 1000;
  await sql`
    update api_keys set created_at = now() - ${old} * interval '1 millisecond' where environment_id = ${sandbox.id} and name <> 'new'`;
  await sql`update api_keys set last_used_at = now() where environment_id = ${sandbox.id} and name = 'used'`;
  await sql`update api_keys set revoked_at = now() where environment_id = ${sandbox.id} and name = 'revoked'`;
  // The project's own key was never used either.
  expect((await reportStale(await report())).keys.map(({ name }) => name).sort()).toEqual(["test", "unused"]);
});
