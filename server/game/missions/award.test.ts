import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { ingest } from "../events/service.ts";
import { checkIntegrity } from "../../operations/integrity/check.ts";
import { playerKey } from "../../model/players/identity.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { savePlayer } from "../players/service/players.ts";
import { createEndpoint } from "../../delivery/service/endpoints.ts";
import { testCipher } from "../../delivery/testing.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { awardMission } from "./service/award.ts";
import { readMissions } from "./service/read.ts";
import { COMMAND_LINE } from "../../model/kernel/environment.ts";
import { definitionsOf } from "../../engine/definitions.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await testDatabase();
const { sql } = database;

const mission = (key: string, more: object = {}) => ({
  ...{ key, name: key, objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 5 }] },
  ...{
    rewards: [
      { kind: "Points", points: 50 },
      { kind: "CatalogItem", catalogItem: "coffee", value: 1 },
    ],
    ...more,
  },
});

const FILE = {
  version: 1,
  events: [{ key: "order_placed", name: "Order placed" }],
  attributes: [{ key: "tier", name: "Tier", type: "String" }],
  catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
  leaderboards: [{ key: "points", name: "Points", scoreSource: "Points", rankOrder: "HighestFirst", period: { kind: "AllTime" } }],
  missions: [
    mission("once"),
    mission("weekly", { recurrence: { kind: "Calendar", every: "Week" } }),
    mission("opt_in", { optIn: "Manual" }),
    mission("gold", { audience: { rule: { attribute: "tier", operator: "EqualTo", value: "gold" } } }),
    mission("again", { optIn: "Manual", recurrence: { kind: "AfterCompletion" } }),
    mission("off", { active: false }),
  ],
};

async function shop() {
  const project = await testProject(database);
  expect(await importDefinitions(database, project.sandbox, FILE)).not.toHaveProperty("problems");
  const endpoint = { url: "http://127.0.0.1:9/", events: ["mission.completed", "catalog_item.fulfillment_requested"] as never };
  await createEndpoint(database, project.sandbox, endpoint, { allowPrivateAddresses: true, cipher: testCipher });
  const sandbox = await findEnvironment(database, project.slug, "sandbox");
  await savePlayer(database, sandbox, Date.now(), "ann", {});
  const { rpc } = await signedIn(database, project.slug, "Editor");
  const ann = { project: project.slug, environment: "sandbox" as const, externalId: "ann" };
  const grant = (key: string, requestId: string = randomUUID()) =>
    rpc.players.grantMission({ ...ann, mission: key, reason: "The till was down", requestId });
  const order = async (count: number) => {
    const items = Array.from({ length: count }, () => ({ playerId: "ann", event: "order_placed", occurredAt: new Date().toISOString() }));
    await ingest(database, sandbox, { items, mayHoldBadText: false, now: Date.now() });
    await drainFacts(database, sandbox.id);
  };
  return { sandbox, rpc, ann, grant, order };
}

test("a granted mission is completed once, with its rewards, webhooks, scores and a line in the audit log", async () => {
  const { sandbox, rpc, ann, grant, order } = await shop();
  await readMissions(database, sandbox, Date.now(), { externalId: "ann", includeCompleted: false, language: null, take: null });
  await order(2);
  // In progress, offered, outside the audience: all can be granted; of two concurrent grants one is refused.
  const outcomes = await Promise.allSettled(["once", "once", "opt_in", "gold"].map((key) => grant(key)));
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
  await grant("weekly");
  await order(5);
  for (const key of ["once", "weekly", "off"]) await expect(grant(key)).rejects.toThrow("cannot be granted");

  const { balance } = await rpc.players.get(ann);
  expect(balance).toEqual({ balance: 200, totalGranted: 200, totalSpent: 0 });
  const { part, playerId } = playerKey(sandbox.id, "ann");
  const [counts] = await sql<{ completions: number; items: number; deliveries: number }[]>`
    select (select count(*)::int from mission_completions where part = ${part} and player_id = ${playerId}) as completions,
      (select count(*)::int from owed_items where part = ${part} and player_id = ${playerId}) as items,
      (select count(*)::int from webhook_deliveries where environment_id = ${sandbox.id}) as deliveries`;
  expect(counts).toEqual({ completions: 4, items: 4, deliveries: 8 });
  const { standings } = await rpc.players.standings(ann);
  expect(standings).toMatchObject([{ leaderboard: "points", own: { rank: 1, score: "200" } }]);
  const { entries } = await rpc.players.timeline({ ...ann, groups: ["Staff"] });
  expect(entries.map(({ action, reason }) => [action, reason])).toEqual(Array(4).fill(["award", "The till was down"]));
  expect(await checkIntegrity(database, sandbox)).toEqual([]);
});

test("a granted objective is met, later events count for the others, and the last one completes the mission", async () => {
  const { sandbox, rpc, ann, order } = await shop();
  const goal = (target: number) => ({ event: "order_placed", operator: "GreaterThanOrEqualTo", target });
  const steps = { objectiveOrder: "InOrder", objectives: [goal(5), goal(2), goal(1)] };
  expect(await importDefinitions(database, sandbox, { ...FILE, missions: [mission("steps", steps)] })).not.toHaveProperty("problems");
  const environment = await findEnvironment(database, ann.project, "sandbox");
  const [first, second, third] = (await definitionsOf(sql, environment)).missionsByKey.get("steps")!.objectives.map(({ id }) => id);
  const grantObjective = (objective: string, requestId: string = randomUUID()) =>
    rpc.players.grantObjective({ ...ann, mission: "steps", objective, reason: "The till was down", requestId });
  const met = async () => {
    const missions = await readMissions(database, environment, Date.now(), {
      ...{ externalId: "ann", includeCompleted: true, language: null, take: null },
    });
    return missions
      .filter(({ missionKey }) => missionKey === "steps")
      .map(({ status, objectives }) => [status, ...objectives.map(({ isSatisfied }) => isSatisfied)]);
  };
  const once = randomUUID();
  // She has never read her missions: the grant enters her. Two concurrent requests grant once.
  await Promise.all([grantObjective(first!, once), grantObjective(first!, once)]);
  expect(await met()).toEqual([["InProgress", true, false, false]]);
  for (const taken of [first!, "00000000-0000-0000-0000-000000000000"])
    await expect(grantObjective(taken)).rejects.toThrow(/met this objective already|no such objective/);
  await order(2);
  expect(await met()).toEqual([["InProgress", true, true, false]]);
  expect(second).not.toBe(third);
  await grantObjective(third!);
  expect(await met()).toEqual([["Completed", true, true, true]]);
  expect((await rpc.players.get(ann)).balance.balance).toBe(50);
  const { entries } = await rpc.players.timeline({ ...ann, groups: ["Staff"] });
  expect(entries.map(({ action }) => action)).toEqual(["award_objective", "award_objective"]);
  expect(await checkIntegrity(database, environment)).toEqual([]);
});

test("an immediately repeating mission is granted once per request id, however often the request is sent", async () => {
  const { rpc, ann, grant } = await shop();
  const requestId = randomUUID();
  await Promise.all([grant("again", requestId), grant("again", requestId), grant("again", requestId)]);
  await grant("again", requestId);
  expect((await rpc.players.get(ann)).balance.balance).toBe(50);
  await grant("again");
  expect((await rpc.players.get(ann)).balance.balance).toBe(100);
});

test("a mission that is deleted meanwhile is not granted, and the log does not say that it was", async () => {
  const { sandbox, rpc, ann } = await shop();
  // As a grant that began before the removal has read them: `sandbox` keeps their version.
  await definitionsOf(sql, sandbox);
  expect(await rpc.definitions.remove({ ...ann, kind: "missions", key: "once" })).toEqual({ problems: [] });
  const wanted = { externalId: "ann", missionKey: "once", objectiveId: null, reason: "The till was down", requestId: randomUUID() };
  await expect(awardMission(database, sandbox, wanted, COMMAND_LINE)).rejects.toThrow("no such mission");
  expect((await rpc.players.timeline({ ...ann, groups: ["Staff"] })).entries).toEqual([]);
});
