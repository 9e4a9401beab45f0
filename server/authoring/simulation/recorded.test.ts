import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { longPeriod } from "../../model/kernel/dates.ts";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { testApi } from "../../api/testing/calls.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { RequestRecorder } from "../../insight/request-log/service/recorder.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { definitionsOf } from "../../engine/definitions.ts";
import { importDefinitions } from "../definitions/service/import.ts";

/** An event's effects are facts: whatever happens later, the debugger shows the same. */

const database = await testDatabase();
const requestLog = new RequestRecorder(database, { logger: { warn: () => {} } });
afterAll(() => requestLog.stop());
const api = await testApi(database, { requestLog });

const DAY = 86_400_000;
const goal = (target: number, more = {}) => ({ event: "order", operator: "GreaterThanOrEqualTo", target, ...more });
const rewards = [{ kind: "Points", points: 5 }];
const FILE = {
  version: 1,
  events: [{ key: "order", name: "Order", properties: [{ key: "amount", type: "Number" }] }],
  metrics: [{ key: "steps", name: "Steps", kind: "Number" }],
};

async function shop(more: object) {
  const { slug, sandbox, sandboxKey } = await testProject(database);
  const define = async (lists: object) =>
    expect(await importDefinitions(database, sandbox, { ...FILE, ...lists })).not.toHaveProperty("problems");
  await define(more);
  const { rpc } = await signedIn(database, slug, "Editor");
  const where = { project: slug, environment: "sandbox" as const };
  const post = async (path: string, body: object) => {
    const { status, json } = await api.post(path, body, sandboxKey);
    expect(status).toBeLessThan(300);
    await requestLog.flush();
    await drainFacts(database, sandbox.id);
    return json as { results: { eventId: string }[] };
  };
  const order = async (amount = 12, occurredAt = new Date()) => {
    const events = [{ playerId: "ann", event: "order", occurredAt: occurredAt.toISOString(), properties: { amount } }];
    return (await post("/v1/events", { events })).results[0]!.eventId;
  };
  const explain = async (eventId: string) => (await rpc.events.explain({ ...where, player: "ann", eventId }))!;
  /** The effects of an event, in words. */
  const changed = async (eventId: string) => {
    const { outcomes, isRecorded } = await explain(eventId);
    expect(isRecorded).toBe(true);
    return outcomes.filter(({ counts }) => counts).map(({ key, lines, rewards: won }) => [key, ...lines.map(({ text }) => text), ...won]);
  };
  return { slug, sandbox, rpc, where, ann: { ...where, externalId: "ann" }, define, post, order, explain, changed };
}

test("an event that counted after an objective was granted by hand is shown with its effect", async () => {
  const steps = { key: "steps", name: "Steps", objectiveOrder: "InOrder", objectives: [goal(5), goal(2)], rewards };
  const { slug, rpc, ann, order, changed, define } = await shop({ missions: [steps] });
  const definitions = await definitionsOf(database.sql, await findEnvironment(database, slug, "sandbox"));
  const [objective] = definitions.missionsByKey.get("steps")!.objectives;
  await order();
  await rpc.players.grantObjective({
    ...ann,
    mission: "steps",
    objective: objective!.id,
    reason: "The till was down",
    requestId: randomUUID(),
  });
  const [first, second] = [await order(), await order()];
  expect(await changed(first)).toEqual([["steps", "Order at least 2 times: 1 of 2, was 0"]]);
  const completed = ["2 of 2, was 1 ✓", "the mission is completed", "5 points"];
  expect(await changed(second)).toEqual([["steps", `Order at least 2 times: ${completed[0]!}`, ...completed.slice(1)]]);
  // Definitions have changed: the number could mean another objective today, so it is not named.
  await define({ missions: [{ ...steps, name: "Renamed" }] });
  expect(await changed(second)).toEqual([["steps", `objective 2: ${completed[0]!}`, ...completed.slice(1)]]);
});

test("an event is shown with the run that it extended, even a restored one", async () => {
  const daily = { key: "daily", name: "Daily", event: "order", cadence: "Day", milestones: [{ length: 6, rewards }] };
  const { rpc, ann, order, changed, post } = await shop({ streaks: [daily] });
  await post("/v1/missions", { playerId: "ann" });
  for (const days of [5, 4, 3]) await order(12, new Date(Date.now() - days * DAY));
  await rpc.players.restoreStreak({ ...ann, streak: "daily", reason: "Our outage" });
  const [outcome] = await changed(await order());
  expect(outcome).toEqual([
    "daily",
    expect.stringMatching(/^\w+ \d+ \w+ \d{4}: 1 of 1; it qualifies$/),
    "streak of 6 days",
    "reaches the milestone of 6",
    "5 points",
  ]);
});

test("a mission switched off or changed since is shown as it was, with a note that definitions have changed", async () => {
  const mission = (key: string, target: number, more = {}) => ({ key, name: key, objectives: [goal(target)], rewards, ...more });
  const daily = { key: "daily", name: "Daily", event: "order", cadence: "Day" };
  const before = { missions: [mission("off", 3), mission("later", 3), mission("dear", 1)], streaks: [daily] };
  const { post, order, define, changed, explain } = await shop(before);
  await post("/v1/missions", { playerId: "ann" });
  const eventId = await order();
  const then = [
    ["dear", "1 of 1, was 0 ✓", "the mission is completed", "5 points"],
    ["off", "1 of 3, was 0"],
    ["later", "1 of 3, was 0"],
    ["daily", expect.stringMatching(/1 of 1; it qualifies$/), "streak of 1 day"],
  ];
  expect(await changed(eventId)).toEqual(then);
  expect(await explain(eventId)).toMatchObject({ hasNewDefinitions: false });
  const startsAt = new Date(Date.now() + DAY).toISOString();
  await define({
    missions: [
      mission("off", 3, { active: false }),
      mission("later", 3, { window: { startsAt } }),
      mission("dear", 1, { rewards: [{ kind: "Points", points: 500 }] }),
    ],
    streaks: [{ ...daily, target: 7 }],
  });
  expect(await changed(eventId)).toEqual(then);
  expect(await explain(eventId)).toMatchObject({ hasNewDefinitions: true });
});

test("what an event moved beyond the changes that are kept is played again, and says so", async () => {
  const missions = Array.from({ length: 70 }, (_, at) => ({ key: `mission_${at}`, name: `Mission ${at}`, objectives: [goal(1)], rewards }));
  const { post, order, explain } = await shop({ missions });
  await post("/v1/missions", { playerId: "ann" });
  const { outcomes, notes } = await explain(await order());
  expect(notes).toContainEqual(expect.stringMatching(/^It made \d+ more changes; only the first ones are kept\.$/));
  const again = outcomes.filter(({ lines }) => lines[0]!.text === "its change is not kept; played again:");
  expect(again).toHaveLength(10);
  for (const outcome of again)
    expect(outcome).toMatchObject({ counts: true, lines: [{}, {}, { text: "the mission is completed" }], rewards: ["5 points"] });
  expect(outcomes.filter(({ counts }) => !counts)).toEqual([]);
});

test("an event that is played again without those deleted by the retention setting says so", async () => {
  const steps = { key: "steps", name: "Steps", objectives: [goal(5)], rewards };
  const { sandbox, order, explain } = await shop({ missions: [steps] });
  const eventId = await order();
  expect((await explain(eventId)).notes).toEqual([]);
  await database.sql`delete from event_effects where environment_id = ${sandbox.id}`;
  await database.sql`insert into retention (environment_id, event_days, purged_before) values (${sandbox.id}, 30, '2026-01-30T12:00:00Z')`;
  const { isRecorded, notes } = await explain(eventId);
  expect([isRecorded, notes]).toEqual([
    false,
    ["Events received before 30 Jan 2026, 12:00 are no longer kept, so they were not replayed: the counts shown may be too low."],
  ]);
});

test("a board over points shows each event that scored, also after a later one", async () => {
  const board = { key: "points", name: "Points", scoreSource: "Points", rankOrder: "HighestFirst", period: { kind: "AllTime" } };
  const again = { key: "again", name: "Again", recurrence: { kind: "AfterCompletion", cooldownHours: 0 }, objectives: [goal(1)], rewards };
  const { post, order, changed } = await shop({ missions: [again], leaderboards: [board] });
  const ids: string[] = [];
  for (let round = 0; round < 3; round++) {
    await post("/v1/missions", { playerId: "ann" });
    ids.push(await order());
  }
  for (const id of ids) expect(await changed(id)).toContainEqual(["points", "adds 5 to the score"]);
});

test("an event is shown with its day at that time, even if the player's zone has changed", async () => {
  const daily = { key: "daily", name: "Daily", event: "order", cadence: "Day" };
  const { post, order, changed } = await shop({ streaks: [daily] });
  const moveTo = (zone: string) =>
    post("/v1/metric-events", {
      ...{ externalPlayerId: "ann", metricKey: "steps", value: 1, idempotencyKey: zone, occurredAtUtc: new Date().toISOString() },
      playerTimeZoneId: zone,
    });
  await moveTo("Pacific/Pago_Pago");
  const at = new Date();
  const eventId = await order(12, at);
  const day = new Date(at.getTime() - 11 * 3_600_000).toISOString().slice(0, 10);
  const then = [["daily", `${longPeriod("Day", day)}: 1 of 1; it qualifies`, "streak of 1 day"]];
  expect(await changed(eventId)).toEqual(then);
  await moveTo("Pacific/Kiritimati");
  expect(await changed(eventId)).toEqual(then);
});

test("an event of a day that qualified in the player's former zone says so, and none of a day that did not", async () => {
  const { order, explain, post } = await shop({ streaks: [{ key: "daily", name: "Daily", event: "order", cadence: "Day" }] });
  const live = (zone: string) => post("/v1/players", { playerId: "ann", timeZoneId: zone });
  const reason = async (eventId: string) => (await explain(eventId)).outcomes.map(({ lines }) => lines.map(({ text }) => text).join());
  const [day] = new Date(Date.now() - 2 * DAY).toISOString().split("T") as [string];
  const at = (time: string) => new Date(`${day}T${time}Z`);
  await live("UTC");
  await order(12, at("09:00"));
  const second = await order(12, at("09:30"));
  const qualified = [`${longPeriod("Day", day)} qualifies already`];
  expect(await reason(second)).toEqual(qualified);
  // In Honolulu both were on the day before, which never qualified.
  await live("Pacific/Honolulu");
  expect(await reason(second)).toEqual([expect.stringContaining("as they are now, it would")]);
  expect(await reason(await order(12, at("23:00")))).toEqual(qualified);
});

test("a replay is shown from the event that it replays, even within one batch", async () => {
  const { rpc, where, post } = await shop({});
  const event = { playerId: "ann", event: "order", occurredAt: new Date().toISOString(), idempotencyKey: "one" };
  await post("/v1/events", { events: [event, event] });
  await post("/v1/events", { events: [event] });
  const { items } = await rpc.events.tail({ ...where });
  const replays = await Promise.all(
    items.map(async ({ eventId, requestId, position }) => {
      const { isReplay } = (await rpc.events.explain({ ...where, player: "ann", eventId: eventId!, requestId, position }))!;
      return isReplay;
    }),
  );
  // The newest request first, and its items in their order.
  expect(replays).toEqual([true, false, true]);
  expect(new Set(items.map(({ eventId }) => eventId)).size).toBe(1);
});
