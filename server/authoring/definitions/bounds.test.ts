import { expect, test } from "vitest";
import { sharedDatabase, testProject } from "#db/testing.ts";
import { writeAttributes } from "../../game/attributes/service.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { ingest } from "../../game/events/service.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { MAX_DEFINITION_BYTES, MAX_DEFINITIONS } from "../../model/definitions/extent.ts";
import { DefinitionsInMemory, EVENTS, fileOf } from "../../model/definitions/testing/in-memory.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { importDefinitions, promoteDefinitions } from "./service/import.ts";

const database = await sharedDatabase();
const { sql } = database;

const BOTH = "an environment has at most 10,000 definitions of all kinds together and 32 MB of them";
const attribute = (key: string) => ({ key, name: key, type: "String" });
const attributes = (count: number) => Array.from({ length: count }, (_, at) => attribute(`a${at}`));

test("an environment has 10,000 definitions of all kinds together; the next is refused, and existing ones may be changed", () => {
  const full = DefinitionsInMemory.after(fileOf({ attributes: attributes(MAX_DEFINITIONS - 1), events: [{ key: "e", name: "E" }] }));
  const words = `: ${BOTH}, and this would make it 10,001 and 0.7 MB; delete some that are not used any more`;
  expect(full.problems(fileOf({ events: [{ key: "f", name: "F" }] }))).toEqual([words]);
  expect(full.changes(fileOf({ events: [{ key: "e", name: "Changed" }] }))).toHaveLength(1);
});

test("a list above the environment's limit is not read further", () => {
  const problems = new DefinitionsInMemory().problems(fileOf({ attributes: attributes(MAX_DEFINITIONS + 1) }));
  expect(problems).toEqual([expect.stringContaining(`/attributes: ${BOTH}`)]);
});

test("an environment has 32 MB of definitions; a larger total is refused, and shrinking is not", () => {
  const description = (length: number) => "x".repeat(length);
  const collection = (key: string, texts = 40) => ({
    key,
    name: key,
    missions: [],
    description: {
      default: "af",
      texts: Object.fromEntries(LANGUAGES.slice(0, texts).map((tag) => [tag, description(10_000)])),
    },
  });
  const count = Math.floor(MAX_DEFINITION_BYTES / 400_800);
  const full = DefinitionsInMemory.after(fileOf({ missionCollections: Array.from({ length: count }, (_, at) => collection(`c${at}`)) }));
  const [problem] = full.problems(fileOf({ missionCollections: [collection("more")] }));
  expect(problem).toContain(`: ${BOTH}, and this would make it ${count + 1} and 32.`);
  expect(full.changes(fileOf({ missionCollections: [collection("c0", 1)] }))).toHaveLength(1);
  expect(full.problems(fileOf({ missionCollections: [collection("more")] }))).toEqual([]);
});

const LANGUAGES =
  "af ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky lo".split(" ");

const segment = (key: string, from: number, to: number, lastDays: number | null = null) => ({
  key,
  name: key,
  rule: {
    any: Array.from({ length: to - from }, (_, at) => ({
      event: "order_placed",
      where: { property: "amount", operator: "GreaterThanOrEqualTo", value: from + at },
      operator: "GreaterThanOrEqualTo",
      value: 1,
      ...(lastDays === null ? {} : { lastDays }),
    })),
  },
});

test("an event is counted in at most 100 ways for history conditions, over all definitions; the rule beyond that is refused", () => {
  const definitions = DefinitionsInMemory.after(fileOf({ events: EVENTS, segments: [segment("first", 0, 60)] }));
  expect(definitions.problems(fileOf({ segments: [segment("second", 60, 100)] }))).toEqual([]);
  expect(definitions.problems(fileOf({ segments: [segment("same", 0, 60)] }))).toEqual([]);
  const words = `/segments/0/rule: the event "order_placed" can be counted in at most 100 different ways for conditions over history`;
  expect(definitions.problems(fileOf({ segments: [segment("second", 60, 101)] }))).toEqual([expect.stringContaining(words)]);
  expect(definitions.problems(fileOf({ segments: [segment("by_day", 0, 60, 7)] }))).toEqual([expect.stringContaining("would make it 160")]);
  expect(definitions.problems(fileOf({ segments: [segment("first", 0, 101)] }))).toEqual([expect.stringContaining("would make it 101")]);
  expect(definitions.problems(fileOf({ segments: [segment("second", 100, 140)] }))).toEqual([]);
});

/** A project whose Sandbox has room for `left` more definitions. */
async function almostFull(left: number) {
  const project = await testProject(database);
  const { sandbox } = project;
  await importDefinitions(database, sandbox, { version: 1, discovery: { events: true, attributes: true }, events: EVENTS });
  await sql`
    insert into definitions (environment_id, kind, key, active, body, created_at, updated_at)
    select ${sandbox.id}::int, 'attributes', 'a' || n, true, '{"name":{"default":"en","texts":{"en":"A"}},"type":"String"}', now(), now()
    from generate_series(1, ${MAX_DEFINITIONS - EVENTS.length - left}::int) n`;
  await sql`update environments set definitions_version = definitions_version + 1 where id = ${sandbox.id}`;
  const current = async () => (await loadEnvironment(sql, sandbox.id))!;
  const { rpc } = await signedIn(database, project.slug, "Editor");
  return { ...project, rpc, current, scope: { project: project.slug, environment: "sandbox" as const } };
}

const said = (problems: readonly { message: string }[]) => problems.map(({ message }) => message.slice(0, BOTH.length));

test("save, import, promotion and restore all enforce the limits", async () => {
  const { sandbox, live, rpc, scope, current } = await almostFull(1);
  const save = (key: string) =>
    rpc.definitions.save({ ...scope, kind: "attributes", document: JSON.stringify(attribute(key)), isNew: true, revision: null });
  expect((await save("gone")).problems).toEqual([]);
  expect((await rpc.definitions.remove({ ...scope, kind: "attributes", key: "gone" })).problems).toEqual([]);
  expect((await save("last")).problems).toEqual([]);
  expect(said((await save("more")).problems)).toEqual([BOTH]);
  const imported = await importDefinitions(database, await current(), fileOf({ attributes: [attribute("more")] }));
  expect("problems" in imported && said(imported.problems)).toEqual([BOTH]);
  expect(await importDefinitions(database, live, fileOf({ attributes: [attribute("more")] }))).not.toHaveProperty("problems");
  const promoted = await promoteDefinitions(database, live, await current());
  expect("problems" in promoted && said(promoted.problems)).toEqual([BOTH]);
  const restored = await rpc.definitions.restoreVersion({ ...scope, kind: "attributes", key: "gone", version: 1, revision: null });
  expect(said(restored.problems)).toEqual([BOTH]);
  const [count] = await sql<{ count: number }[]>`
    select count(*)::int from definitions where environment_id = ${sandbox.id} and kind not in ('settings', 'rollup')`;
  expect(count!.count).toBe(MAX_DEFINITIONS);
});

test("discovery stops when an environment is full, and reports both limits; earlier items of the batch are accepted", async () => {
  const { current, sandbox } = await almostFull(2);
  const occurredAt = formatInstant(Date.now());
  const items = ["one", "two", "three"].map((name) => ({ playerId: "ann", event: name, occurredAt, properties: { x: 1 } }));
  const results = await ingest(database, await current(), { items, mayHoldBadText: false, now: Date.now() } as never);
  expect(results.map(({ accepted }) => accepted)).toEqual([true, true, false]);
  expect(results[2]!.errors[0]!.message).toContain(`no more are defined by their first occurrence: ${BOTH}`);
  const written = writeAttributes(database, await current(), { playerId: "ann", attributes: { colour: "red" } } as never, []);
  await expect(written).rejects.toThrow(BOTH);
  const [count] = await sql<{ count: number }[]>`
    select count(*)::int from definitions where environment_id = ${sandbox.id} and kind not in ('settings', 'rollup')`;
  expect(count!.count).toBe(MAX_DEFINITIONS);
});
