import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { definitionsOf } from "../../engine/definitions.ts";
import { environmentNow, loadEnvironment } from "../../engine/environment.ts";
import { awardMission } from "../../game/missions/service/award.ts";
import { COMMAND_LINE } from "../../model/kernel/environment.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { moveClock, moveClockTo } from "../../operations/sandbox/move-clock.ts";
import { testApi } from "../../api/testing/calls.ts";
import { importDefinitions } from "../definitions/service/import.ts";
import type { InventedFact } from "./shapes.ts";
import { PREVIEWS } from "./service/previews.ts";
import { tryDefinition, type Trying } from "./service/trial.ts";

/** A trial of a stored definition for a player who is known says what the API says of them, or names in a note why it may differ. */

const database = await testDatabase();
const api = await testApi(database);

const DAY = 86_400_000;
const mission = (key: string, target: number, more: object) => ({
  ...{ key, name: key, objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target }] },
  ...{ recurrence: { kind: "Calendar", every: "Day" }, rewards: [{ kind: "Points", points: 50 }] },
  ...more,
});
const board = (key: string, more: object) => ({
  ...{ key, name: key, scoreSource: "Event", rankOrder: "HighestFirst", event: "order_placed", period: { kind: "AllTime" } },
  ...more,
});
const GOLD = { attribute: "tier", operator: "EqualTo", value: "gold" };
const FILE = {
  version: 1,
  events: [
    { key: "order_placed", name: "Order placed" },
    { key: "store_visited", name: "Store visited" },
  ],
  attributes: [{ key: "tier", name: "Tier", type: "String" }],
};

/** A Sandbox with these definitions, whose clock shows noon of tomorrow, so that the day does not change while a test runs. */
async function shop(definitions: Record<string, object[]>) {
  const { sandbox, sandboxKey: key } = await testProject(database);
  expect(await importDefinitions(database, sandbox, { ...FILE, ...definitions })).not.toHaveProperty("problems");
  await moveClockTo(database, sandbox, (Math.floor(Date.now() / DAY) + 1.5) * DAY, COMMAND_LINE);
  const current = async () => (await loadEnvironment(database.sql, sandbox.id))!;
  const now = async () => environmentNow(database.sql, await current());
  return {
    key,
    sandbox,
    now,
    nextDay: () => moveClock(database, sandbox, "P1D"),
    async send(event: string, times: number) {
      const occurredAt = formatInstant(await now());
      const events = Array.from({ length: times }, () => ({ playerId: "ann", event, occurredAt }));
      expect((await api.post("/v1/events", { events }, key)).json.rejected).toBe(0);
      await drainFacts(database, sandbox.id);
    },
    readMissions: () => api.post("/v1/missions", { playerId: "ann" }, key),
    tier: (tier: string) => api.call("PUT", "/v1/attributes", { key, body: { playerId: "ann", attributes: { tier } } }),
    async trial(kind: Trying["kind"], definition: object, facts?: InventedFact[]) {
      const scenario = facts === undefined ? { kind: "History" as const, from: null } : { kind: "Invented" as const, facts };
      const given = { kind, document: JSON.stringify(definition), player: "ann", balance: null, scenario, ignoreAudience: false };
      const { problems, factProblems, trial } = await tryDefinition(database, await current(), await now(), given, PREVIEWS);
      expect([problems, factProblems]).toEqual([[], []]);
      return trial!;
    },
    async sample(kind: InventedFact["kind"], key: string, later: number, value: string | null = null): Promise<InventedFact> {
      return { kind, key, occurredAt: formatInstant((await now()) + later), receivedAt: null, properties: "{}", value };
    },
  };
}

test("a daily mission that the player missed yesterday and completed today is completed, with its reward", async () => {
  const daily = mission("daily", 2, {});
  const { send, nextDay, readMissions, trial } = await shop({ missions: [daily] });
  await readMissions();
  await send("order_placed", 1);
  await nextDay();
  await send("order_placed", 2);
  const { summary, rewards } = await trial("missions", daily);
  expect([summary.headline, rewards]).toEqual(["Completed once.", ["50 points"]]);
});

test("a sample event of a board over points opens a mission for an audience over history", async () => {
  const regulars = { rule: { event: "store_visited", operator: "GreaterThanOrEqualTo", value: 1, lastDays: 30 } };
  const onAStreak = { rule: { streak: "visits", operator: "GreaterThanOrEqualTo", value: 1 } };
  const points = board("points", { scoreSource: "Points", event: null });
  const { send, nextDay, readMissions, trial, sample } = await shop({
    missions: [mission("regulars", 1, { audience: regulars }), mission("streaks", 1, { audience: onAStreak })],
    streaks: [{ key: "visits", name: "Visits", event: "store_visited", cadence: "Day" }],
    leaderboards: [points],
  });
  await send("store_visited", 1);
  await readMissions();
  await nextDay();
  const { summary } = await trial("leaderboards", points, [await sample("events", "order_placed", 0)]);
  expect(summary.headline).toBe("The score is 100.");
});

test("the headline of a board is as of the last sample fact, for the player whom it found", async () => {
  const gold = board("gold", { audience: { rule: GOLD } });
  const weekly = board("weekly", { period: { kind: "Calendar", every: "Week" } });
  const { tier, trial, sample } = await shop({ leaderboards: [gold, weekly] });
  await tier("silver");
  const upgraded = await trial("leaderboards", gold, [
    await sample("attributes", "tier", 1_000, '"gold"'),
    await sample("events", "order_placed", 2_000),
  ]);
  expect(upgraded.summary.headline).toBe("The score is 1.");
  const later = await trial("leaderboards", weekly, [await sample("events", "order_placed", 7 * DAY)]);
  expect(later.summary.headline).toBe("The score is 1.");
});

describe("where the played past comes to something else than what is recorded, a note says what is recorded", () => {
  const noted = (recorded: string) =>
    expect.stringMatching(new RegExp(`^Recorded for this player: ${recorded} A trial plays no older events`)) as string;
  const unsaid = expect.arrayContaining([noted(".*")]) as string[];

  test("of a board whose player came into its audience later", async () => {
    const gold = board("gold", { audience: { rule: GOLD } });
    const { tier, send, trial } = await shop({ leaderboards: [gold] });
    await tier("silver");
    await send("order_placed", 3);
    await tier("gold");
    await send("order_placed", 2);
    const { summary, notes } = await trial("leaderboards", gold);
    expect([summary.headline, notes]).toEqual(["The score is 5.", [noted("The score is 2\\.")]]);
  });

  test("of a board over points with grants that are not played", async () => {
    const points = board("points", { scoreSource: "Points", event: null });
    const { send, readMissions, trial, sandbox } = await shop({ missions: [mission("daily", 1, {})], leaderboards: [points] });
    await readMissions();
    await send("order_placed", 1);
    expect((await trial("leaderboards", points)).notes).toEqual([]);
    // As if 1,000 purchases had followed.
    await database.sql`delete from points_transactions where environment_id = ${sandbox.id}`;
    expect((await trial("leaderboards", points)).notes).toEqual([noted("The score is 50\\.")]);
  });

  test("of a streak with deleted events, and of a mission of which an objective was granted by hand", async () => {
    const daily = { key: "daily", name: "Daily", event: "order_placed", cadence: "Day" };
    const two = mission("two", 2, {
      objectives: [...mission("", 2, {}).objectives, { event: "store_visited", operator: "GreaterThanOrEqualTo", target: 1 }],
    });
    const { send, nextDay, readMissions, trial, sandbox } = await shop({ streaks: [daily], missions: [two] });
    await send("order_placed", 1);
    await nextDay();
    await readMissions();
    await send("order_placed", 1);
    expect((await trial("streaks", daily)).notes).toEqual([]);
    expect((await trial("missions", two)).notes).not.toEqual(unsaid);
    const { missionsByKey } = await definitionsOf(database.sql, (await loadEnvironment(database.sql, sandbox.id))!);
    const objectiveId = missionsByKey.get("two")!.objectives[1]!.id;
    const given = { externalId: "ann", missionKey: "two", objectiveId, reason: "test", requestId: randomUUID() };
    await awardMission(database, sandbox, given, COMMAND_LINE);
    expect((await trial("missions", two)).notes).toContainEqual(noted("1 of 2; 0 of 1 ✓\\."));
    await database.sql`delete from events where environment_id = ${sandbox.id}`;
    expect((await trial("streaks", daily)).notes).toEqual([noted("Streak of 2 days\\.")]);
  });
});

test("an event in quarantine is not played", async () => {
  const orders = board("orders", {});
  const { send, trial, sandbox } = await shop({ leaderboards: [orders] });
  await send("order_placed", 2);
  await database.sql`
    insert into quarantined_facts (environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, error)
    select environment_id, seq, part, player_id, 'event', id, definition_id, occurred_at, received_at, 'test'
    from events where environment_id = ${sandbox.id} order by seq desc limit 1`;
  expect((await trial("leaderboards", orders)).summary.headline).toBe("The score is 1.");
});
