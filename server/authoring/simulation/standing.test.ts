import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { openChanges } from "../../api/testing/access-world.ts";
import { writeAttributes } from "../../game/attributes/service.ts";
import { ingest } from "../../game/events/service.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { importDefinitions } from "../definitions/service/import.ts";
import { explainEvent } from "./service/explain-event.ts";

const database = await testDatabase();
const changes = await openChanges(database);

const mission = (key: string, target: number, more: object = {}) => ({
  key,
  name: `Mission ${key}`,
  objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target }],
  rewards: [{ kind: "Points", points: 50 }],
  ...more,
});

const GOLD = { attribute: "tier", operator: "EqualTo", value: "gold" };
const FILE = {
  version: 1,
  events: [{ key: "order_placed", name: "Order placed" }],
  attributes: [{ key: "tier", name: "Tier", type: "String" }],
  missions: [
    mission("done", 1),
    mission("ten", 10),
    mission("weekly", 1, { recurrence: { kind: "Calendar", every: "Week" } }),
    mission("gold_only", 1, { audience: { rule: GOLD } }),
    mission("opt_in", 1, { optIn: "Manual" }),
    mission("off", 1, { active: false }),
  ],
  segments: [
    { key: "gold", name: "Gold", rule: GOLD },
    { key: "regulars", name: "Regulars", rule: { event: "order_placed", operator: "GreaterThanOrEqualTo", value: 5 } },
  ],
};

async function shop() {
  const project = await testProject(database);
  const result = await importDefinitions(database, project.sandbox, FILE);
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  const sandbox = await findEnvironment(database, project.slug, "sandbox");
  const scope = { project: project.slug, environment: "sandbox" as const };
  const { rpc } = await signedIn(database, project.slug, "Viewer");
  await writeAttributes(database, sandbox, { playerId: "ann", attributes: { tier: "silver" } }, []);
  return { sandbox, ask: () => rpc.simulation.standing({ ...scope, externalId: "ann" }) };
}

test("each mission and segment explains why the player is not in it or has not completed it; reading writes nothing", async () => {
  const { sandbox, ask } = await shop();
  const before = Object.fromEntries((await ask()).missions.map(({ key, status, reason }) => [key, [status, reason]]));
  expect(before).toEqual({
    done: ["Ready", "Your app has not loaded missions for this player yet"],
    ten: ["Ready", "Your app has not loaded missions for this player yet"],
    weekly: ["Ready", "Your app has not loaded missions for this player yet"],
    gold_only: ["NotInAudience", "Not in the audience"],
    opt_in: ["Ready", "Your app has not loaded missions for this player yet"],
  });
  await readMissions(database, sandbox, Date.now(), { externalId: "ann", includeCompleted: false, language: null, take: null });
  const items = [1, 2, 3].map(() => ({ playerId: "ann", event: "order_placed", occurredAt: new Date().toISOString() }));
  await ingest(database, sandbox, { items, mayHoldBadText: false, now: Date.now() });
  await drainFacts(database, sandbox.id);

  const stored = await changes();
  const { missions, segments } = await ask();
  expect(await changes()).toBe(stored);
  const of = (key: string) => missions.find((one) => one.key === key)!;
  expect(of("done")).toMatchObject({ status: "Completed", reason: "Completed; it does not repeat" });
  expect(of("ten")).toMatchObject({ status: "InProgress", objectives: [{ fraction: 0.3, isDone: false }] });
  expect(of("ten").reason).toMatch(/^3 of 10|^3, needs at least 10/);
  expect(of("weekly")).toMatchObject({ status: "Closed", reason: "Already completed this week" });
  expect(of("gold_only").audience).toEqual([{ isMet: false, depth: 0, text: expect.stringMatching(/Tier.*silver.*gold/) }]);
  expect(of("opt_in")).toMatchObject({ status: "Offered", reason: "Not opted in yet" });
  expect(segments).toMatchObject([
    { key: "gold", isIn: false, lines: [{ isMet: false }] },
    { key: "regulars", isIn: false, lines: [{ isMet: false, text: expect.stringContaining("3") }] },
  ]);
});

test("a player whose app has loaded missions is not said to be in none because it has not", async () => {
  const { sandbox, ask } = await shop();
  await readMissions(database, sandbox, Date.now(), { externalId: "ann", includeCompleted: false, language: null, take: null });
  const items = [{ playerId: "ann", event: "order_placed", occurredAt: new Date().toISOString() }];
  const [sent] = await ingest(database, sandbox, { items, mayHoldBadText: false, now: Date.now() });
  await drainFacts(database, sandbox.id);
  await writeAttributes(database, sandbox, { playerId: "ann", attributes: { tier: "gold" } }, []);

  const standing = (await ask()).missions.find(({ key }) => key === "gold_only");
  expect(standing).toMatchObject({ status: "Ready", reason: "Your app has not loaded this mission since the player could enter it" });
  const explained = await explainEvent(database, sandbox, Date.now(), { externalId: "ann", eventId: sent!.eventId! });
  expect(explained?.outcomes.find(({ key }) => key === "gold_only")).toMatchObject({
    counts: false,
    lines: [{ text: "the player has not read this mission since they could enter it, so they are not in it" }],
  });
});
