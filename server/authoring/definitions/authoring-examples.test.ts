import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { ingest } from "../../game/events/service.ts";
import type { InventedFact } from "../simulation/shapes.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { type AuthoringExample, AUTHORING_EXAMPLES } from "../../model/rules/authoring-examples.ts";
import { DefinitionsInMemory } from "../../model/definitions/testing/in-memory.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { importDefinitions } from "./service/import.ts";

const database = await testDatabase();
const { slug, sandbox } = await testProject(database);
const scope = { project: slug, environment: "sandbox" as const };
const { rpc } = await signedIn(database, slug, "Editor");

const DAY = 86_400_000;
const days = (count: number): string => new Date(Date.now() + count * DAY).toISOString();

const does = (key: string, at: string, properties: object = {}): InventedFact => ({
  kind: "events",
  key,
  occurredAt: at,
  receivedAt: null,
  properties: JSON.stringify(properties),
  value: null,
});
const walks = (value: number, at: string): InventedFact => ({ ...does("steps", at), kind: "metrics", value: String(value) });
const named = (key: string): AuthoringExample => AUTHORING_EXAMPLES.find((one) => one.key === key)!;
const alongOf = ({ needs }: AuthoringExample) => needs.map(({ kind, definition }) => ({ kind, document: JSON.stringify(definition) }));
/** The choices if every need is created, under its own key. */
const madeAlong = ({ needs }: AuthoringExample) =>
  Object.fromEntries(needs.map((need) => [need.name, { key: need.definition.key, ...(need.property && { property: need.property.key }) }]));
const documentOf = (example: AuthoringExample) => JSON.stringify(example.define(madeAlong(example)));

/** A coming Monday, so that facts lie in one week whatever today is. Noon in UTC is the same day in the zone of the test's projects. */
const monday = (() => {
  const next = new Date(Date.now() + 14 * DAY);
  return Date.UTC(next.getUTCFullYear(), next.getUTCMonth(), next.getUTCDate() - ((next.getUTCDay() + 6) % 7), 12);
})();
const inWeek = (day: number): string => new Date(monday + day * DAY).toISOString();
/** A day of the coming month. */
const month = (day: number): string => new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, day, 12)).toISOString();

/** A player's facts in each example, and what they earn. If there are more than two facts, the last one is needed. */
const STORIES: Record<string, { facts: InventedFact[]; earns: string[] }> = {
  first_order: { facts: [does("order_placed", days(0)), does("order_placed", days(0))], earns: ["50 points"] },
  weekly_regular: {
    facts: [0, 0, 1, 2].map((day) => does("order_placed", inWeek(day))),
    earns: ["30 points"],
  },
  big_basket: {
    facts: [24, 25, 30].map((amount, at) => does("order_placed", month(5 + at), { amount })),
    earns: ["100 points"],
  },
  try_something_new: {
    facts: ["tea", "tea", "cake", "coffee"].map((product) => does("order_placed", days(0), { product })),
    earns: ["80 points"],
  },
  come_back: { facts: [does("order_placed", days(0))], earns: ["120 points"] },
  bring_a_friend: { facts: [does("friend_joined", days(0)), does("friend_joined", days(0))], earns: ["400 points"] },
  daily_visit: { facts: [0, 1, 2].map((day) => does("app_opened", inWeek(day))), earns: ["10 points"] },
  weekly_goal: { facts: [walks(30_000, inWeek(0)), walks(20_000, inWeek(3)), walks(50_000, inWeek(7))], earns: ["50 points"] },
};

test("the examples are of missions, streaks and leaderboards, and have different keys", () => {
  expect(AUTHORING_EXAMPLES).toHaveLength(10);
  expect(new Set(AUTHORING_EXAMPLES.map(({ key }) => key)).size).toBe(10);
  expect(new Set(AUTHORING_EXAMPLES.map(({ kind }) => kind))).toEqual(new Set(["missions", "streaks", "leaderboards"]));
});

test.each(AUTHORING_EXAMPLES)("$key is valid together with its added definitions, and refers to nothing else", (example) => {
  const lists = Map.groupBy(example.needs, ({ kind }) => kind);
  const needs = Object.fromEntries([...lists].map(([kind, all]) => [kind, all.map(({ definition }) => definition)]));
  const file = { version: 1, ...needs, [example.kind]: [example.define(madeAlong(example))] };
  const definitions = new DefinitionsInMemory();
  expect(definitions.problems(file)).toEqual([]);
  expect(definitions.compile()[example.kind]).toHaveLength(1);
});

test.each(Object.entries(STORIES))("%s grants its rewards once it is earned", async (key, { facts, earns }) => {
  const example = named(key);
  const played = async (scene: InventedFact[]) =>
    rpc.simulation.run({
      ...scope,
      kind: example.kind,
      document: documentOf(example),
      along: alongOf(example),
      player: null,
      balance: null,
      scenario: { kind: "Invented", facts: scene },
      ignoreAudience: true,
    });
  const { problems, factProblems, trial } = await played(facts);
  expect([problems, factProblems]).toEqual([[], []]);
  expect(trial?.rewards).toEqual(earns);
  if (facts.length > 2) expect((await played(facts.slice(0, -1))).trial?.rewards).toEqual([]);
});

test.each(["weekly_league", "top_spenders"])("%s ranks by the score that it describes", async (key) => {
  const example = named(key);
  const { problems, trial } = await rpc.simulation.run({
    ...scope,
    kind: "leaderboards",
    document: documentOf(example),
    along: alongOf(example),
    player: null,
    balance: null,
    scenario: {
      kind: "Invented",
      facts:
        key === "top_spenders" ? [does("order_placed", month(5), { amount: 40 }), does("order_placed", month(6), { amount: 2.5 })] : [],
    },
    ignoreAudience: true,
  });
  expect(problems).toEqual([]);
  if (key === "top_spenders") expect(JSON.stringify(trial?.summary)).toContain("42.5");
});

test("the win-back example finds absent customers, and no others", async () => {
  const example = named("come_back");
  const own = await testProject(database);
  const { rpc: call } = await signedIn(database, own.slug, "Editor");
  await importDefinitions(database, own.sandbox, { version: 1, events: example.needs.map(({ definition }) => definition) });
  const environment = (await loadEnvironment(database.sql, own.sandbox.id))!;
  const order = (playerId: string, daysAgo: number) => ({ playerId, event: "order_placed", occurredAt: days(-daysAgo) });
  const items = [order("away", 40), order("lately", 40), order("lately", 3)];
  await ingest(database, environment, { items, mayHoldBadText: false, now: Date.now() });
  await drainFacts(database, environment.id);
  const { audience, problems } = await call.simulation.audience({
    project: own.slug,
    environment: "sandbox",
    kind: "missions",
    document: documentOf(example),
  });
  expect(problems).toEqual([]);
  expect(audience?.sample.map(({ externalId }) => externalId)).toEqual(["away"]);
});

test("saving an example creates its dependencies in the same change, and is refused if they exist", async () => {
  const example = named("big_basket");
  const save = { ...scope, kind: example.kind, document: documentOf(example), isNew: true, along: alongOf(example) };
  expect(await rpc.definitions.save(save)).toMatchObject({ problems: [], key: "big_basket" });
  expect(await rpc.definitions.get({ ...scope, kind: "events", key: "order_placed" })).toMatchObject({ usedBy: [{ key: "big_basket" }] });
  const { entries } = await rpc.auditLog.list({ project: slug });
  expect(entries.slice(0, 2).map(({ action, subjectKey }) => [action, subjectKey])).toEqual([
    ["create", "big_basket"],
    ["create", "order_placed"],
  ]);
  const before = (await loadEnvironment(database.sql, sandbox.id))!.definitionsVersion;
  const again = { ...save, document: JSON.stringify({ ...example.define(madeAlong(example)), key: "another" }) };
  expect((await rpc.definitions.save(again)).problems).toMatchObject([{ pointer: "", code: "definition.taken" }]);
  expect((await loadEnvironment(database.sql, sandbox.id))!.definitionsVersion).toBe(before);
});

test("a save with options of which one would be ignored is refused, and writes nothing", async () => {
  const save = { ...scope, kind: "events" as const, document: JSON.stringify({ key: "walked", name: "Walked anew" }), isNew: false };
  const along = [{ kind: "events" as const, document: JSON.stringify({ key: "ran", name: "Ran" }) }];
  const options = [
    { replaces: true, alsoIn: { revision: null } },
    { replaces: true, along },
    { alsoIn: { revision: null }, along },
  ];
  const before = (await loadEnvironment(database.sql, sandbox.id))!.definitionsVersion;
  for (const some of options) await expect(rpc.definitions.save({ ...save, ...some })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect((await loadEnvironment(database.sql, sandbox.id))!.definitionsVersion).toBe(before);
});
