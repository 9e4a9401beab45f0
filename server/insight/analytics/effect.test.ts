import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { readOnly } from "#db/client.ts";
import { testDatabase, testProject } from "#db/testing.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { openReport } from "./service/reports/context.ts";
import { type EffectAsked, type EffectLimits, reportEffect } from "./service/reports/effect.ts";

const DAY = 86_400_000;
const database = await testDatabase();
const { sql } = database;

const mission = (rule: object | null) => ({
  key: "weekend",
  name: "Weekend",
  audience: { rule },
  objectives: [{ event: "ordered", operator: "GreaterThanOrEqualTo", target: 2 }],
  rewards: [{ kind: "Points", points: 10 }],
});
const SHARE = { all: [{ share: 50 }, { not: { missionCompleted: "other" } }] };

/**
 * An environment whose definitions are `age` days old; `orders` gives a player's orders a day, by number and by whether the share lets them
 * in.
 */
async function world(rule: object | null, players: number, age: number, orders: (n: number, isIn: boolean) => number) {
  const { sandbox } = await testProject(database);
  const other = { ...mission(null), key: "other" };
  const file = {
    version: 1,
    events: [
      { key: "ordered", name: "Ordered" },
      { key: "visited", name: "Visited" },
    ],
    missions: [other, mission(rule)],
  };
  expect(await importDefinitions(database, sandbox, file)).not.toHaveProperty("problems");
  await sql`update definitions set created_at = date_trunc('day', now()) - make_interval(days => ${age}::int) where environment_id = ${sandbox.id}`;
  const named = await sql<
    { id: number; key: string }[]
  >`select id, key from definitions where environment_id = ${sandbox.id} and kind in ('events', 'missions')`;
  const id = (key: string) => named.find((one) => one.key === key)!.id;
  const rows = Array.from({ length: players }, (_, n) => ({
    n,
    id: `p${n}`,
    orders: orders(n, isInside(`p${n}`)),
    isIn: isInside(`p${n}`),
  }));
  await sql`
    insert into players (part, player_id, environment_id, external_id, created_at)
    select ('x' || substr(u, 1, 8))::bit(32)::bigint >> 22, u::uuid, ${sandbox.id}, r.id, now() - interval '90 days'
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(id text), lateral (select md5(${`${sandbox.id}/`}::text || r.id) as u) h`;
  // Events on each day since the definitions were created; none before.
  await sql`
    insert into events (part, player_id, id, environment_id, definition_id, seq, occurred_at, received_at)
    select part, player_id, gen_random_uuid(), ${sandbox.id}, case when o = 0 then ${id("visited")}::int else ${id("ordered")}::int end, nextval('fact_seq'), at, at
    from (select p.part, p.player_id, o, date_trunc('day', now()) + make_interval(days => d, mins => o) as at
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(id text, orders int)
      join players p on p.environment_id = ${sandbox.id} and p.external_id = r.id
      cross join generate_series(-${age}::int, -1) d cross join lateral generate_series(0, r.orders) o) e`;
  await sql`
    insert into player_days (part, player_id, environment_id, day, hour)
    select distinct on (part, player_id, occurred_at::date) part, player_id, ${sandbox.id}::int, occurred_at::date, 0 from events where environment_id = ${sandbox.id}`;
  await sql`
    insert into points_transactions (part, player_id, id, environment_id, seq, type, amount, source_type, source_id, source_definition_id, occurred_at)
    select p.part, p.player_id, gen_random_uuid(), ${sandbox.id}, nextval('fact_seq'), 'Grant', 10, 'Mission', gen_random_uuid(), ${id("weekend")}, now() - interval '1 hour'
    from json_to_recordset(${JSON.stringify(rows.filter(({ isIn }) => isIn))}::text::json) as r(id text)
    join players p on p.environment_id = ${sandbox.id} and p.external_id = r.id`;
  const report = (more: Partial<EffectAsked> = {}, limits?: EffectLimits) =>
    effectOf(sandbox, { kind: "missions", key: "weekend", event: null, ...more }, limits);
  return { sandbox, rows, report };
}

const effectOf = async (sandbox: Environment, asked: EffectAsked, limits?: EffectLimits, now = Date.now()) =>
  readOnly(database, async (tx) => reportEffect(tx, await openReport(tx, sandbox, now), asked, limits));

/** The rule for shares as the specification has it, in separate code. */
const isInside = (id: string): boolean => createHash("sha256").update(`missions:weekend\0${id}`).digest().readBigUInt64BE() < 1n << 63n;

test("those who may take part are compared with those held out, and every figure is a recount's", async () => {
  // Players inside order three times a day, those held out twice, and every tenth of both not at all.
  const { sandbox, rows, report } = await world(SHARE, 400, 10, (n, isIn) => (n % 10 === 0 ? 0 : isIn ? 3 : 2));
  // An event of a metric is an event.
  await sql`
    insert into metric_events (part, player_id, id, environment_id, definition_id, seq, occurred_at, received_at, value, normalized_value)
    select part, player_id, gen_random_uuid(), environment_id, 0, nextval('fact_seq'), at, at, 1, 1
    from players, lateral (select now() - interval '1 day' as at) t where environment_id = ${sandbox.id}`;
  const { basis, days, groups, rows: told, event, isWhole, cost } = await report();
  const [inside, outside] = [rows.filter(({ isIn }) => isIn), rows.filter(({ isIn }) => !isIn)];
  const ordersOf = (group: typeof rows) => group.reduce((sum, one) => sum + 10 * one.orders, 0);
  expect([basis, days, isWhole, event]).toEqual(["Share", 10, true, "ordered"]);
  expect(groups).toEqual({ inside: inside.length, outside: outside.length, share: 0.5, isMismatch: false });
  const [chosen, activeDays, events, points, purchases] = told;
  expect([chosen!.inside.sum, chosen!.outside.sum]).toEqual([ordersOf(inside), ordersOf(outside)]);
  expect([activeDays!.inside.sum, activeDays!.outside.sum]).toEqual([inside.length * 10, outside.length * 10]);
  expect(events!.inside.sum).toBe(ordersOf(inside) + 11 * inside.length);
  expect([points!.inside.sum, points!.outside.sum, purchases!.inside.sum]).toEqual([10 * inside.length, 0, 0]);
  const means = [ordersOf(inside) / inside.length, ordersOf(outside) / outside.length] as const;
  expect(chosen!.relative!.value).toBeCloseTo(means[0] / means[1] - 1);
  expect(chosen!.relative!.low).toBeGreaterThan(0.2);
  expect(chosen!.verdict).toEqual({ kind: "clear" });
  expect(purchases!.verdict).toEqual({ kind: "tooEarly", moreDays: null });
  // Everyone inside was paid ten points.
  expect(cost.points).toBe(10 * inside.length);
  expect(cost.items).toBe(0);
  expect(cost.perAdditional!.points).toBeCloseTo(10 / (means[0] - means[1]));
});

test("the caller may choose the event to compare", async () => {
  const { report, rows } = await world(SHARE, 100, 10, () => 1);
  const { event, rows: told } = await report({ event: "visited" });
  const visits = 10 * rows.filter(({ isIn }) => isIn).length;
  expect([event, told[0]!.inside.sum]).toEqual(["visited", visits]);
  await expect(report({ event: "unknown" })).rejects.toThrow("There is no such event.");
  await expect(report({ key: "unknown" })).rejects.toThrow("There is no such definition.");
});

test("without a share, the same players are compared with as many days before", async () => {
  const { sandbox, report, rows } = await world(null, 100, 10, () => 2);
  // A player who is too new to be compared with the days before.
  await sql`
    insert into players (part, player_id, environment_id, external_id, created_at)
    values (0, gen_random_uuid(), ${sandbox.id}, 'new', now() - interval '5 days')`;
  const { basis, groups, rows: told, days, cost } = await report();
  expect([basis, days]).toEqual(["Before", 10]);
  expect(groups).toEqual({ inside: 100, outside: 100, share: null, isMismatch: false });
  // Nothing happened before.
  expect([told[0]!.inside.sum, told[0]!.outside.sum]).toEqual([rows.length * 20, 0]);
  expect(told[0]!.verdict.kind).toBe("tooEarly");
  expect(cost.perAdditional).toBeNull();
});

test("of players who do the same each day, no half hour of today makes a difference", async () => {
  const { sandbox } = await world(null, 30, 10, () => 0);
  await sql`
    insert into player_days (part, player_id, environment_id, day, hour)
    select part, player_id, environment_id, current_date - d, 0 from players cross join generate_series(11, 30) d
    where environment_id = ${sandbox.id}`;
  const asked: EffectAsked = { kind: "missions", key: "weekend", event: "visited" };
  const { days, from, to, rows } = await effectOf(sandbox, asked, undefined, Date.now() - (Date.now() % DAY) + DAY / 48);
  expect([days, Date.parse(to) - Date.parse(from)]).toEqual([10, 10 * DAY]);
  const activeDays = rows.find(({ measure }) => measure === "activeDays")!;
  expect([activeDays.inside.sum, activeDays.outside.sum, activeDays.verdict.kind]).toEqual([300, 300, "unclear"]);
});

test("without a share, the first four weeks are compared with the four before it began, however long ago that is", async () => {
  const { report } = await world(null, 20, 40, () => 2);
  const { days, from, to, rows } = await report();
  expect([days, Date.parse(to) - Date.parse(from)]).toEqual([28, 28 * DAY]);
  expect(rows[0]).toMatchObject({ measure: "chosen", inside: { sum: 20 * 28 * 2 }, outside: { sum: 0 } });
});

test("a comparison promises more days only while it gets more", async () => {
  for (const [age, moreDays] of [
    [10, 5],
    [40, null],
  ] as const) {
    const { sandbox, report } = await world(null, 20, age, () => 2);
    await sql`
      insert into player_days (part, player_id, environment_id, day, hour)
      select part, player_id, environment_id, current_date - d, 0 from players cross join generate_series(${age}::int + 1, 70) d
      where environment_id = ${sandbox.id}`;
    const { rows } = await report();
    expect(rows.find(({ measure }) => measure === "activeDays")!.verdict).toEqual({ kind: "tooEarly", moreDays });
  }
});

test("a definition is compared from when it was first switched on, not from when it was made", async () => {
  for (const rule of [null, SHARE]) {
    const { sandbox, report } = await world(rule, 20, 10, () => 2);
    const versions = sql`environment_id = ${sandbox.id} and key = 'weekend'`;
    await sql`update definition_versions set active = false where ${versions}`;
    expect((await report()).days, "never").toBe(0);
    await sql`
      insert into definition_versions select (json_populate_record(v,
        json_build_object('active', true, 'version', v.version + 1, 'at', date_trunc('day', now()) - interval '5 days'))).*
      from definition_versions v where ${versions}`;
    expect((await report()).days).toBe(5);
  }
});

test("events of days that are no longer kept are not compared: before, there would seem to be none", async () => {
  for (const [rule, keptDays] of [
    [null, null],
    [SHARE, 4],
  ] as const) {
    const { sandbox, report, rows: players } = await world(rule, 20, 10, () => 2);
    await sql`insert into retention (environment_id, event_days, purged_before) values (${sandbox.id}, 30, date_trunc('day', now()) - interval '4 days')`;
    const { days, eventsFrom, to, rows } = await report();
    const inside = rule === null ? players.length : players.filter(({ isIn }) => isIn).length;
    const insideOf = (measure: string) => rows.find((row) => row.measure === measure)?.inside.sum;
    expect([days, insideOf("activeDays")]).toEqual([10, 10 * inside]);
    expect(insideOf("chosen")).toBe(keptDays === null ? undefined : 2 * keptDays * inside);
    expect(eventsFrom === null ? null : Math.floor((Date.parse(to) - Date.parse(eventsFrom)) / DAY)).toBe(keptDays);
  }
});

test("a comparison that reaches its limits is of a sample, and says so", async () => {
  const { report } = await world(SHARE, 100, 10, () => 1);
  const { isWhole, groups } = await report({}, { page: 10, players: 50, ms: 60_000 });
  expect([isWhole, groups.inside + groups.outside]).toEqual([false, 50]);
});

test("players who are too new to be compared take no place of the sample", async () => {
  const { sandbox, report } = await world(null, 100, 10, () => 1);
  // Before all others by key.
  await sql`
    insert into players (part, player_id, environment_id, external_id, created_at)
    select 0, ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, ${sandbox.id}, 'new' || n, now() from generate_series(1, 40) n`;
  const { isWhole, groups } = await report({}, { page: 10, players: 50, ms: 60_000 });
  expect([isWhole, groups.inside]).toEqual([false, 50]);
});

test("groups whose sizes do not fit the share are reported", async () => {
  const { report, sandbox } = await world(SHARE, 300, 10, () => 1);
  // Deletes players who are held out, as an app might do by mistake.
  await sql`
    delete from players where environment_id = ${sandbox.id} and external_id in ${sql(
      Array.from({ length: 300 }, (_, n) => `p${n}`)
        .filter((id) => !isInside(id))
        .slice(0, 70),
    )}`;
  expect((await report()).groups.isMismatch).toBe(true);
});

test("before the first whole day there is nothing to compare", async () => {
  const { report, sandbox } = await world(SHARE, 10, 3, () => 1);
  await sql`update definitions set created_at = now() where environment_id = ${sandbox.id}`;
  expect(await report()).toMatchObject({ days: 0, groups: { inside: 0, outside: 0 } });
});
