import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { ingest } from "../events/service.ts";
import { loadAllPeriods } from "../../engine/store/streaks.ts";
import { playerKey } from "../../model/players/identity.ts";

const database = await testDatabase();
const { sql } = database;

const key = "daily";
const properties = [
  { key: "amount", type: "Number" },
  { key: "item", type: "String" },
];

/** Ann's day, under a streak whose rule is edited. */
async function day() {
  const { sandbox } = await testProject(database);
  const edit = async (rule: object) => {
    const streaks = [{ key, name: "Daily", event: "order_placed", cadence: "Day", ...rule }];
    const events = [
      { key: "order_placed", name: "Order placed", properties },
      { key: "visit", name: "Visit" },
    ];
    const file = { version: 1, events, streaks };
    expect(await importDefinitions(database, sandbox, file)).not.toHaveProperty("problems");
  };
  const order = async (...orders: object[]) => {
    const items = orders.map(({ event = "order_placed", ...properties }: { event?: string }) => {
      return { playerId: "ann", event, occurredAt: "2026-01-30T12:00:00Z", properties };
    });
    await ingest(database, sandbox, { items, mayHoldBadText: false, now: Date.now() });
    await drainFacts(database, sandbox.id);
  };
  const player = playerKey(sandbox.id, "ann");
  const counted = async () => {
    const [{ id: streakId }] = await sql<[{ id: number }]>`
      select id from definitions where environment_id = ${sandbox.id} and kind = 'streaks'`;
    const [row] = await loadAllPeriods(sql, [{ ...player, streakId }]);
    return [row!.period.counter.value, row!.period.isQualified];
  };
  return { edit, order, counted, player };
}

const SUM = { measure: { kind: "Sum", property: "amount" } };

test("after an edit from a count to a sum the sum does not go on from the count", async () => {
  const { edit, order, counted } = await day();
  await edit({ target: 3 });
  await order({ amount: 1 }, { amount: 1 });
  await edit({ ...SUM, target: 100 });
  await order({ amount: 99 });
  expect(await counted()).toEqual([99, false]);
  await order({ amount: 1 });
  expect(await counted()).toEqual([100, true]);
});

test("a count of one event does not go on with another", async () => {
  const { edit, order, counted } = await day();
  for (const measure of ["Count", "DistinctDays"]) {
    await edit({ event: "visit", target: 3, measure: { kind: measure } });
    await order({ event: "visit" }, { event: "visit" });
    await edit({ event: "order_placed", target: 3, measure: { kind: measure } });
    await order({});
    expect(await counted(), measure).toEqual([1, false]);
  }
});

test("different values of one property are not added to those of another", async () => {
  const { edit, order, counted } = await day();
  await edit({ measure: { kind: "DistinctCount", property: "item" }, target: 3 });
  await order({ amount: 1, item: "tea" }, { amount: 2, item: "coffee" });
  await edit({ measure: { kind: "DistinctCount", property: "amount" }, target: 3 });
  await order({ amount: 1, item: "tea" }, { amount: 1, item: "cake" });
  expect(await counted()).toEqual([1, false]);
});

test("a day that qualified by another measure is kept, and a new target alone goes on counting", async () => {
  const { edit, order, counted } = await day();
  await edit({ target: 3 });
  await order({ amount: 1 });
  await edit({ target: 2 });
  await order({ amount: 1 });
  expect(await counted()).toEqual([2, true]);
  await edit({ ...SUM, target: 100 });
  await order({ amount: -5 });
  expect(await counted()).toEqual([2, true]);
});

test("a day that an earlier version stored, without its measure, goes on", async () => {
  const { edit, order, counted, player } = await day();
  await edit({ measure: { kind: "DistinctCount", property: "item" }, target: 3 });
  await order({ item: "tea" }, { item: "coffee" });
  const { count } = await sql`
    update streak_periods set state = (select json_agg(e order by at) from json_array_elements(state::json) with ordinality as s (e, at) where at <> 4)::text
    where part = ${player.part} and player_id = ${player.playerId}`;
  expect(count).toBe(1);
  await order({ item: "tea" }, { item: "cake" });
  expect(await counted()).toEqual([3, true]);
});
