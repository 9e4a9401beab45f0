import { expect, test } from "vitest";
import { sharedDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { writeAttributes } from "../attributes/service.ts";
import { ingest } from "../events/service.ts";
import { parseJson } from "../../model/kernel/json.ts";
import { takeMetricEvent } from "../metrics/service.ts";
import { readMissions } from "../missions/service/read.ts";
import { adjustPoints } from "../points/service.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { playerKey } from "../../model/players/identity.ts";
import { savePlayer } from "./service/players.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await sharedDatabase();
const { sql } = database;
const NOW = Date.parse("2026-03-02T12:00:00Z");

const mission = (key: string, target: number) => ({
  key,
  name: `Mission ${key}`,
  objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target }],
  rewards: [{ kind: "Points", points: 50 }],
});

const FILE = {
  version: 1,
  events: [{ key: "order_placed", name: "Order placed", properties: [{ key: "amount", type: "Number" }] }],
  metrics: [{ key: "steps", name: "Steps", kind: "Number" }],
  attributes: [{ key: "tier", name: "Tier", type: "String" }],
  missions: [mission("first", 1), mission("five", 5)],
  streaks: [{ key: "daily", name: "Daily", event: "order_placed", cadence: "Day" }],
};

/** A rule over a player's history, whose rollup is only kept from its first read on. */
const HAS_ORDERED = { event: "order_placed", operator: "GreaterThanOrEqualTo", value: 2 };

async function shop() {
  const project = await testProject(database);
  await importDefinitions(database, project.sandbox, FILE);
  const sandbox = await findEnvironment(database, project.slug, "sandbox");
  const scope = { project: project.slug, environment: "sandbox" as const };
  return { ...project, sandbox, scope, ...(await signedIn(database, project.slug, "Viewer")) };
}

/** A player with at least one entry of everything that is shown. */
async function withAnn() {
  const at = await shop();
  const { sandbox } = at;
  const externalId = "ann/1 %";
  await savePlayer(database, sandbox, NOW, externalId, { displayName: "Ann", timeZone: "Asia/Tokyo" });
  await readMissions(database, sandbox, Date.now(), { externalId, includeCompleted: false, language: null, take: null });
  await writeAttributes(database, sandbox, { playerId: externalId, attributes: { tier: "gold" } }, []);
  await adjustPoints(database, sandbox, NOW, { externalId, amount: 7, reason: "Sorry", idempotencyKey: null });
  const items = [1, 2].map((amount) => ({
    playerId: externalId,
    event: "order_placed",
    occurredAt: new Date().toISOString(),
    properties: { amount },
  }));
  await ingest(database, sandbox, { items, mayHoldBadText: false, now: Date.now() });
  const value = parseJson("12345678901234567.25") as never;
  const report = { metricKey: "steps", value, currencyCode: null, exchangeRate: null, properties: {} };
  await takeMetricEvent(database, sandbox, Date.now(), { ...report, externalId, idempotencyKey: null, occurredAt: NOW, timeZone: null });
  await drainFacts(database, sandbox.id);
  return { ...at, externalId };
}

test("a player is shown with all their data, newest first and with exact numbers", async () => {
  const { rpc, scope, externalId } = await withAnn();
  const player = await rpc.players.get({ ...scope, externalId });
  expect(player).toMatchObject({ externalId, displayName: "Ann", timeZone: "Asia/Tokyo", createdAt: "2026-03-02T12:00:00.000Z" });
  expect(player.balance).toEqual({ balance: 57, totalGranted: 50, totalSpent: 0 });
  expect(player.attributes).toEqual([{ key: "tier", value: '"gold"' }]);
  expect(player.metrics).toEqual([{ key: "steps", total: "12345678901234567.25" }]);
  expect(player.streaks).toMatchObject([{ key: "daily", cadence: "Day", length: 1, longest: 1, isQualifiedNow: true }]);
  expect(player.missions).toMatchObject([{ key: "five", isAccepted: true, objectives: [{ actual: "2", target: "5", fraction: 0.4 }] }]);
  const { entries } = await rpc.players.timeline({ ...scope, externalId });
  const points = entries.filter(({ type }) => type === "Points");
  expect(points.map(({ pointsType, points: amount, of, reason }) => [pointsType, amount, of?.key ?? null, reason])).toEqual([
    ["Grant", 50, "first", null],
    ["Adjustment", 7, null, "Sorry"],
  ]);
  const facts = entries.filter(({ type }) => type === "Event" || type === "Metric");
  expect(facts.map(({ type, of, properties, value }) => [type, of?.key, properties, value])).toEqual([
    ["Metric", "steps", "{}", "12345678901234567.25"],
    ["Event", "order_placed", '{"amount":2}', null],
    ["Event", "order_placed", '{"amount":1}', null],
  ]);
});

test("reading a player for the dashboard enters no mission and writes nothing", async () => {
  const { rpc, scope, sandbox, externalId } = await withAnn();
  await importDefinitions(database, sandbox, { version: 1, missions: [mission("later", 9)] });
  const { part, playerId } = playerKey(sandbox.id, externalId);
  const stored = async () =>
    sql`select p.xmin::text, p.ctid::text, (select json_agg(json_build_array(s.xmin::text, s.state)) from mission_states s where s.part = p.part and s.player_id = p.player_id) as states
      from players p where p.part = ${part} and p.player_id = ${playerId}`;
  const before = await stored();
  const { missions } = await rpc.players.get({ ...scope, externalId });
  expect(missions.map(({ key }) => key)).toEqual(["five"]);
  expect([...(await stored())]).toEqual([...before]);
});

test("an unknown player is not found and not created, nor is one of the other environment", async () => {
  const { rpc, scope, externalId } = await withAnn();
  const [known] = await sql<{ count: number }[]>`select count(*)::int as count from players`;
  for (const input of [
    { ...scope, externalId: "nobody" },
    { ...scope, externalId: "a\u0000b" },
    { ...scope, environment: "live" as const, externalId },
  ]) {
    await expect(rpc.players.get(input)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  const [now] = await sql<{ count: number }[]>`select count(*)::int as count from players`;
  expect(now).toEqual(known);
});

test("the list has all players once, newest first, even if many were created at one instant", async () => {
  const { rpc, scope, sandbox } = await shop();
  for (let at = 0; at < 25; at++) await savePlayer(database, sandbox, NOW + Math.floor(at / 10), `p${at}`, {});
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { players, next }: { players: { externalId: string; createdAt: string }[]; next: string | null } = await rpc.players.list({
      ...{ ...scope, cursor },
      limit: 4,
    });
    seen.push(...players.map(({ externalId, createdAt }) => `${createdAt} ${externalId}`));
    cursor = next;
  } while (cursor !== null);
  expect(seen).toHaveLength(25);
  expect(new Set(seen).size).toBe(25);
  const instants = seen.map((line) => line.split(" ")[0]!);
  expect(instants).toEqual(instants.toSorted().reverse());
  await expect(rpc.players.list({ ...scope, cursor: "1; drop" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("the list has each player's points and last active day", async () => {
  const { rpc, scope, sandbox } = await shop();
  const items = ["2026-03-01T12:00:00Z", "2026-02-27T12:00:00Z"].map((occurredAt) => ({
    ...{ playerId: "ann", event: "order_placed", occurredAt },
    properties: {},
  }));
  await ingest(database, sandbox, { items, mayHoldBadText: false, now: Date.now() });
  await drainFacts(database, sandbox.id);
  await adjustPoints(database, sandbox, NOW, { externalId: "ann", amount: 7, reason: "Sorry", idempotencyKey: null });
  await savePlayer(database, sandbox, NOW, "bob", {});
  const { players } = await rpc.players.list({ ...scope, limit: 10 });
  expect(players).toMatchObject([
    { externalId: "ann", balance: 7, lastActiveOn: "2026-03-01" },
    { externalId: "bob", balance: 0, lastActiveOn: null },
  ]);
});

test("a search says whether there are more results than it shows", async () => {
  const { rpc, scope, sandbox } = await shop();
  for (let at = 0; at < 6; at++) await savePlayer(database, sandbox, NOW, `p${at}`, {});
  const list = async (query: string, limit: number) => {
    const { players, next, isCut } = await rpc.players.list({ ...scope, query, limit });
    return [players.length, next, isCut];
  };
  expect(await list("p", 5)).toEqual([5, null, true]);
  expect(await list("p", 6)).toEqual([6, null, false]);
  expect(await list("p1", 5)).toEqual([1, null, false]);
  expect(await list("a\u0000", 5)).toEqual([0, null, false]);
});

test("completed missions are listed once, newest first, with the rewards of that time", async () => {
  const { rpc, scope, sandbox } = await shop();
  const repeated = { ...mission("again", 1), recurrence: { kind: "AfterCompletion" } };
  await importDefinitions(database, sandbox, { version: 1, missions: [repeated] });
  const environment = await findEnvironment(database, scope.project, "sandbox");
  await readMissions(database, environment, Date.now(), { externalId: "ann", includeCompleted: false, language: null, take: null });
  for (let order = 0; order < 4; order++) {
    const items = [{ playerId: "ann", event: "order_placed", occurredAt: new Date().toISOString(), properties: { amount: order } }];
    await ingest(database, environment, { items, mayHoldBadText: false, now: Date.now() });
    await drainFacts(database, environment.id);
    await readMissions(database, environment, Date.now(), { externalId: "ann", includeCompleted: false, language: null, take: null });
  }
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { completions, next }: Awaited<ReturnType<typeof rpc.players.completions>> = await rpc.players.completions({
      ...{ ...scope, externalId: "ann", cursor },
      limit: 2,
    });
    for (const { rewards } of completions) expect(rewards).toEqual([{ catalogItem: null, text: "50 points" }]);
    seen.push(...completions.map(({ mission: key, occurrence, completedAt }) => `${completedAt} ${key} ${occurrence}`));
    cursor = next;
  } while (cursor !== null);
  expect(seen.map((line) => line.split(" ").slice(1).join(" ")).sort()).toEqual(["again 0", "again 1", "again 2", "again 3", "first 0"]);
  expect(seen.map((line) => line.split(" ")[0])).toEqual(
    seen
      .map((line) => line.split(" ")[0]!)
      .toSorted()
      .reverse(),
  );
  expect(await rpc.players.completions({ ...scope, externalId: "nobody" })).toEqual({ completions: [], next: null });
  await expect(rpc.players.completions({ ...scope, externalId: "ann", cursor: "x" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("a player's standings are read without a lock or a write, even for conditions that were never read before", async () => {
  const { rpc, scope, sandbox } = await shop();
  const board = {
    scoreSource: "Event",
    event: "order_placed",
    measure: { kind: "Count" },
    rankOrder: "HighestFirst",
    period: { kind: "AllTime" },
  };
  const tiers = ["bronze", "gold"].map((key) => ({ key, name: key }));
  const leaderboards = [
    { key: "hidden", name: "H", ...board, audience: { rule: { attribute: "tier", operator: "EqualTo", value: "x" }, otherwise: "Hidden" } },
    { key: "locked", name: "L", ...board, audience: { rule: { attribute: "tier", operator: "EqualTo", value: "x" }, otherwise: "Locked" } },
    { key: "orders", name: "O", ...board },
    { key: "off", name: "F", active: false, ...board },
    { key: "regulars", name: "R", ...board, audience: { rule: HAS_ORDERED, otherwise: "Hidden" } },
    {
      ...{ key: "league", name: "G", ...board, period: { kind: "Calendar", every: "Week" } },
      league: { groupSize: 2, tiers, promotes: 1, relegates: 1 },
    },
  ];
  expect(await importDefinitions(database, sandbox, { version: 1, leaderboards })).not.toHaveProperty("problems");
  const environment = await findEnvironment(database, scope.project, "sandbox");
  const order = (playerId: string) => ({ playerId, event: "order_placed", occurredAt: new Date().toISOString(), properties: {} });
  // A third order, since "regulars" judges each by those applied before it.
  for (const items of [[order("bob"), order("ann"), order("ann")], [order("ann")]]) {
    await ingest(database, environment, { items, mayHoldBadText: false, now: Date.now() });
    await drainFacts(database, environment.id);
  }
  const rollups = () => sql`select from rollups where player_id = ${playerKey(environment.id, "ann").playerId}`;
  await sql`delete from rollups where player_id = ${playerKey(environment.id, "ann").playerId}`;

  const holder = await sql.reserve();
  try {
    await holder`begin`;
    await holder`select from players where environment_id = ${environment.id} for update`;
    const { standings } = await rpc.players.standings({ ...scope, externalId: "ann" });
    expect(standings.map(({ leaderboard, own, tier, isLocked }) => [leaderboard, own, tier, isLocked])).toEqual([
      ["orders", { rank: 1, score: "3" }, null, false],
      ["regulars", { rank: 1, score: "1" }, null, false],
      ["locked", null, null, true],
      // Without a rank: groups are assigned later, by a worker.
      ["league", null, "bronze", false],
    ]);
    expect(standings[0]).toMatchObject({ participants: 2, endsAt: null, team: null });
  } finally {
    await holder`rollback`;
    holder.release();
  }
  expect(await rollups()).toHaveLength(0);
  const { standings } = await rpc.players.standings({ ...scope, externalId: "bob" });
  expect(standings.map(({ leaderboard, own }) => [leaderboard, own?.rank])).toContainEqual(["orders", 2]);
  expect(standings.map(({ leaderboard }) => leaderboard)).not.toContain("regulars");
});
