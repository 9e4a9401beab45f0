import { expect, test } from "vitest";
import { testDatabase } from "#db/testing.ts";
import { COMMAND_LINE } from "../../model/kernel/environment.ts";
import { changeProject } from "../../authoring/definitions/service/project-settings.ts";
import { deleteOldHours } from "../analytics/store/counting.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import { settleAnalytics } from "../../operations/integrity/testing.ts";
import { startNotices } from "../../people/notices/mailing.ts";
import { MAX_ALERTS } from "./alerts.ts";
import { startAlerts } from "./runner.ts";
import { MONDAY, openShop, untilWaiting } from "./testing.ts";

const database = await testDatabase();
const { sql } = database;
const logger = { error: () => {}, warn: () => {} };

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

async function shop() {
  const opened = await openShop(database, "sandbox");
  const { place, scope, editor, at, order } = opened;
  const rule = {
    ...scope,
    figure: "PointsGranted",
    kind: "missions",
    key: "first_order",
    comparison: "Above",
    basis: "Usual",
    threshold: 3,
    hours: 1,
  } as const;
  const save = (changed: object = {}, id: string | null = null) => editor.rpc.alerts.save({ ...rule, name: "Payout", id, ...changed });
  const list = async () => (await editor.rpc.alerts.list(scope)).alerts;
  /** Four workers judge every alert, then two write the notices of ended breaches. */
  const look = async () => {
    await sql`update alerts set checked_at = null where environment_id = ${place.id}`;
    for (const [start, count] of [
      [startAlerts, 4],
      [startNotices, 2],
    ] as const) {
      const runners = Array.from({ length: count }, () => start({ database, logger }));
      await Promise.all(runners.map((runner) => runner.idle()));
      await Promise.all(runners.map((runner) => runner.stop()));
    }
    return sql<{ isOver: boolean; reason: string }[]>`
      select over_of is not null as is_over, details ->> 'reason' as reason from notices
      where environment_id = ${place.id} and kind = 'Alert' order by created_at, is_over`;
  };
  /** One order at noon on each of four Mondays. */
  const history = async () => {
    for (let week = 4; week > 0; week--) {
      await at(MONDAY - week * WEEK);
      await order(1);
    }
    await at(MONDAY);
  };
  return { ...opened, rule, save, list, look, history };
}

test("a figure past three times the usual has one notice, with four workers, and one of its end", async () => {
  const { at, order, save, list, look, history } = await shop();
  await history();
  expect(await save()).toEqual({ problems: [] });
  await order(3);
  expect(await look()).toEqual([]);
  await order(1);
  for (let round = 0; round < 2; round++) {
    expect(await look()).toEqual([{ isOver: false, reason: "Points granted of first_order: 120 in an hour, above 3 × usual (90)" }]);
  }
  expect(await list()).toMatchObject([{ name: "Payout", value: 120, bound: 90, breachedAt: expect.any(String), key: "first_order" }]);
  await at(MONDAY + HOUR + 10 * 60_000);
  expect(await look()).toHaveLength(1);
  await at(MONDAY + 2 * HOUR + 10 * 60_000);
  for (let round = 0; round < 2; round++) expect((await look()).map(({ isOver }) => isOver)).toEqual([false, true]);
  expect(await list()).toMatchObject([{ breachedAt: null }]);
});

test("a preview counts the breaches of the last 28 days from the sums that are there", async () => {
  const { at, order, rule, editor, history } = await shop();
  await history();
  await order(4);
  await at(MONDAY + 24 * HOUR);
  const ofOne = await editor.rpc.alerts.preview(rule);
  expect(ofOne).toMatchObject({ problems: [], count: 1, since: "2031-02-24" });
  expect(ofOne.breaches).toEqual([{ from: "2031-03-24T11:00:00.000Z", until: "2031-03-24T12:00:00.000Z", value: 120 }]);
  const bound = { ...rule, kind: null, key: null, basis: "Bound", threshold: 29 } as const;
  // Three Mondays before this one are within 28 days of Tuesday noon; the fourth is not.
  expect((await editor.rpc.alerts.preview(bound)).count).toBe(4);
  expect((await editor.rpc.alerts.preview({ ...bound, figure: "PointsOutstanding", threshold: 200 })).count).toBe(1);
});

test("events that stop have a notice, for all events and for one, once the hours are complete", async () => {
  const { at, order, save, look } = await shop();
  await at(MONDAY);
  await order(5);
  const below = { comparison: "Below", basis: "Bound", threshold: 1, hours: 3, figure: "Events" };
  await save({ ...below, kind: null, key: null, name: "All" });
  await save({ ...below, kind: "events", key: "order", name: "Orders" });
  await at(MONDAY + 3 * HOUR + 30 * 60_000);
  expect(await look()).toEqual([]);
  await at(MONDAY + 4 * HOUR + 30 * 60_000);
  expect((await look()).map(({ reason }) => reason).sort()).toEqual([
    "Events received of order: 0 in 3 hours, below 1",
    "Events received: 0 in 3 hours, below 1",
  ]);
  await order(1);
  await at(MONDAY + 5 * HOUR + 30 * 60_000);
  expect((await look()).filter(({ isOver }) => isOver)).toHaveLength(2);
});

test("a silence has no end after months, for one definition and for all", async () => {
  const { place, at, order, save, look } = await shop();
  await at(MONDAY);
  await order(1);
  const below = { comparison: "Below", basis: "Bound", threshold: 1, figure: "Entries" };
  await save({ ...below, name: "One" });
  await save({ ...below, kind: null, key: null, name: "All" });
  await at(MONDAY + 5 * HOUR);
  expect(await look()).toHaveLength(2);
  await at(MONDAY + 10 * WEEK);
  await settleAnalytics(database, place.id);
  await deleteOldHours(sql, 1000);
  expect(await look()).toHaveLength(2);
});

test("a change of the zone neither ends a breach nor begins one, while history is counted again and afterwards", async () => {
  const { place, slug, environment, at, order, save, look } = await shop();
  await at(MONDAY - HOUR);
  await order(1);
  await at(MONDAY);
  await order(5);
  await save({ kind: null, key: null, basis: "Bound", threshold: 100 });
  await save({
    kind: "events",
    key: "order",
    figure: "Events",
    comparison: "Below",
    basis: "Bound",
    threshold: 1,
    hours: 3,
    name: "Orders",
  });
  expect(await look()).toHaveLength(1);
  const settings = { name: "Shop", defaultLanguage: "en", timeZone: "Asia/Tokyo" };
  const { projectId } = await environment();
  expect(await changeProject(database, { projectId, projectSlug: slug }, settings, COMMAND_LINE)).toEqual([]);
  expect(await look()).toHaveLength(1);
  await settleAnalytics(database, place.id);
  expect(await look()).toHaveLength(1);
});

test("an alert that reads the sums while history is counted again is not judged by them, though the recount ends meanwhile", async () => {
  const { place, slug, environment, at, order, save, list, look } = await shop();
  await at(MONDAY);
  await order(5);
  await save({ kind: "events", key: "order", figure: "Events", basis: "Bound", threshold: 1 });
  expect(await look()).toHaveLength(1);
  const settings = { name: "Shop", defaultLanguage: "en", timeZone: "Europe/Paris" };
  const { projectId } = await environment();
  await changeProject(database, { projectId, projectSlug: slug }, settings, COMMAND_LINE);
  const holder = await sql.reserve();
  await holder`begin`;
  // A check of one definition reads this table after the sums.
  await holder`lock table leaderboard_zones`;
  const looked = look();
  await Promise.race([looked, untilWaiting(sql, 1)]);
  await settleAnalytics(database, place.id);
  await holder`commit`;
  holder.release();
  expect(await looked).toHaveLength(1);
  expect(await list()).toMatchObject([{ breachedAt: expect.any(String) }]);
});

test("a check that is under way when its alert is switched off, and on again, is void", async () => {
  const { place, scope, editor, at, order, save, list, look } = await shop();
  await at(MONDAY);
  await order(5);
  await save({ basis: "Bound", threshold: 100 });
  const { id } = (await list())[0]!;
  const holder = await sql.reserve();
  await holder`begin`;
  await holder`lock table leaderboard_zones`;
  const looked = look();
  await untilWaiting(sql, 1);
  for (const isOn of [false, true]) await editor.rpc.alerts.switch({ ...scope, id, isOn });
  // Another process has claimed it since.
  await sql`update alerts set checked_at = clock_timestamp() where environment_id = ${place.id}`;
  await holder`commit`;
  holder.release();
  expect(await looked).toEqual([]);
  expect(await list()).toMatchObject([{ value: null, breachedAt: null }]);
});

test("refusals have a notice in a shop that has never sold anything", async () => {
  const { at, buy, save, look } = await shop();
  await at(MONDAY);
  for (let count = 0; count < 20; count++) await expect(buy("stranger")).rejects.toThrow();
  await save({ figure: "RefusedShare", kind: null, key: null, basis: "Bound", threshold: 0.5 });
  expect((await look()).map(({ reason }) => reason)).toEqual(["Share of purchases refused: 100% in an hour, above 50%"]);
});

test("an alert that is changed while its figure is past the bound is judged anew, and one that is switched off notes the end", async () => {
  const { at, order, scope, editor, save, list, look } = await shop();
  await at(MONDAY);
  await order(5);
  const bound = { basis: "Bound", threshold: 100 };
  await save(bound);
  expect(await look()).toHaveLength(1);
  const [alert] = await list();
  // Saving what it is already neither ends its breach nor is logged.
  await save(bound, alert!.id);
  expect(await look()).toHaveLength(1);
  await save({ ...bound, threshold: 120 }, alert!.id);
  // The changed alert has a new notice, in place of the end of the old one.
  expect((await look()).map(({ isOver }) => isOver)).toEqual([false, false]);
  await editor.rpc.alerts.switch({ ...scope, id: alert!.id, isOn: false });
  expect((await look()).map(({ isOver }) => isOver)).toEqual([false, false, true]);
  await editor.rpc.alerts.delete({ ...scope, id: alert!.id });
  expect(await list()).toEqual([]);
  const { entries } = await editor.rpc.auditLog.list({ project: scope.project, subjectKind: "alert" });
  expect(entries.map(({ action }) => action)).toEqual(["delete", "switch_off", "update", "create"]);
  expect(entries[2]!.changes.map(({ path }) => path)).toEqual(["threshold"]);
});

test("a save over a later change is refused, and one that is repeated or has read that change is not; a switch is no such change", async () => {
  const { scope, editor, save, list } = await shop();
  await save();
  const { id, revision } = (await list())[0]!;
  const answers = await Promise.all([4, 5].map((threshold) => save({ threshold, revision }, id)));
  expect(answers.map(({ problems }) => problems.length).toSorted()).toEqual([0, 1]);
  const [saved] = await list();
  const { threshold } = saved!;
  expect(await save({ threshold, revision }, id), "the same once more").toEqual({ problems: [] });
  expect((await save({ threshold: 6, revision }, id)).problems[0]!.message).toContain("changed since you opened it");
  expect(await list()).toMatchObject([{ threshold, revision: saved!.revision }]);
  for (const isOn of [false, true]) await editor.rpc.alerts.switch({ ...scope, id, isOn });
  expect(await save({ threshold: 6, revision: saved!.revision }, id)).toEqual({ problems: [] });
});

test("the hours of a definition add up to its days, before and after compaction, purchases, refusals and players who sent a profile first included", async () => {
  const { place, environment, at, order, buy } = await shop();
  await at(MONDAY);
  await savePlayer(database, await environment(), MONDAY, "p0", { displayName: "Ann" });
  await order(4);
  // Points for three; the fourth is refused.
  for (let at = 0; at < 3; at++) await buy("p0");
  await expect(buy("p0")).rejects.toThrow();
  await at(MONDAY + HOUR);
  await order(2);
  await buy("p1");
  const compare = async () => {
    const rows = await sql<{ measure: string; hourly: string; daily: string }[]>`
      with hourly as (
        select measure, subject, day, sum(count) as count, sum(amount) as amount from (
          select measure, subject, day, count, amount from analytics_hourly where environment_id = ${place.id}
          union all select measure, subject, day, count, amount from analytics_deltas where environment_id = ${place.id} and hour is not null
        ) h group by 1, 2, 3
      ), daily as (
        select measure, subject, day, sum(count) as count, sum(amount) as amount from (
          select measure, subject, day, count, amount from analytics_daily where environment_id = ${place.id}
          union all select measure, subject, day, count, amount from analytics_deltas where environment_id = ${place.id}
        ) d group by 1, 2, 3
      )
      select d.measure, h.count || ' ' || h.amount as hourly, d.count || ' ' || d.amount as daily
      from daily d left join hourly h using (measure, subject, day)
      where d.measure in ('event', 'completed', 'points.granted', 'points.spent', 'purchased', 'refused', 'entered') order by 1`;
    return rows;
  };
  for (const step of ["before", "after"]) {
    const rows = await compare();
    expect(new Set(rows.map(({ measure }) => measure)).size, step).toBe(7);
    for (const { measure, hourly, daily } of rows) expect(hourly, `${measure} ${step}`).toBe(daily);
    await settleAnalytics(database, place.id);
  }
});

test("an invalid alert is refused at its field, and an environment has a bounded number of alerts", async () => {
  const { save, list } = await shop();
  const pointers = async (changed: object) => (await save(changed)).problems.map(({ pointer }) => pointer);
  expect(await pointers({ name: " " })).toEqual(["#/name"]);
  expect(await pointers({ key: "unknown" })).toEqual(["#/key"]);
  expect(await pointers({ figure: "MetricAmount", kind: null, key: null })).toEqual(["#/key"]);
  expect(await pointers({ figure: "Purchases" })).toEqual(["#/key"]);
  expect(await pointers({ threshold: 0 })).toEqual(["#/threshold"]);
  expect((await save({ threshold: 1e16 })).problems[0]!.message).toBe("Enter at most 1,000,000,000,000,000.");
  expect(await pointers({ hours: 5 })).toEqual(["#/hours"]);
  const all = await Promise.all(Array.from({ length: MAX_ALERTS + 2 }, () => save()));
  expect(all.filter(({ problems }) => problems.length > 0)).toHaveLength(2);
  expect(await list()).toHaveLength(MAX_ALERTS);
});
