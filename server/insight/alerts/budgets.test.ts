import { expect, test } from "vitest";
import { testDatabase } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { readDefinition } from "../../authoring/definitions/service/reading.ts";
import { startOver } from "../../authoring/definitions/service/saving.ts";
import { setActive } from "../../authoring/definitions/service/switching.ts";
import { type EnvironmentKind, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { settleAnalytics } from "../../operations/integrity/testing.ts";
import { resetSandbox } from "../../operations/sandbox/reset.ts";
import { startNotices } from "../../people/notices/mailing.ts";
import { checkBudgets, startBudgets } from "./budget-runner.ts";
import { claimBudgets } from "./budget-store.ts";
import { MAX_BUDGETS } from "./budgets.ts";
import { DEFINITIONS, MONDAY, openShop, untilWaiting } from "./testing.ts";

const database = await testDatabase();
const { sql } = database;

const DAY = 86_400_000;

async function shop(kind: EnvironmentKind = "sandbox") {
  const opened = await openShop(database, kind);
  const { place, slug, scope, editor, environment } = opened;
  const budget = { kind: "missions", key: "first_order", measure: "Points", period: "Day", amount: 100, switchesOff: true } as const;
  const save = (changed: object = {}, id: string | null = null) => editor.rpc.budgets.save({ ...scope, ...budget, id, ...changed });
  const list = async () => (await editor.rpc.budgets.list(scope)).budgets;
  /** Four workers check every budget, until none has anything to do. */
  const look = async (faults: unknown[] = []) => {
    const logger = { error: (fault: unknown) => void faults.push(fault), warn: () => {} };
    await sql`update budgets set checked_at = null where environment_id = ${place.id}`;
    for (const start of [startBudgets, startBudgets, startNotices]) {
      const runners = Array.from({ length: 4 }, () => start({ database, logger }));
      await Promise.all(runners.map((runner) => runner.idle()));
      await Promise.all(runners.map((runner) => runner.stop()));
      // Lets the claims expire, as after a process that stopped in between.
      await sql`update budgets set checked_at = null where environment_id = ${place.id}`;
    }
    const rows = await sql<{ reason: string }[]>`
      select details ->> 'reason' as reason from notices where environment_id = ${place.id} order by created_at`;
    return rows.map(({ reason }) => reason);
  };
  const isActive = async (key = "first_order") => {
    const [row] = await sql<{ active: boolean }[]>`
      select active from definitions where environment_id = ${place.id} and key = ${key}`;
    return row!.active;
  };
  const switched = async () => {
    const { entries } = await editor.rpc.auditLog.list({ project: slug });
    return entries.filter(({ actor }) => actor === "the service (budget)");
  };
  const switchTo = async (active: boolean) =>
    setActive(database, await environment(), { kind: "missions", key: "first_order", active }, COMMAND_LINE);
  return { ...opened, save, list, look, isActive, switched, switchTo };
}

test("four workers notify at 80 and at 100 per cent once, and switch the mission off once; only people switch it on again", async () => {
  const { editor, scope, at, order, save, list, look, isActive, switched, switchTo } = await shop();
  await at(MONDAY);
  expect(await save()).toEqual({ problems: [] });
  await order(2);
  expect(await look()).toEqual([]);
  expect(await list()).toMatchObject([{ key: "first_order", name: "First order", used: 60, told: null }]);
  await order(1);
  expect(await look()).toEqual(["90 of 100 points today. 80% of the budget is used."]);
  expect(await isActive()).toBe(true);
  await order(1);
  const told = [
    "90 of 100 points today. 80% of the budget is used.",
    "120 of 100 points today. The budget is used up. It was switched off.",
  ];
  for (let round = 0; round < 2; round++) expect(await look()).toEqual(told);
  expect(await isActive()).toBe(false);
  expect(await switched()).toHaveLength(1);
  expect(await list()).toMatchObject([{ used: 120, told: 100 }]);
  const { notices } = await editor.rpc.notices.list(scope);
  expect(notices, "neither is over, so Home calls none resolved").toMatchObject([
    { name: "Budget of First order", hasEnd: false },
    { hasEnd: false },
  ]);

  await switchTo(true);
  expect(await look()).toEqual(told);
  expect(await isActive()).toBe(true);
  // The next day has its own count, notices and switching off.
  await at(MONDAY + DAY);
  expect(await list(), "not yesterday's").toMatchObject([{ used: null, told: null }]);
  expect(await look()).toEqual(told);
  expect(await list()).toMatchObject([{ used: 0, told: null }]);
  await order(4);
  expect(await look()).toEqual([...told, told[1]]);
  expect(await isActive()).toBe(false);
  expect(await switched()).toHaveLength(2);
});

test("processes with an expired claim repeat no notice, and switch off neither what a person switched on nor what was reset", async () => {
  const { place, environment, at, order, save, look, isActive, switched, switchTo } = await shop();
  await at(MONDAY);
  await save();
  await order(4);
  const claims = (await claimBudgets(sql, { switchesOff: 0, tells: 0 }, 100)).filter(({ environmentId }) => environmentId === place.id);
  expect(claims).toHaveLength(1);
  const check = () => Promise.all(Array.from({ length: 4 }, () => checkBudgets(database, place.id, claims)));
  await check();
  expect([await isActive(), (await switched()).length]).toEqual([false, 1]);
  await switchTo(true);
  await check();
  expect([await isActive(), (await switched()).length]).toEqual([true, 1]);
  const told = await look();
  expect(told).toHaveLength(1);
  // After a reset the budget begins anew within its day; what was read before it no longer counts.
  await resetSandbox(database, await environment());
  await order(4);
  await check();
  expect([await isActive(), (await switched()).length]).toEqual([true, 1]);
  expect(await look()).toEqual([...told, ...told]);
  expect([await isActive(), (await switched()).length]).toEqual([false, 2]);
});

test("if the notice cannot be written, the mission stays on, and the next check does both", async () => {
  const { place, at, order, save, look, isActive, switched } = await shop();
  await at(MONDAY);
  await save();
  await order(4);
  const faults: unknown[] = [];
  await sql.unsafe(`alter table notices add constraint no_notices check (environment_id <> ${place.id}) not valid`);
  try {
    expect(await look(faults)).toEqual([]);
  } finally {
    await sql`alter table notices drop constraint no_notices`;
  }
  expect(faults.length).toBeGreaterThan(0);
  expect([await isActive(), await switched()]).toEqual([true, []]);
  expect(await look()).toEqual(["120 of 100 points today. The budget is used up. It was switched off."]);
  expect([await isActive(), (await switched()).length]).toEqual([false, 1]);
});

test("a budget of items is not used up by a part of the last one", async () => {
  const { place, at, order, save, list, look, isActive } = await shop();
  await at(MONDAY);
  const half = { ...DEFINITIONS.missions[0]!, rewards: [{ kind: "CatalogItem", catalogItem: "coffee", value: 1.5 }] };
  expect(await importDefinitions(database, place, { ...DEFINITIONS, missions: [half] })).toHaveProperty("changes");
  await save({ measure: "Items", amount: 5 });
  await order(3);
  expect(await look()).toEqual(["4 of 5 items today. 80% of the budget is used."]);
  expect([await list(), await isActive()]).toMatchObject([[{ used: 4 }], true]);
  await order(1);
  expect((await look()).at(-1)).toBe("6 of 5 items today. The budget is used up. It was switched off.");
});

test("a mission that starts over keeps its budget and its alert, which begin anew", async () => {
  const { scope, editor, environment, at, order, save, list, look, isActive } = await shop();
  await at(MONDAY);
  await save();
  const rule = { figure: "PointsGranted", comparison: "Above", basis: "Bound", threshold: 100, hours: 1 } as const;
  await editor.rpc.alerts.save({ ...scope, ...rule, kind: "missions", key: "first_order", name: "Payout", id: null });
  const mission = { kind: "missions", key: "first_order" } as const;
  const { revision } = (await readDefinition(database, await environment(), MONDAY, mission))!;
  const document = JSON.stringify(DEFINITIONS.missions[0]!);
  expect(await startOver(database, await environment(), { kind: "missions", document, revision }, COMMAND_LINE)).toMatchObject({
    problems: [],
  });
  expect(await list()).toMatchObject([{ key: "first_order", used: null }]);
  expect((await editor.rpc.alerts.list(scope)).alerts).toMatchObject([{ key: "first_order" }]);
  await order(4);
  expect((await look()).at(-1)).toBe("120 of 100 points today. The budget is used up. It was switched off.");
  expect(await isActive()).toBe(false);
});

test("a budget and an alert that are saved while their mission starts over are of the new one", async () => {
  const { place, scope, editor, environment, at, order, save, list, look } = await shop();
  await at(MONDAY);
  const rule = { figure: "PointsGranted", comparison: "Above", basis: "Bound", threshold: 100, hours: 1 } as const;
  const document = JSON.stringify(DEFINITIONS.missions[0]!);
  const holder = await sql.reserve();
  // The new version of the definitions waits for this lock: both missions are written, and neither is committed.
  await holder`begin`;
  await holder`select from environments where id = ${place.id} for no key update`;
  const replaced = startOver(database, await environment(), { kind: "missions", document, revision: null }, COMMAND_LINE);
  await untilWaiting(sql, 1);
  const saved = [save(), editor.rpc.alerts.save({ ...scope, ...rule, kind: "missions", key: "first_order", name: "Payout", id: null })];
  await untilWaiting(sql, 3);
  await holder`commit`;
  holder.release();
  expect(await Promise.all([replaced, ...saved])).toMatchObject([{ problems: [] }, { problems: [] }, { problems: [] }]);
  expect(await list()).toMatchObject([{ key: "first_order" }]);
  expect((await editor.rpc.alerts.list(scope)).alerts).toMatchObject([{ key: "first_order" }]);
  await order(4);
  expect(await look()).toEqual(["120 of 100 points today. The budget is used up. It was switched off."]);
});

test("a changed budget notifies again, and one whose mission is off already or that does not switch off changes nothing", async () => {
  const { at, order, save, list, look, isActive, switched, switchTo } = await shop();
  await at(MONDAY);
  await save({ switchesOff: false });
  await save({ measure: "Items", period: "Week", amount: 4, switchesOff: false });
  await order(4);
  expect((await look()).toSorted()).toEqual([
    "120 of 100 points today. The budget is used up.",
    "4 of 4 items this week. The budget is used up.",
  ]);
  expect(await isActive()).toBe(true);
  await switchTo(false);
  const id = (await list())[0]!.id;
  // Nothing changes, so no notice is written.
  await save({ switchesOff: false }, id);
  expect(await look()).toHaveLength(2);
  await save({ amount: 140 }, id);
  expect((await look()).at(-1)).toBe("120 of 140 points today. 80% of the budget is used.");
  await save({ amount: 120 }, id);
  expect((await look()).at(-1)).toBe("120 of 120 points today. The budget is used up. It is off already.");
  expect(await switched()).toEqual([]);
});

test("a listing's budget counts points net and purchases, before and after compaction", async () => {
  const { place, at, order, buy, save, list, look, isActive } = await shop();
  await at(MONDAY);
  await order(1);
  await save({ kind: "marketplaceItems", key: "voucher", period: "All", amount: 20 });
  await save({ kind: "marketplaceItems", key: "voucher", measure: "Items", amount: 1_000 });
  await buy("p0");
  await look();
  const figures = async () => (await list()).map(({ used }) => used);
  expect(await figures()).toEqual([10, 1]);
  await settleAnalytics(database, place.id);
  await look();
  expect(await figures()).toEqual([10, 1]);
  await buy("p0");
  expect(await look()).toEqual(["20 of 20 points in total. The budget is used up. It was switched off."]);
  expect([await isActive("voucher"), await isActive()]).toEqual([false, true]);
});

test("the notice about a mission that was deleted says so", async () => {
  const { place, at, order, save, list, look, switched } = await shop();
  await at(MONDAY);
  await order(4);
  await save();
  await sql`delete from definitions where environment_id = ${place.id} and key = 'first_order'`;
  expect(await look()).toEqual(["120 of 100 points today. The budget is used up. It was deleted."]);
  expect(await list()).toMatchObject([{ key: null, told: 100 }]);
  expect(await switched()).toEqual([]);
});

test("in a Live that needs a second person for changes, the mission is switched off immediately, by a budget that only an Owner sets", async () => {
  const { slug, scope, editor, order, save, list, look, isActive, switched } = await shop("live");
  await save({ period: "All" });
  const { id } = (await list())[0]!;
  await sql`update projects set is_live_guarded = true where slug = ${slug}`;
  const refused = { message: expect.stringContaining("only an Owner") };
  await expect(save({ period: "Week" })).rejects.toMatchObject(refused);
  await expect(save({ period: "All", amount: 1_000 }, id)).rejects.toMatchObject(refused);
  await expect(save({ period: "All", switchesOff: false }, id)).rejects.toMatchObject(refused);
  await expect(editor.rpc.budgets.delete({ ...scope, id })).rejects.toMatchObject(refused);
  expect(await save({ period: "Day", switchesOff: false, amount: 9_000 })).toEqual({ problems: [] });
  const owner = await signedIn(database, slug, "Owner");
  expect(
    await owner.rpc.budgets.save({
      ...scope,
      kind: "missions",
      key: "first_order",
      measure: "Items",
      period: "All",
      amount: 90,
      switchesOff: true,
      id: null,
    }),
  ).toEqual({ problems: [] });
  await order(4);
  expect(await look()).toEqual(["120 of 100 points in total. The budget is used up. It was switched off."]);
  expect([await isActive(), (await switched()).length]).toEqual([false, 1]);
});

test("a save over a later change is refused, and one that is repeated or has read that change is not", async () => {
  const { save, list } = await shop();
  await save();
  const { id, revision } = (await list())[0]!;
  const answers = await Promise.all([200, 300].map((amount) => save({ amount, revision }, id)));
  expect(answers.map(({ problems }) => problems.length).toSorted()).toEqual([0, 1]);
  const [saved] = await list();
  const { amount } = saved!;
  expect(await save({ amount, revision }, id), "the same once more").toEqual({ problems: [] });
  expect((await save({ amount: 400, revision }, id)).problems[0]!.message).toContain("changed since you opened it");
  expect(await list()).toMatchObject([{ amount, revision: saved!.revision }]);
  expect(await save({ amount: 400, revision: saved!.revision }, id)).toEqual({ problems: [] });
});

test("an invalid budget is refused at its field, and an environment has a bounded number of them", async () => {
  const { place, slug, scope, editor, save, list } = await shop();
  const pointers = async (changed: object) => (await save(changed)).problems.map(({ pointer }) => pointer);
  expect(await pointers({ key: "unknown" })).toEqual(["#/key"]);
  expect(await pointers({ amount: 0 })).toEqual(["#/amount"]);
  expect(await pointers({ amount: 1.5 })).toEqual(["#/amount"]);
  const tooMuch = { pointer: "#/amount", message: "Enter a whole number from 1 to 1,000,000,000,000,000." };
  expect((await save({ amount: 2e15 })).problems).toEqual([tooMuch]);
  // Of two concurrent saves, one is refused.
  expect((await Promise.all([pointers({}), pointers({})])).flat()).toEqual(["#/key"]);
  await sql`
    insert into budgets (id, environment_id, kind, subject, measure, period, amount, switches_off)
    select gen_random_uuid(), ${place.id}, 'missions', -n, 'Points', 'Day', 1, false from generate_series(2, ${MAX_BUDGETS}::int) n`;
  expect(await pointers({ measure: "Items" })).toEqual(["#/key"]);
  const budgets = await list();
  expect(budgets).toHaveLength(MAX_BUDGETS);
  await editor.rpc.budgets.delete({ ...scope, id: budgets.find(({ key }) => key !== null)!.id });
  const { entries } = await editor.rpc.auditLog.list({ project: slug, subjectKind: "budget" });
  expect(entries.map(({ action }) => action)).toEqual(["delete", "create"]);
});
