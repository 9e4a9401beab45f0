import { createRouterClient } from "@orpc/server";
import { describe, expect, test, vi } from "vitest";
import { testDatabase, testProject, type TestProject } from "#db/testing.ts";
import { dashboardRouter } from "../../api/rpc/router.ts";
import { testApi } from "../../api/testing/calls.ts";
import { createUser } from "../../people/identity/accounts.ts";
import { drain } from "../../operations/worker/drain.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import type { InventedFact } from "./shapes.ts";
import { Rules } from "./scenarios/rules.ts";
import { readScenarios, runScenarios } from "./scenarios/run.ts";
import { findAudience, MAX_PREVIEWED_INPUTS } from "./service/audience.ts";
import { PREVIEWS } from "./service/previews.ts";
import { tryDefinition, type Trying } from "./service/trial.ts";
import { importDefinitions } from "../definitions/service/import.ts";

const database = await testDatabase();
const api = await testApi(database);

const EVENTS = [
  { key: "order_placed", name: "Order placed", properties: [{ key: "amount", type: "Number" }] },
  { key: "store_visited", name: "Store visited" },
];
const ATTRIBUTES = [{ key: "tier", name: "Tier", type: "String" }];
const LARGE = { property: "amount", operator: "GreaterThan", value: 10 };
const ORDERS = { event: "order_placed", where: LARGE, operator: "GreaterThanOrEqualTo", target: 2 };
const MISSION = { key: "orders", name: "Orders", objectives: [ORDERS], rewards: [{ kind: "Points", points: 50 }] };
const GOLD = { attribute: "tier", operator: "EqualTo", value: "gold" };
const STREAK = {
  key: "daily",
  name: "Daily",
  event: "order_placed",
  cadence: "Day",
  milestones: [{ length: 2, rewards: MISSION.rewards }],
};
const BOARD = {
  key: "spenders",
  name: "Spenders",
  scoreSource: "Event",
  rankOrder: "HighestFirst",
  event: "order_placed",
  measure: { kind: "Sum", property: "amount" },
  period: { kind: "AllTime" },
};
const LISTING = { key: "voucher", name: "Voucher", priceInPoints: 30, contents: [{ catalogItem: "coffee", value: 1 }] };

const FILE = {
  version: 1,
  events: EVENTS,
  attributes: ATTRIBUTES,
  catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
  missions: [MISSION],
  streaks: [STREAK],
  leaderboards: [BOARD],
  marketplaceItems: [LISTING],
};

async function coffeeShop(): Promise<TestProject> {
  const project = await testProject(database);
  expect(await importDefinitions(database, project.sandbox, FILE)).not.toHaveProperty("problems");
  return project;
}

const history = { kind: "History", from: null } as const;

async function run({ sandbox }: TestProject, kind: Trying["kind"], definition: object, more: Partial<Trying> = {}) {
  const given = {
    kind,
    document: JSON.stringify(definition),
    player: null,
    balance: null,
    scenario: history,
    ignoreAudience: false,
    ...more,
  };
  return tryDefinition(database, sandbox, Date.now(), given, PREVIEWS);
}

async function trial(...args: Parameters<typeof run>) {
  const { problems, factProblems, trial } = await run(...args);
  expect([problems, factProblems]).toEqual([[], []]);
  return trial!;
}

const minute = (offset: number): string => new Date(Date.now() + offset * 60_000).toISOString();
const ordered = (amount: number | null, offset: number): InventedFact => ({
  kind: "events",
  key: "order_placed",
  occurredAt: minute(offset),
  receivedAt: null,
  properties: JSON.stringify({ amount }),
  value: null,
});
const invented = (...facts: InventedFact[]) => ({ scenario: { kind: "Invented" as const, facts } });

async function send({ sandboxKey }: TestProject, playerId: string, ...amounts: number[]): Promise<void> {
  const events = amounts.map((amount) => ({
    playerId,
    event: "order_placed",
    occurredAt: new Date().toISOString(),
    properties: { amount },
  }));
  expect((await api.post("/v1/events", { events }, sandboxKey)).json.rejected).toBe(0);
  await drain({ database, wake: () => {}, logger: { error: () => {} } } as never, ["facts"], 10_000);
}

/** Every row of every table, and every sequence, as text. */
async function everything(): Promise<Map<string, string>> {
  const { sql } = database;
  const tables = await sql<{ name: string }[]>`select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`;
  const found = new Map<string, string>();
  for (const { name } of tables) {
    const [row] = await sql.unsafe<{ digest: string }[]>(
      `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest from ${name} t`,
    );
    found.set(name, row!.digest);
  }
  const sequences = await sql<
    { name: string; last: string | null }[]
  >`select sequencename as name, last_value::text as last from pg_sequences`;
  for (const { name, last } of sequences) found.set(name, last ?? "");
  return found;
}

describe("a mission tried with a real player", () => {
  test("says for each event whether it counts from the player's own entry, and why not", async () => {
    const project = await coffeeShop();
    await send(project, "ann", 50);
    await api.post("/v1/missions", { playerId: "ann" }, project.sandboxKey);
    await send(project, "ann", 8, 12);
    const { steps, summary, rewards, notes } = await trial(project, "missions", MISSION, { player: "ann" });
    expect(steps.map(({ sentence }) => sentence.replace(/ \(.*\)/, ""))).toEqual([
      "Order placed #1 does not count: received before the player's entry.",
      "Order placed #2 does not count: amount is 8, needs to be more than 10.",
      "Order placed #3 counts: 1 of 2.",
    ]);
    expect([summary.headline, summary.items[0]?.fraction, rewards]).toEqual(["In progress.", 0.5, []]);
    expect(notes).toContain("Counted from the player's own entry. Attributes are as they are now.");
  });

  test("counts everything as if the player had seen it before, for an unsaved mission", async () => {
    const project = await coffeeShop();
    await send(project, "ann", 50, 8, 12, 30);
    const { steps, summary, rewards } = await trial(project, "missions", { ...MISSION, key: "new_one" }, { player: "ann" });
    expect(steps.map(({ outcome }) => outcome)).toEqual(["Neutral", "Counts", "DoesNotCount", "Counts", "DoesNotCount"]);
    expect(steps.at(-1)?.lines[0]?.text).toBe("already completed, and it does not repeat");
    expect([summary.headline, rewards]).toEqual(["Completed once.", ["50 points"]]);
  });

  test("continues from the player's state with invented events", async () => {
    const project = await coffeeShop();
    await api.post("/v1/missions", { playerId: "ann" }, project.sandboxKey);
    await send(project, "ann", 12);
    const { steps, rewards } = await trial(project, "missions", MISSION, { player: "ann", ...invented(ordered(9, 1), ordered(20, 2)) });
    expect(steps.map(({ outcome }) => outcome)).toEqual(["DoesNotCount", "Counts"]);
    expect(rewards).toEqual(["50 points"]);
  });
});

test.each<[kind: Trying["kind"], definition: object, expected: object]>([
  ["missions", MISSION, { missions: { orders: { status: "Completed", progress: [2], completed: 1 } } }],
  ["streaks", STREAK, { streaks: { daily: { current: 1, longest: 1, qualifies: true, freezes: 0 } } }],
  ["leaderboards", BOARD, { leaderboards: { spenders: { rank: 1, score: 42, team: null } } }],
  ["marketplaceItems", LISTING, { marketplaceItems: { voucher: "Purchasable" } }],
])("a trial of %s is also given as a scenario, which the same definitions pass", async (kind, definition, expected) => {
  const project = await coffeeShop();
  await send(project, "ann", 12, 30);
  const { scenario } = await trial(project, kind, definition, { player: "ann", balance: 100, asScenario: true });
  const rules = Rules.of(FILE, Date.now());
  const read = readScenarios(JSON.parse(scenario!));
  if ("problems" in rules || "problems" in read) throw new Error(scenario!);
  expect(read.file.scenarios[0]!.steps.at(-1)?.expect).toEqual(expected);
  expect(runScenarios(rules, read.file)).toMatchObject({ problems: [], results: [{ failures: [] }] });
});

test("a scenario of a trial has a player in the same share of players, without naming the tried one", async () => {
  const project = await coffeeShop();
  const definition = { ...MISSION, audience: { rule: { share: 50, salt: "spring" } } };
  const seen = new Set<unknown>();
  for (const player of ["ann", "ben", "cem", "dan", "eva", "fay"]) {
    await api.post("/v1/players", { playerId: player }, project.sandboxKey);
    const { audience, scenario } = await trial(project, "missions", definition, { player, asScenario: true, ...invented(ordered(30, 1)) });
    expect(scenario).not.toContain(player);
    const read = readScenarios(JSON.parse(scenario!));
    if ("problems" in read) throw new Error(scenario!);
    const { status } = (read.file.scenarios[0]!.steps.at(-1)!.expect as { missions: { orders: { status: string } } }).missions.orders;
    expect(status).toBe(audience!.qualifies ? "InProgress" : "Locked");
    seen.add(status);
  }
  expect(seen.size).toBe(2);
});

test("a trial that begins before the first calendar is refused as a scenario, not played through every period since", async () => {
  const project = await coffeeShop();
  const long: Trying["scenario"] = {
    kind: "Invented",
    facts: [{ ...ordered(12, 1), occurredAt: "0001-01-01T00:00:00Z", receivedAt: null }],
  };
  await expect(
    trial(
      project,
      "leaderboards",
      { ...BOARD, key: "daily_spenders", period: { kind: "Calendar", every: "Day" } },
      { player: null, scenario: long, asScenario: true },
    ),
  ).rejects.toThrow("More happens in this trial than a scenario can hold.");
});

test("no preview changes anything in any table", async () => {
  const project = await coffeeShop();
  await api.post("/v1/missions", { playerId: "ann" }, project.sandboxKey);
  await send(project, "ann", 12, 30);
  const over = { event: "store_visited", operator: "LessThan", value: 5, lastDays: 30 };
  const edited = { ...MISSION, key: "other", audience: { rule: { any: [over, { streak: "daily", operator: "GreaterThan", value: 0 }] } } };
  const before = await everything();
  for (const scenario of [{ scenario: history }, invented(ordered(20, 1), ordered(30, 1500))]) {
    for (const player of ["ann", "nobody knows them", null]) {
      expect((await trial(project, "missions", edited, { player, ...scenario })).audience?.qualifies).toBe(true);
      await trial(project, "streaks", STREAK, { player, ...scenario });
      await trial(project, "leaderboards", BOARD, { player, ...scenario });
      await trial(
        project,
        "leaderboards",
        { ...BOARD, key: "points", scoreSource: "Points", event: null, measure: null },
        { player, ...scenario },
      );
      await trial(project, "marketplaceItems", LISTING, { player, ...scenario });
    }
  }
  expect(
    (await findAudience(database, project.sandbox, Date.now(), { kind: "missions", document: JSON.stringify(edited) })).audience?.qualified,
  ).toBe(1);
  expect(await everything()).toEqual(before);
});

test("invented facts are judged like real ones, and every problem has its place", async () => {
  const project = await coffeeShop();
  const wrong = { ...ordered(1, 0), properties: '{"amount":"much","size":1}' };
  const unknown = { ...ordered(1, 0), key: "nothing", occurredAt: "now" };
  const ahead = { ...ordered(12, 1), occurredAt: "2026-03-12T00:00:00.001Z", receivedAt: "2026-03-11T00:00:00Z" };
  const { factProblems, trial: none } = await run(project, "missions", MISSION, invented(wrong, unknown, ahead));
  expect(none).toBeNull();
  expect(factProblems.map(({ pointer }) => pointer)).toEqual([
    "/0/properties/amount",
    "/0/properties/size",
    "/1/occurredAt",
    "/1/key",
    "/2/occurredAt",
  ]);
});

test("problems of a definition are reported as by a save, with pointers into it", async () => {
  const project = await coffeeShop();
  const { problems } = await run(project, "missions", { ...MISSION, objectives: [{ ...ORDERS, event: "order_place" }] });
  expect(problems).toContainEqual({
    code: "definition.reference_unknown",
    params: { kind: "events", key: "order_place", suggestion: "order_placed" },
    pointer: "/objectives/0/event",
    message: expect.stringContaining('did you mean "order_placed"?') as unknown,
  });
  const along = [{ kind: "events", document: JSON.stringify({ key: "Not a key", name: "Order paid" }) }] as const;
  expect((await run(project, "missions", MISSION, { along })).problems).toMatchObject([{ code: "shape.key", pointer: "" }]);
  expect((await run(project, "missions", [])).problems).not.toEqual([]);
  const [broken] = (
    await tryDefinition(
      database,
      project.sandbox,
      0,
      { kind: "missions", document: "{", player: null, balance: null, scenario: history, ignoreAudience: false },
      PREVIEWS,
    )
  ).problems;
  expect(broken?.message).toMatch(/^is not JSON/);
});

test("an objective met out of order is reported as waiting, with the objective that it waits for", async () => {
  const inOrder = {
    ...MISSION,
    key: "in_order",
    objectiveOrder: "InOrder",
    objectives: [ORDERS, { attribute: "tier", operator: "EqualTo", target: "gold" }],
  };
  const gold: InventedFact = { ...ordered(null, 0), kind: "attributes", key: "tier", properties: "{}", value: '"gold"' };
  const { summary } = await trial(await coffeeShop(), "missions", inOrder, invented(gold));
  expect(summary.items.map(({ value }) => value)).toEqual([
    "0 of 2",
    "gold, needs gold; it waits for “Order placed at least 2 times where amount is more than 10”",
  ]);
  expect(summary.items.map(({ label }) => label)).toEqual(["Order placed at least 2 times where amount is more than 10", "Tier is gold"]);
  const done = await trial(await coffeeShop(), "missions", inOrder, invented(ordered(20, 1), gold, ordered(20, 2)));
  expect(done.summary.headline).toBe("Completed once.");
  expect(done.summary.items.map(({ value }) => value)).toEqual(["2 of 2", "gold, needs gold"]);
});

test("where a mission is told to stand is as of the last fact: it has closed by then, or its period is over", async () => {
  const closing = { ...MISSION, key: "closing", window: { endsAt: minute(60) } };
  const project = await coffeeShop();
  const late = await trial(project, "missions", closing, invented(ordered(20, 120)));
  expect(late.summary.headline).toMatch(/^Not in the mission: the mission closed at /);
  expect(late.steps[0]!.sentence).toMatch(/^The player does not enter the mission: the mission closed at /);
  const daily = { ...closing, recurrence: { kind: "Calendar", every: "Day" } };
  const { summary } = await trial(project, "missions", daily, invented(ordered(20, 1), ordered(20, 3 * 1440)));
  expect(summary).toMatchObject({
    headline: expect.stringMatching(/^Not completed by .*, when its period ended\.$/),
    items: [{ value: "1 of 2" }],
  });
});

test("a step names each objective of several by its description, or by its sentence", async () => {
  const visited = { description: "Drop in", event: "store_visited", operator: "GreaterThanOrEqualTo", target: 1 };
  const mission = { ...MISSION, key: "both", objectives: [ORDERS, visited] };
  const visit: InventedFact = { ...ordered(null, 2), key: "store_visited", properties: "{}" };
  const { steps, summary } = await trial(await coffeeShop(), "missions", mission, invented(ordered(20, 1), visit));
  expect(steps.flatMap(({ number, lines }) => (number === null ? [] : lines.map(({ text }) => text)))).toEqual([
    "Order placed at least 2 times where amount is more than 10: 1 of 2",
    "Drop in: 1 of 1 ✓",
  ]);
  // These values have no tick: the screen marks a met objective.
  expect(summary.items.map(({ value, isDone }) => [value, isDone])).toEqual([
    ["1 of 2", false],
    ["1 of 1", true],
  ]);
});

test("the audience is explained condition by condition, and may be ignored", async () => {
  const project = await coffeeShop();
  const forGold = {
    ...MISSION,
    key: "gold",
    audience: { rule: { all: [GOLD, { points: "Balance", operator: "GreaterThanOrEqualTo", value: 10 }] } },
  };
  const { audience, summary, notes } = await trial(project, "missions", forGold, { balance: 25, ...invented(ordered(20, 1)) });
  // A reward of another mission could bring the player into the audience.
  expect(notes).toContainEqual(expect.stringMatching(/^Nothing else is played: points and missions/));
  expect(audience).toEqual({
    qualifies: false,
    lines: [
      { depth: 0, isMet: false, text: "All of these" },
      { depth: 1, isMet: false, text: "Tier is missing, needs to be gold" },
      { depth: 1, isMet: true, text: "Points balance is 25, needs to be at least 10" },
    ],
  });
  expect(summary.headline).toBe("Not in the mission: the player is not in the audience.");
  const tier: InventedFact = { ...ordered(null, 0), kind: "attributes", key: "tier", value: '"gold"' };
  const becoming = await trial(project, "missions", forGold, { balance: 25, ...invented(tier, ordered(20, 1)) });
  expect(becoming.steps.map(({ outcome }) => outcome)).toContain("Counts");
  // Whether a player without an id is in a share would be chance.
  const half = { ...MISSION, key: "half", audience: { rule: { share: 50 } } };
  const chance = expect.stringMatching(/^A share of players is chosen by their ids, and this new player has none/) as string;
  expect((await trial(project, "missions", half, invented(ordered(20, 1)))).notes).toContainEqual(chance);
  expect((await trial(project, "missions", half, { player: "ann", ...invented(ordered(20, 1)) })).notes).not.toContainEqual(chance);
  const open = await trial(project, "missions", forGold, { ignoreAudience: true, ...invented(ordered(20, 1)) });
  expect(open.steps.map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ["Entry", "Neutral"],
    ["Event", "Counts"],
  ]);
});

test("a streak reports its runs and milestones, a leaderboard its scores", async () => {
  const project = await coffeeShop();
  // At one instant, so that no midnight falls between them.
  const days = invented(ordered(1, -1440), ordered(2, 0), ordered(3, 0));
  const streak = await trial(project, "streaks", STREAK, days);
  expect(streak.steps.map(({ outcome, rewards }) => [outcome, ...rewards])).toEqual([
    ["Counts"],
    ["Counts", "50 points"],
    ["DoesNotCount"],
  ]);
  expect([streak.summary.headline, streak.steps[2]?.lines[0]?.text]).toEqual([
    "Streak of 2 days.",
    expect.stringMatching(/qualifies already$/),
  ]);
  await send(project, "ann", 7);
  const board = await trial(project, "leaderboards", BOARD, { player: "ann", ...invented(ordered(5, 0), ordered(null, 0)) });
  expect(board.steps.map(({ lines }) => lines[0]?.text)).toEqual(["the score is now 12", "it has no number in amount"]);
  expect((await trial(project, "leaderboards", BOARD, { player: "ann" })).summary.headline).toBe("The score is 7.");
});

test("a value that a board ranks carries over into the period of the last fact", async () => {
  const project = await coffeeShop();
  const attributes = [...ATTRIBUTES, { key: "level", name: "Level", type: "Number" }];
  expect(await importDefinitions(database, project.sandbox, { ...FILE, attributes })).not.toHaveProperty("problems");
  const board = { ...BOARD, scoreSource: "Attribute", event: undefined, measure: undefined, attribute: "level" };
  const daily = { ...board, period: { kind: "Calendar", every: "Day" } };
  const level = { kind: "attributes" as const, key: "level", occurredAt: minute(0), receivedAt: null, properties: "{}", value: "4" };
  const { summary } = await trial(project, "leaderboards", { ...daily, key: "levels" }, invented(level, ordered(5, 3 * 1440)));
  expect([summary.headline, summary.items[0]]).toEqual(["The score is 4.", expect.objectContaining({ label: "Score now", value: "4" })]);
});

test("a trial of a board over points says that it enters the player in no mission", async () => {
  const project = await coffeeShop();
  const board = { ...BOARD, key: "points", scoreSource: "Points", event: undefined, measure: undefined };
  const { notes, summary } = await trial(project, "leaderboards", board, invented(ordered(12, 0), ordered(13, 1)));
  expect(summary.headline).toBe("The player has no score yet.");
  const note = "Assumes that the app is not opened meanwhile: these events count only for missions that the player is in already.";
  expect(notes).toContain(note);
  expect((await trial(project, "leaderboards", BOARD, invented(ordered(12, 0)))).notes).not.toContain(note);
});

test("a score stays with the team for which it was scored", async () => {
  const project = await coffeeShop();
  const fact = (value: string) => ({ kind: "attributes" as const, key: "tier", receivedAt: null, properties: "{}", value });
  const joined = (team: string, at: number) => ({ ...fact(JSON.stringify(team)), occurredAt: minute(at) });
  const facts = invented(joined("red", 0), ordered(5, 1), joined("blue", 2), ordered(2, 3));
  const { steps, summary } = await trial(project, "leaderboards", { ...BOARD, key: "teams", teamAttribute: "tier" }, facts);
  expect(steps.flatMap(({ outcome, lines }) => (outcome === "Counts" ? lines[0]!.text : []))).toEqual([
    "the score is now 5",
    "the score is now 2",
  ]);
  expect(summary.headline).toBe("The score is 2.");
});

test("a listing gives the answer of a purchase", async () => {
  const project = await coffeeShop();
  const { sandboxKey: key } = project;
  const points = async (playerId: string, amount: number) => {
    await api.post("/v1/players", { playerId }, key);
    await api.post("/v1/points/adjustments", { playerId, amount, reason: "test" }, key);
  };
  await points("rich", 500);
  await points("poor", 10);
  await api.call("PUT", "/v1/attributes", { key, body: { playerId: "rich", attributes: { tier: "gold" } } });
  const window = { startsAt: "2999-01-01T00:00:00Z" };
  const listings = [{}, { active: false }, { onSale: window }, { audience: { rule: GOLD } }, { stock: 1 }, { limitPerPlayer: 1 }].map(
    (more, at) => ({
      ...LISTING,
      key: `listing_${at}`,
      ...more,
    }),
  );
  await importDefinitions(database, project.sandbox, { ...FILE, marketplaceItems: [LISTING, ...listings] });
  const answers: string[] = [];
  // Twice, so that stock and limit run out.
  for (const listing of [...listings, ...listings]) {
    for (const player of ["rich", "poor", "stranger"]) {
      const { summary } = await trial(project, "marketplaceItems", listing, { player });
      const { json } = await api.post(`/v1/marketplace-items/${listing.key}/purchases`, { playerId: player, idempotencyKey: null }, key);
      const code = (json.code as string | undefined) ?? "bought";
      answers.push(code);
      if (code === "bought") expect(summary.headline).toBe("The purchase goes through.");
      else expect(summary.headline).toContain(`(${code})`);
    }
  }
  expect(new Set(answers).size).toBe(8);
});

describe("the number of qualifying players", () => {
  const audienceOf = (project: TestProject, bounds?: Parameters<typeof findAudience>[4]) =>
    findAudience(
      database,
      project.sandbox,
      Date.now(),
      { kind: "missions", document: JSON.stringify({ ...MISSION, key: "gold", audience: { rule: GOLD } }) },
      bounds,
    );

  test("is exact for few players, with a sample", async () => {
    const project = await coffeeShop();
    for (const [playerId, tier] of Object.entries({ ann: "gold", ben: "silver", cleo: "gold" })) {
      await api.call("PUT", "/v1/attributes", { key: project.sandboxKey, body: { playerId, attributes: { tier } } });
    }
    const { audience } = await audienceOf(project, { page: 2, most: 100, milliseconds: 60_000 });
    expect(audience).toMatchObject({ isEverybody: false, isEstimate: false, players: 3, qualifying: 2, evaluated: 3 });
    expect(audience?.sample.map(({ externalId }) => externalId).sort()).toEqual(["ann", "cleo"]);
  });

  test("is estimated from a fair sample for many", async () => {
    const project = await coffeeShop();
    const { id } = project.sandbox;
    await database.sql`
      insert into players (part, player_id, environment_id, external_id, created_at)
      select ('x' || substr(h, 1, 3))::bit(12)::int >> 2, h::uuid, ${id}, 'p' || n, now() from generate_series(1, 4000) n, md5(${id} || '/' || n) h`;
    const tier = await database.sql<{ id: number }[]>`select id from definitions where environment_id = ${id} and key = 'tier'`;
    await database.sql`
      insert into attribute_values (part, player_id, attribute_id, value, occurred_at)
      select part, player_id, ${tier[0]!.id}, '"gold"', now() from players where environment_id = ${id} and hashtext(external_id) % 4 = 0`;
    const { audience } = await audienceOf(project, { page: 250, most: 1_000, milliseconds: 60_000 });
    expect([audience?.isEstimate, audience?.evaluated, audience?.sample.length]).toEqual([true, 1_000, 10]);
    expect(Math.abs(audience!.players - 4_000)).toBeLessThan(600);
    const [{ gold }] =
      (await database.sql`select count(*) as gold from attribute_values where attribute_id = ${tier[0]!.id}`) as unknown as [
        { gold: number },
      ];
    expect(Math.abs(audience!.qualifying - gold) / gold).toBeLessThan(0.3);
  });
});

describe("the count of an audience is bounded", () => {
  const visitedIn = (days: number) => ({ event: "store_visited", operator: "GreaterThanOrEqualTo", value: 1, lastDays: days });
  const rulesOf = (count: number) => ({ any: Array.from({ length: count }, (_, at) => visitedIn(at + 1)) });
  const count = (project: TestProject, rule: object, bounds?: Parameters<typeof findAudience>[4]) =>
    findAudience(
      database,
      project.sandbox,
      Date.now(),
      { kind: "missions", document: JSON.stringify({ ...MISSION, key: "other", audience: { rule } }) },
      bounds,
    );

  test("a rule with too many conditions on a player's history is refused with a message, and a shorter one is counted", async () => {
    const project = await coffeeShop();
    await send(project, "ann", 12);
    expect((await count(project, rulesOf(MAX_PREVIEWED_INPUTS))).audience).toMatchObject({ evaluated: 1, isEstimate: false });
    await expect(count(project, rulesOf(MAX_PREVIEWED_INPUTS + 1))).rejects.toThrow(
      "This rule asks 201 different things of a player's history, and a preview counts rules with up to 200.",
    );
    // A condition that is asked many times counts once.
    const often = { any: Array.from({ length: 1_000 }, () => visitedIn(30)) };
    expect((await count(project, often)).audience).toMatchObject({ evaluated: 1 });
  });

  test("a page reads a bounded number of facts: players with longer histories are skipped, and the answer says so", async () => {
    const project = await coffeeShop();
    const visits = (playerId: string, times: number) =>
      Array.from({ length: times }, (_, at) => ({
        ...{ playerId, event: "store_visited", occurredAt: new Date().toISOString(), idempotencyKey: `${playerId} ${at}` },
      }));
    await api.post("/v1/events", { events: [...visits("ann", 30), ...visits("ben", 3), ...visits("cleo", 4)] }, project.sandboxKey);
    await drainFacts(database, project.sandbox.id);
    const bounds = { page: 10, most: 100, milliseconds: 60_000, facts: 5 };
    expect((await count(project, visitedIn(30), bounds)).audience).toMatchObject({ evaluated: 2, qualified: 2, isEstimate: true });
    expect((await count(project, visitedIn(30), { ...bounds, facts: 100 })).audience).toMatchObject({ evaluated: 3, isEstimate: false });
  });

  test("the time limit is checked within a page: the count until then holds", async () => {
    const project = await coffeeShop();
    await send(project, "ann", 12);
    const now = vi.spyOn(performance, "now");
    let time = 0;
    now.mockImplementation(() => (time += 1));
    const { audience } = await count(project, rulesOf(100), { page: 10, most: 100, milliseconds: 50 });
    now.mockRestore();
    expect(audience).toMatchObject({ evaluated: 0, players: 0 });
  });
});

test("a Viewer may preview, and a non-member may not", async () => {
  const project = await coffeeShop();
  const clientOf = async (projectSlug: string) => {
    const email = `${projectSlug}@example.com`;
    await createUser(database, { email, role: "Viewer", projectSlug });
    const [session] = await database.sql<{ id: string }[]>`
      insert into sessions (user_id, expires_at) select id, now() + interval '1 hour' from users where email = ${email} returning id`;
    return createRouterClient(dashboardRouter, { context: { database, sessionId: session!.id } as never });
  };
  const input = { project: project.slug, environment: "sandbox", kind: "missions", document: JSON.stringify(MISSION) } as const;
  const own = await clientOf(project.slug);
  expect((await own.simulation.run({ ...input, player: null, scenario: history })).trial?.summary.headline).toBe("In progress.");
  expect((await own.simulation.audience(input)).audience?.isEverybody).toBe(true);
  expect((await own.players.search({ project: project.slug, environment: "sandbox" })).players).toEqual([]);
  const other = await clientOf((await testProject(database)).slug);
  await expect(other.simulation.run({ ...input, player: null, scenario: history })).rejects.toThrow("There is no such project");
  await expect(other.players.search({ project: project.slug, environment: "sandbox" })).rejects.toThrow("There is no such project");
});
