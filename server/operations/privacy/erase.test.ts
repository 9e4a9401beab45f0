import { expect, test } from "vitest";
import { transact } from "#db/client.ts";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { writeAttributes } from "../../game/attributes/service.ts";
import { ingest } from "../../game/events/service.ts";
import { checkIntegrity } from "../integrity/check.ts";
import { type Environment, type EnvironmentKind, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { parseJson } from "../../model/kernel/json.ts";
import { lookAtStandings, readStandings } from "../../game/leaderboards/service/read.ts";
import { purchase } from "../../game/marketplace/service/shop.ts";
import { reversePurchase } from "../../game/marketplace/service/reversal.ts";
import { takeMetricEvent } from "../../game/metrics/service.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { playerKey } from "../../model/players/identity.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import { adjustPoints, readBalance } from "../../game/points/service.ts";
import { resetSandbox } from "../sandbox/reset.ts";
import { createEndpoint } from "../../delivery/service/endpoints.ts";
import { testCipher } from "../../delivery/testing.ts";
import { drainFacts } from "../worker/drain-facts.ts";
import { erasePlayer } from "./erase.ts";
import { exportPage } from "./export.ts";
import { listErasures, repeatErasures } from "./repeat.ts";
import { giveSeatsIn } from "../../game/leaderboards/settlement/give-seats.ts";
import { settlePeriods } from "../../game/leaderboards/settlement/settle.ts";
import { advanceClock } from "../../people/projects/environments.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { setActive } from "../../authoring/definitions/service/switching.ts";
import { environmentNow, loadEnvironment } from "../../engine/environment.ts";
import { moveClockUpTo } from "../sandbox/move-clock.ts";

const database = await testDatabase();
const { sql } = database;

const DAY_MS = 24 * 60 * 60_000;

const board = { name: "Board", rankOrder: "HighestFirst" };
const DEFINITIONS = {
  version: 1,
  events: [{ key: "order_placed", name: "Order placed", properties: [{ key: "drink", type: "String" }] }],
  metrics: [{ key: "steps", name: "Steps", kind: "Number" }],
  attributes: [
    { key: "level", name: "Level", type: "Number" },
    { key: "city", name: "City", type: "String" },
  ],
  catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
  leaderboards: [
    { ...board, key: "orders", scoreSource: "Event", event: "order_placed", period: { kind: "AllTime" } },
    { ...board, key: "levels", scoreSource: "Attribute", attribute: "level", period: { kind: "AllTime" } },
    { ...board, key: "cities", scoreSource: "Event", event: "order_placed", teamAttribute: "city", period: { kind: "AllTime" } },
    {
      ...{ ...board, key: "points", scoreSource: "Points", period: { kind: "Calendar", every: "Week" } },
      league: { tiers: [{ key: "bronze", name: "Bronze" }], groupSize: 10, promotes: 1, relegates: 1 },
    },
  ],
  streaks: [
    {
      key: "daily",
      name: "Daily",
      event: "order_placed",
      cadence: "Day",
      milestones: [{ length: 1, rewards: [{ kind: "Points", points: 3 }] }],
    },
  ],
  marketplaceItems: [{ key: "voucher", name: "Voucher", priceInPoints: 4, stock: 9, contents: [{ catalogItem: "coffee", value: 1 }] }],
  segments: [{ key: "any", name: "Any", rule: { event: "order_placed", operator: "GreaterThanOrEqualTo", value: 1 } }],
  missions: [
    {
      ...{ key: "two", name: "Two orders", objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 2 }] },
      rewards: [
        { kind: "Points", points: 30 },
        { kind: "CatalogItem", catalogItem: "coffee", value: 1 },
      ],
    },
    {
      ...{ key: "nine", name: "Nine", rewards: [{ kind: "Points", points: 90 }] },
      objectives: [
        { event: "order_placed", operator: "GreaterThanOrEqualTo", target: 9, measure: { kind: "DistinctCount", property: "drink" } },
      ],
    },
  ],
};

const current = async ({ id }: Environment) => (await loadEnvironment(sql, id)) as Environment;

async function shop(kind: EnvironmentKind = "live") {
  const project = await testProject(database);
  expect(await importDefinitions(database, project[kind], DEFINITIONS)).not.toHaveProperty("problems");
  const endpoint = { url: "http://127.0.0.1:9/hooks", events: ["mission.completed", "catalog_item.fulfillment_requested"] as never };
  await createEndpoint(database, project[kind], endpoint, { allowPrivateAddresses: true, cipher: testCipher });
  return { ...project, at: await current(project[kind]) };
}

const order = (at: Environment, playerId: string, ...drinks: string[]) =>
  ingest(database, at, {
    items: drinks.map((drink) => ({
      playerId,
      event: "order_placed",
      occurredAt: new Date().toISOString(),
      idempotencyKey: drink,
      properties: { drink },
    })),
    mayHoldBadText: false,
    now: Date.now(),
  });

const see = (at: Environment, externalId: string) =>
  readMissions(database, at, Date.now(), { externalId, take: null, includeCompleted: true, language: null });

/** A player with rows in every table of players, and waiting facts. */
async function play(at: Environment, externalId: string): Promise<void> {
  await savePlayer(database, at, Date.now(), externalId, { displayName: `${externalId} by name` });
  await writeAttributes(database, at, { playerId: externalId, attributes: { level: externalId.length, city: "Ghent" } }, []);
  await see(at, externalId);
  await order(at, externalId, "latte", "mocha", "tea");
  const walk = {
    metricKey: "steps",
    value: 5,
    currencyCode: null,
    exchangeRate: null,
    idempotencyKey: null,
    properties: {},
    timeZone: null,
  };
  await takeMetricEvent(database, at, Date.now(), { ...walk, externalId, occurredAt: Date.now() });
  await drainFacts(database, at.id);
  await adjustPoints(database, at, Date.now(), {
    externalId,
    amount: 5,
    reason: `for ${externalId}`,
    idempotencyKey: `key of ${externalId}`,
  });
  const bought = await purchase(database, at, Date.now(), { externalId, listingKey: "voucher", idempotencyKey: `${externalId} buys` });
  await purchase(database, at, Date.now(), { externalId, listingKey: "voucher", idempotencyKey: null });
  await reversePurchase(database, at, bought.purchaseId, `${externalId} did not want it`);
}

const totals = async ({ id }: Environment) => {
  const [row] = await sql<{ amount: number; count: number; sold: number }[]>`
    select (select sum(amount)::int from points_transactions where environment_id = ${id}) as amount,
      (select count(*)::int from points_transactions where environment_id = ${id}) as count,
      (select sum(sold)::int from marketplace_rounds where environment_id = ${id}) as sold`;
  return row;
};

/** The tables that contain a text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
  const found: string[] = [];
  for (const { name } of tables)
    if ((await sql.unsafe(`select from "${name}" t where t::text like '%' || $1 || '%' limit 1`, [text])).length > 0) found.push(name);
  return found;
}

test("after an erasure nothing names the player, totals hold, other ranks move up, and the integrity check is clean", async () => {
  const { at, slug } = await shop();
  await play(at, "erased-ann");
  await play(at, "bob");
  await order(await current(at), "erased-ann", "espresso");
  const { playerId } = playerKey(at.id, "erased-ann");
  const { rpc } = await signedIn(database, slug, "Admin");
  const ann = { project: slug, environment: "live" as const, externalId: "erased-ann" };
  await rpc.players.changeProfile({ ...ann, displayName: "erased-ann anew", timeZone: null, reason: "erased-ann asked" });
  const before = await totals(at);
  const rankOfBob = async (key: string) => {
    const boards = await lookAtStandings(database, await current(at), Date.now(), "bob");
    return boards.find(({ leaderboardKey }) => leaderboardKey === key)?.me?.rank;
  };
  expect([await rankOfBob("orders"), await rankOfBob("levels")]).toEqual([1, 2]);

  await expect(rpc.privacy.erase({ ...ann, reason: "She asked", confirmation: "ann" })).rejects.toThrow("confirm");
  await rpc.privacy.erase({ ...ann, reason: "She asked", confirmation: "erased-ann" });

  expect(await tablesWith("erased-ann")).toEqual([]);
  expect(await tablesWith(playerId)).toEqual(["erasures"]);
  expect(await totals(at)).toEqual(before);
  expect(await checkIntegrity(database, at)).toEqual([]);
  expect([await rankOfBob("orders"), await rankOfBob("levels")]).toEqual([1, 1]);
  const { entries } = await rpc.auditLog.list({ project: slug, action: "erase" });
  expect(entries).toMatchObject([{ subjectKey: null, changes: [{ path: "reason", after: '"She asked"' }] }]);
  await expect(rpc.players.get(ann)).rejects.toThrow("no such player");
});

test("what an erased player scored for a team stays with it; a value that they held no longer counts", async () => {
  const { at } = await shop();
  const held = {
    ...board,
    key: "city_levels",
    scoreSource: "Attribute",
    attribute: "level",
    teamAttribute: "city",
    period: { kind: "AllTime" },
  };
  await importDefinitions(database, at, { version: 1, leaderboards: [held] });
  await play(at, "ann");
  await play(at, "bobby");
  await erasePlayer(database, await current(at), "ann", "She asked");
  const boards = await lookAtStandings(database, await current(at), Date.now(), "bobby");
  const scores = boards.map(({ leaderboardKey, me }) => [leaderboardKey, Number(me?.score)]);
  expect(Object.fromEntries(scores)).toMatchObject({ cities: 6, city_levels: 5 });
  expect(await checkIntegrity(database, at)).toEqual([]);
});

test("in a settled group of a league the ranks of the others hold", async () => {
  const { at } = await shop("sandbox");
  const league = { tiers: [{ key: "bronze", name: "Bronze" }], groupSize: 10, promotes: 1, relegates: 1 };
  const daily = {
    ...board,
    key: "league",
    scoreSource: "Event",
    event: "order_placed",
    period: { kind: "Calendar", every: "Day" },
    league,
  };
  await importDefinitions(database, at, { version: 1, leaderboards: [daily] });
  for (const [player, ...drinks] of [
    ["ann", "latte", "mocha"],
    ["bob", "tea"],
  ] as const)
    await order(await current(at), player, ...drinks);
  await moveClockUpTo(database, await current(at), Date.now() + DAY_MS);
  const groupOfBob = async () => {
    const query = { leaderboardKey: "league", externalId: "bob", language: null, top: null, neighbours: 5, previous: true, named: null };
    const { leaderboard, around } = await readStandings(database, await current(at), Date.now() + DAY_MS, query);
    return [leaderboard.me?.rank, leaderboard.participants, around.map(({ displayName, rank }) => [displayName, rank])];
  };
  const before = await groupOfBob();
  expect(before.slice(0, 2)).toEqual([2, 2]);
  await erasePlayer(database, await current(at), "ann", "She asked");
  expect(await groupOfBob()).toEqual(before);
  expect(await checkIntegrity(database, await current(at))).toEqual([]);
});

test("a period that has ended and is not being settled, as that of a board that is off, does not keep a player from being erased", async () => {
  const { at } = await shop("sandbox");
  const daily = { ...board, period: { kind: "Calendar", every: "Day" } };
  await importDefinitions(database, at, {
    version: 1,
    leaderboards: [
      { ...daily, key: "daily_orders", scoreSource: "Event", event: "order_placed" },
      { ...daily, key: "daily_levels", scoreSource: "Attribute", attribute: "level", settleAfterMinutes: 10_000 },
    ],
  });
  await play(at, "ann");
  await play(at, "bob");
  await setActive(database, await current(at), { kind: "leaderboards", key: "daily_orders", active: false }, COMMAND_LINE);
  await moveClockUpTo(database, await current(at), Date.now() + 3 * DAY_MS);
  await erasePlayer(database, await current(at), "ann", "She asked");
  await moveClockUpTo(database, await current(at), Date.now() + 9 * DAY_MS);
  const rows = await sql<{ key: string; participants: number }[]>`
    select d.key, p.participants from leaderboard_periods p join definitions d on d.id = p.leaderboard_id
    where p.environment_id = ${at.id} and d.key = 'daily_levels' and p.step = 'Settled'`;
  expect(new Set(rows.map(({ participants }) => participants))).toEqual(new Set([1]));
  expect(await checkIntegrity(database, await current(at))).toEqual([]);
});

test("the base currency stays fixed once its only player with amounts is erased: their sums remain in it", async () => {
  const { at } = await shop();
  const money = { version: 1, baseCurrency: "EUR", metrics: [{ key: "spent", name: "Spent", kind: "Currency" }] };
  expect(await importDefinitions(database, at, money)).not.toHaveProperty("problems");
  const now = Date.now();
  const spent = {
    metricKey: "spent",
    value: 12,
    currencyCode: "EUR",
    exchangeRate: null,
    idempotencyKey: null,
    properties: {},
    timeZone: null,
  };
  await takeMetricEvent(database, await current(at), now, { ...spent, externalId: "ann", occurredAt: now });
  await drainFacts(database, at.id);
  await erasePlayer(database, await current(at), "ann", "She asked");
  expect(await importDefinitions(database, await current(at), { version: 1, baseCurrency: "USD" })).toMatchObject({
    problems: [{ pointer: "/baseCurrency", code: "money.base_fixed" }],
  });
});

test("reusing the external id creates a new player: replayed events count again, under new ids", async () => {
  const { at } = await shop();
  await play(at, "ann");
  const deliveries = () =>
    sql<{ id: string }[]>`select id from webhook_deliveries where environment_id = ${at.id} and event = 'mission.completed'`;
  const [earlier] = await deliveries();
  await erasePlayer(database, at, "ann", "She asked");
  // Uses the environment as it was loaded before the erasure.
  await see(at, "ann");
  const [result] = await order(at, "ann", "latte", "mocha");
  expect(result).toMatchObject({ accepted: true });
  await drainFacts(database, at.id);
  expect(await readBalance(sql, playerKey(at.id, "ann"))).toEqual({ balance: 33, totalGranted: 33, totalSpent: 0 });
  const later = await deliveries();
  expect(later).toHaveLength(1);
  expect(later[0]!.id).not.toBe(earlier!.id);
  expect(await checkIntegrity(database, at)).toEqual([]);
  await erasePlayer(database, at, "ann", "Again");
  expect(await checkIntegrity(database, at)).toEqual([]);
});

test("only one of two simultaneous erasures finds the player; events that arrive meanwhile are neither lost nor half applied", async () => {
  const { at } = await shop();
  await play(at, "ann");
  const stream = Array.from({ length: 12 }, (_, turn) => order(at, "ann", `drink ${turn}`));
  const outcomes = await Promise.allSettled([erasePlayer(database, at, "ann", "One"), erasePlayer(database, at, "ann", "Two")]);
  await Promise.all(stream);
  await drainFacts(database, at.id);
  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
  expect(await checkIntegrity(database, at)).toEqual([]);
  const strays = ["events", "mission_states", "balances"].map(
    (table) => `select '${table}' from ${table} t where not exists (
    select from players p where p.part = t.part and p.player_id = t.player_id) and not exists (
    select from anonymous_owners o where o.player_id = t.player_id)`,
  );
  expect([...(await sql.unsafe(strays.join(" union all ")))]).toEqual([]);
});

test("after a restore the erasures are repeated, once, and players created later are kept", async () => {
  const { at } = await shop();
  await play(at, "ann");
  await savePlayer(database, at, Date.now() - 60_000, "bob", {});
  await erasePlayer(database, at, "ann", "She asked");
  await erasePlayer(database, at, "bob", "He asked");
  const lines = await listErasures(database, at);
  expect(lines.join()).not.toMatch(/ann|bob/);
  // The backup, which is older than both erasures, brings Bob back; Ann is a new player under her id.
  await sql`delete from erasures where environment_id = ${at.id}`;
  await savePlayer(database, at, Date.now() - 60_000, "bob", {});
  await savePlayer(database, at, Date.now() + 60_000, "ann", {});
  const file = [`\uFEFF${lines[0]}\r`, ...lines.slice(1), ""];
  // Two runs at once share the work.
  const [one, other] = await Promise.all([repeatErasures(database, at, file), repeatErasures(database, at, file)]);
  expect([one.read, one.erased + other.erased]).toEqual([lines.length, 1]);
  expect(await repeatErasures(database, at, lines)).toEqual({ read: lines.length, erased: 0 });
  const left = await sql<{ id: string }[]>`select external_id as id from players where environment_id = ${at.id}`;
  expect(left.map(({ id }) => id)).toEqual(["ann"]);
  expect(await listErasures(database, at)).toEqual(lines);
  await expect(repeatErasures(database, at, ["{}"])).rejects.toThrow("Line 1 is not an erasure");
  const { at: elsewhere } = await shop("sandbox");
  await expect(repeatErasures(database, elsewhere, lines)).rejects.toThrow("Line 1 is an erasure of another environment");
});

test("an erasure is repeated in a backup that was taken while a period with the player was being settled, without a running service", async () => {
  const { at } = await shop("sandbox");
  const prizes = [{ fromRank: 1, toRank: 1, rewards: [{ kind: "Points", points: 70 }] }];
  const daily = { ...board, key: "daily", scoreSource: "Event", event: "order_placed", period: { kind: "Calendar", every: "Day" } };
  await importDefinitions(database, at, { version: 1, leaderboards: [{ ...daily, prizes }] });
  await play(at, "ann");
  await play(at, "bob");
  const { part, playerId } = playerKey(at.id, "ann");
  const lines = [JSON.stringify({ part, playerId, erasedAt: Date.now() + 9 * DAY_MS })];
  const environment = await current(at);
  await transact(database, (tx) => advanceClock(tx, at.id, 3 * DAY_MS));
  // The period is frozen, and the process ends.
  let looks = 0;
  await settlePeriods(database, at.id, () => looks++ > 0);
  await expect(erasePlayer(database, environment, "ann", "She asked")).rejects.toThrow("daily that the player is in is being settled");
  expect(await repeatErasures(database, await current(at), lines)).toEqual({ read: 1, erased: 1 });
  // The restored clock is behind the erasure's instant; a player created now is a new one even so.
  await savePlayer(database, await current(at), await environmentNow(database.sql, await current(at)), "ann", {});
  expect(await repeatErasures(database, await current(at), lines)).toEqual({ read: 1, erased: 0 });
  expect(await checkIntegrity(database, await current(at))).toEqual([]);
});

test("a Sandbox reset also deletes the remains of erased players", async () => {
  const { sandbox, at } = await shop("sandbox");
  await play(at, "ann");
  await erasePlayer(database, at, "ann", "She asked");
  await resetSandbox(database, sandbox);
  expect(await totals(at)).toEqual({ amount: null, count: 0, sold: null });
  expect(await checkIntegrity(database, at)).toEqual([]);
});

test("an export has everything once, with pages of any size, each row as JSON with instants as the API writes them", async () => {
  const { at } = await shop();
  await play(at, "ann");
  await giveSeatsIn(database, at.id);
  const exported = async (limit: number) => {
    const found: string[] = [];
    let place: Parameters<typeof exportPage>[3] | null = { section: "profile", after: "" };
    while (place !== null) {
      const { section, rows, next } = await exportPage(database, at, "ann", place, limit);
      found.push(...rows.map((row) => `${section} ${row}`));
      place = next;
    }
    return found;
  };
  const all = await exported(100);
  expect(await exported(1)).toEqual(all);
  const counts = Map.groupBy(all, (line) => line.split(" ", 1)[0]!);
  expect(Object.fromEntries([...counts].map(([section, rows]) => [section, rows.length]))).toEqual({
    ...{ profile: 1, attributes: 2, metricTotals: 1, balance: 1, events: 3, metricEvents: 1, transactions: 6, completedMissions: 1 },
    ...{ purchases: 2, items: 3, streakRuns: 1, leaderboards: 3, teams: 1 },
  });
  expect(counts.get("leaderboards")!.filter((line) => /"tier" : "bronze", "group" : 1, "outcome" : null/.test(line))).toHaveLength(1);
  for (const line of all) {
    expect(parseJson(line.slice(line.indexOf(" ") + 1))).toBeTypeOf("object");
    for (const [, instant] of line.matchAll(/"(?:\w+At|since)" : "([^"]*)"/g)) expect(instant).toMatch(/^[\d-]{10}T[\d:]{8}[.]\d{3}Z$/);
  }
});
