import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { environmentNow, loadEnvironment } from "../../engine/environment.ts";
import { COMMAND_LINE } from "../../model/kernel/roles.ts";
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
