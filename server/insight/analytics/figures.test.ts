import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { ingest } from "../../game/events/service.ts";
import { type Environment, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { purchase } from "../../game/marketplace/service/shop.ts";
import { reversePurchase } from "../../game/marketplace/service/reversal.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import { changeProject } from "../../authoring/definitions/service/project-settings.ts";
import { moveClockUpTo } from "../../operations/sandbox/move-clock.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { openReport } from "./service/reports/context.ts";
import { reportMission } from "./service/reports/missions.ts";
import { reportOverview } from "./service/reports/overview.ts";
import { reportPoints } from "./service/reports/points.ts";
import { FIRST_PAGE } from "../../model/analytics/table.ts";
import { reportShop } from "./service/reports/shop.ts";
import { miscounted, settleAnalytics } from "../../operations/integrity/testing.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { environmentNow, loadEnvironment } from "../../engine/environment.ts";

/** Compares figures of reports with plain SQL over the log and the ledger. */

const database = await testDatabase();
const { sql } = database;

/** A Monday at noon in Amsterdam. */
const MONDAY = Date.parse("2031-03-24T11:00:00Z");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const DEFINITIONS = {
  version: 1,
  events: [{ key: "order", name: "Order" }],
  catalogItems: [
    { key: "coffee", name: "Coffee", valueType: "Number" },
    { key: "badge", name: "Badge", valueType: "String" },
  ],
  marketplaceItems: [{ key: "voucher", name: "Voucher", priceInPoints: 10, contents: [{ catalogItem: "coffee", value: 1 }] }],
  missions: [
    {
      key: "two_a_day",
      name: "Two a day",
      recurrence: { kind: "Calendar", every: "Day" },
      objectives: [{ event: "order", operator: "GreaterThanOrEqualTo", target: 2 }],
      rewards: [
        { kind: "Points", points: 30 },
        { kind: "CatalogItem", catalogItem: "coffee", value: 4 },
        { kind: "CatalogItem", catalogItem: "badge", value: "gold" },
      ],
    },
  ],
};

const current = async ({ id }: Environment) => (await loadEnvironment(sql, id))!;

async function shop() {
  const { sandbox } = await testProject(database, { timeZone: "Europe/Amsterdam" });
  await importDefinitions(database, sandbox, DEFINITIONS);
  await moveClockUpTo(database, await current(sandbox), MONDAY);
  const now = async () => environmentNow(sql, await current(sandbox));
  const at = async (instant: number) => moveClockUpTo(database, await current(sandbox), instant);
  const order = async (playerId: string, count: number, occurredAt?: number) => {
    const instant = await now();
    const item = { playerId, event: "order", occurredAt: formatInstant(occurredAt ?? instant) };
    await ingest(database, await current(sandbox), { items: Array(count).fill(item), mayHoldBadText: false, now: instant });
    await drainFacts(database, sandbox.id);
  };
  const read = async (externalId: string) => {
    const how = { externalId, take: null, includeCompleted: false, language: null };
    await readMissions(database, await current(sandbox), await now(), how);
  };
  const report = async () => openReport(sql, await current(sandbox), await now());
  return { sandbox, now, at, order, read, report };
}

const day = (date: string) => ({ from: date, to: date, by: "Day" }) as const;
const both = (value: number, before = 0) => ({ value, before });

test("a funnel shows the present state of the occurrences offered in the range; what happened in the range is separate", async () => {
  const { sandbox, now, at, order, read, report } = await shop();
  await savePlayer(database, await current(sandbox), await now(), "mei", { timeZone: "Asia/Tokyo" });
  for (const player of ["ann", "bob", "mei"]) await read(player);
  await order("ann", 2);
  await order("mei", 1);
  await at(MONDAY + DAY);
  // A late event of Monday: it completes on Tuesday an occurrence offered on Monday.
  await order("bob", 2, MONDAY + HOUR);
  const mission = async (date: string) => (await reportMission(await report(), { ...day(date), key: "two_a_day" })).totals;
  const monday = { entered: both(3), accepted: both(3), progressed: both(3), completed: both(2) };
  expect(await mission("2031-03-24")).toMatchObject({ players: both(3), funnel: monday, completed: both(1), items: both(5) });
  const before = { entered: both(0, 3), accepted: both(0, 3), progressed: both(0, 3), completed: both(0, 2) };
  expect(await mission("2031-03-25")).toMatchObject({ players: both(0, 3), funnel: before, completed: both(1, 1), items: both(5, 5) });

  // Cohorts survive a change to a zone in which Monday's entries are Tuesday's, a recount, and the end of occurrences.
  await changeProject(database, sandbox, { name: "Test", defaultLanguage: "en", timeZone: "Pacific/Kiritimati" }, COMMAND_LINE);
  await order("mei", 1, MONDAY + 2 * HOUR);
  await at(MONDAY + 9 * DAY);
  await read("mei");
  await settleAnalytics(database, sandbox.id);
  const [told] = await sql`
    select count(*) as completed, sum(4 + 1) as items from mission_completions
    where environment_id = ${sandbox.id} and started_at at time zone 'Europe/Amsterdam' < '2031-03-25'`;
  expect(told).toEqual({ completed: 3, items: 15 });
  expect((await mission("2031-03-24")).funnel).toEqual({ ...monday, completed: both(3) });
  const { objectives } = await reportMission(await report(), { ...day("2031-03-24"), key: "two_a_day" });
  expect(objectives).toMatchObject([{ satisfied: both(3) }]);
  expect(await miscounted(database, sandbox)).toEqual([]);
  // The integrity check reports a funnel that rises.
  await sql`insert into analytics_deltas (environment_id, epoch, measure, subject, day, count)
    select environment_id, 0, 'funnel.accepted', subject, day, 1 from analytics_daily
    where environment_id = ${sandbox.id} and measure = 'funnel.entered' limit 1`;
  expect(await miscounted(database, sandbox)).toEqual([
    expect.stringContaining("3, 4, 3, 3 kept (entered, accepted, progressed, completed)"),
  ]);
});

test("spent and sold are net of refunds on every screen, with gross beside them", async () => {
  const { sandbox, now, at, order, read, report } = await shop();
  await read("ann");
  await order("ann", 2);
  const buy = async () =>
    purchase(database, await current(sandbox), await now(), { externalId: "ann", listingKey: "voucher", idempotencyKey: null });
  await buy();
  await buy();
  await at(MONDAY + DAY);
  await buy();
  const [oldest] = await sql<{ id: string }[]>`
    select id from marketplace_purchases where environment_id = ${sandbox.id} order by purchased_at, id limit 1`;
  await reversePurchase(database, await current(sandbox), oldest!.id, "test");

  const range = { from: "2031-03-24", to: "2031-03-25", by: "Day" } as const;
  const told = await sql<{ spent: number; gross: number; units: number }[]>`
    select sum(-amount)::int as spent, sum(-amount) filter (where type = 'Spend')::int as gross,
      (count(*) filter (where type = 'Spend') - count(*) filter (where type = 'Refund'))::int as units
    from points_transactions where environment_id = ${sandbox.id} and type in ('Spend', 'Refund')
    group by (occurred_at at time zone 'Europe/Amsterdam')::date order by min(occurred_at)`;
  expect(told).toEqual([
    { spent: 20, gross: 20, units: 2 },
    { spent: 0, gross: 10, units: 0 },
  ]);
  expect(await reportPoints(await report(), { ...range, table: FIRST_PAGE })).toMatchObject({
    spent: { values: told.map(({ spent }) => spent) },
    gross: { values: told.map(({ gross }) => gross) },
    totals: { spent: both(20), gross: both(30), refunded: both(10), outstanding: both(10) },
    table: { rows: [{ type: "Mission" }, { type: "MarketplacePurchase", points: both(20), transactions: both(3) }] },
  });
  const sales = { units: both(2), revenue: both(20), grossUnits: both(3), grossRevenue: both(30), reversedUnits: both(1) };
  expect(await reportShop(await report(), { ...range, table: FIRST_PAGE })).toMatchObject({
    units: { values: told.map(({ units }) => units) },
    revenue: { values: told.map(({ spent }) => spent) },
    totals: sales,
    table: { rows: [{ subject: { key: "voucher" }, ...sales, rounds: [{ sold: 2 }] }] },
  });
  expect((await reportOverview(await report())).figures.pointsSpent.value).toBe(told[1]!.spent);
  expect(
    await sql`
      select (v.revenue - v.reversed_points)::int as spent, v.revenue::int as gross, (v.units - v.reversed_units)::int as units
      from analytics_shop v join projects j on j.slug = v.project where j.id = ${sandbox.projectId} order by v.day`,
  ).toEqual(told);
});

test("the views for SQL tools have quantities of items as they are, and no cohort that a late event left without players", async () => {
  const { sandbox, at, order, read } = await shop();
  const [mission] = DEFINITIONS.missions;
  const rewards = [{ kind: "CatalogItem", catalogItem: "coffee", value: 1.5 }];
  await importDefinitions(database, await current(sandbox), { version: 1, missions: [{ ...mission, key: "half", rewards }] });
  await read("ann");
  await order("ann", 2);
  await at(MONDAY + DAY);
  await order("ann", 1, MONDAY - 7 * DAY);
  const [project] = await sql<{ slug: string }[]>`select slug from projects where id = ${sandbox.projectId}`;
  expect(
    await sql`select mission, item_quantity::text as quantity from analytics_missions
      where project = ${project!.slug} and item_quantity > 0 order by mission`,
  ).toEqual([
    { mission: "half", quantity: "1.5" },
    { mission: "two_a_day", quantity: "5" },
  ]);
  const cohorts = () =>
    sql`select first_week::text, week::text, active_players as players from analytics_retention
      where project = ${project!.slug} order by first_week, week`;
  const moved = [
    { firstWeek: "2031-03-17", week: "2031-03-17", players: 1 },
    { firstWeek: "2031-03-17", week: "2031-03-24", players: 1 },
  ];
  expect(await cohorts()).toEqual(moved);
  await settleAnalytics(database, sandbox.id);
  expect(await cohorts(), "once compacted").toEqual(moved);
});
