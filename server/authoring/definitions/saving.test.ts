import { beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#db/client.ts";
import { sharedDatabase, testProject } from "#db/testing.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { parseJson, writeJson } from "../../model/kernel/json.ts";
import type { Kind } from "../../model/definitions/contract.ts";
import { readDefinition } from "./service/reading.ts";
import { previewInOther } from "./service/preview-in-other.ts";
import { type Save, saveDefinition } from "./service/saving.ts";
import { readSettingsOf, saveSettings } from "./service/settings.ts";
import { EVENTS, fileOf, mission, points, withMission } from "../../model/definitions/testing/in-memory.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { exportDefinitions, importDefinitions } from "./service/import.ts";

let database: Database;
beforeAll(async () => {
  database = await sharedDatabase();
});

const ANN = { userId: null, name: "ann@example.com" };
const BOB = { userId: null, name: "bob@example.com" };

const current = async ({ id }: Environment): Promise<Environment> => (await loadEnvironment(database.sql, id))!;

async function projectWith(document: unknown = fileOf({})) {
  const project = await testProject(database);
  expect(await importDefinitions(database, project.sandbox, document)).not.toHaveProperty("problems");
  return project;
}

const saved = (environment: Environment, document: unknown, save: Partial<Save> = {}, actor = ANN) =>
  saveDefinition(database, environment, { kind: "missions", document: writeJson(document), isNew: true, revision: null, ...save }, actor);
const read = async (environment: Environment, kind: Kind, key: string) =>
  (await readDefinition(database, await current(environment), Date.now(), { kind, key }))!;
const textOf = async (environment: Environment) => writeJson(await exportDefinitions(database, environment));
const logOf = ({ id }: Environment) =>
  database.sql<{ actor: string; action: string; kind: string; key: string | null; difference: unknown }[]>`
    select actor, action, subject_kind as kind, subject_key as key, difference from audit_log
    where environment_id = ${id} and subject_kind <> 'apiKey' order by id`;

describe("saving a definition", () => {
  it("equals an import of a file with only that definition, and is audited", async () => {
    const { sandbox, live } = await projectWith(withMission());
    await importDefinitions(database, live, withMission());
    const result = await saved(sandbox, mission({ key: "new", name: "New" }));
    expect(result).toMatchObject({ problems: [], conflict: null, isChanged: true, key: "new" });
    expect(result.revision).toBe((await read(sandbox, "missions", "new")).revision);
    await importDefinitions(database, live, fileOf({ missions: [mission({ key: "new", name: "New" })] }));
    expect(await textOf(sandbox)).toBe(await textOf(live));
    expect((await logOf(sandbox)).at(-1)).toMatchObject({
      actor: "ann@example.com",
      action: "create",
      kind: "missions",
      key: "new",
      difference: [{ type: "CREATE", path: [], value: { active: true, optIn: "Automatic" } }],
    });
    expect((await logOf(live)).at(-1)).toMatchObject({ actor: "command line", action: "create", key: "new" });
  });

  it("refuses a document with too many parts of any kind", async () => {
    const { sandbox } = await projectWith();
    for (const document of [`[${"1e999,".repeat(170_000)}1]`, `{${Array.from({ length: 90_000 }, (_, at) => `"${at}":1`).join()}}`]) {
      const { problems, isChanged } = await saveDefinition(
        database,
        sandbox,
        { kind: "events", document, isNew: true, revision: null, dryRun: true },
        ANN,
      );
      expect([problems.length > 0, isChanged]).toEqual([true, false]);
    }
  });

  it("reports every problem with a pointer into the definition, and writes nothing", async () => {
    const { sandbox } = await projectWith(fileOf({ events: EVENTS }));
    const before = await textOf(sandbox);
    const { problems } = await saved(
      sandbox,
      mission({ name: "", objectives: [{ event: "order_placd", operator: "LessThan", target: 1 }] }),
    );
    expect(problems.map(({ pointer, environment }) => [pointer, environment])).toEqual([
      ["/name", "sandbox"],
      ["/objectives/0/event", "sandbox"],
    ]);
    expect(problems[1]?.message).toContain('did you mean "order_placed"?');
    expect(await textOf(sandbox)).toBe(before);
    const rewards = Array.from({ length: 1_001 }, () => ({ kind: "Points", points: 1 }));
    expect((await saved(sandbox, mission({ rewards }))).problems).toMatchObject([{ code: "shape.entries_most", pointer: "/rewards" }]);
    expect((await saved(sandbox, {}, { document: "{" })).problems).toMatchObject([
      { pointer: "", message: expect.stringContaining("JSON") },
    ]);
  });

  it("of a new one refuses a taken key, and reports other problems as well", async () => {
    const { sandbox } = await projectWith(withMission());
    const { problems } = await saved(sandbox, mission({ optIn: "Manual", rewards: [] }));
    expect(problems.map(({ pointer }) => pointer)).toEqual(["/key", "/rewards"]);
    expect(problems[0]?.message).toBe('there is already a mission "m"; choose another key');
    expect((await saved(sandbox, { key: "order_placed", name: "Again" }, { kind: "events" })).problems[0]?.message).toBe(
      'there is already an event "order_placed"; choose another key',
    );
  });

  it("of an existing one refuses an unknown key", async () => {
    const { sandbox } = await projectWith(withMission());
    const { problems } = await saved(sandbox, mission({ key: "other" }), { isNew: false });
    expect(problems).toMatchObject([{ pointer: "/key", message: expect.stringContaining('no mission "other" here to change') }]);
    expect(await read(sandbox, "missions", "m")).not.toBeNull();
  });

  it("refuses the changes that `get` reports as impossible", async () => {
    const { sandbox } = await projectWith(withMission());
    const { fixed } = await read(sandbox, "missions", "m");
    const { problems } = await saved(sandbox, mission({ optIn: "Manual", objectiveOrder: "InOrder", name: "N" }), { isNew: false });
    expect(problems.map(({ pointer }) => pointer)).toEqual(["/objectiveOrder", "/optIn"]);
    for (const { pointer } of problems) expect(fixed.map((place) => place.pointer)).toContain(pointer);
  });

  it("writes one difference into the log, field by field, and none if nothing changes", async () => {
    const { sandbox } = await projectWith(withMission());
    const before = (await logOf(sandbox)).length;
    expect(await saved(sandbox, mission(), { isNew: false })).toMatchObject({ problems: [], isChanged: false });
    expect(await saved(sandbox, mission({ name: "Renamed", rewards: points(6) }), { isNew: false })).toMatchObject({ isChanged: true });
    const log = (await logOf(sandbox)).slice(before);
    expect(log).toEqual([
      {
        actor: "ann@example.com",
        action: "update",
        kind: "missions",
        key: "m",
        difference: [
          { type: "CHANGE", path: ["name", "texts", "en"], oldValue: "M", value: "Renamed" },
          { type: "CHANGE", path: ["rewards", 0, "points"], oldValue: 5, value: 6 },
        ],
      },
    ]);
  });

  it("checked beforehand gives the same answer and writes nothing", async () => {
    const { sandbox } = await projectWith(withMission());
    const before = await textOf(sandbox);
    expect(await saved(sandbox, mission({ key: "n" }), { dryRun: true })).toMatchObject({ problems: [], isChanged: true, revision: null });
    expect((await saved(sandbox, mission({ rewards: [] }), { dryRun: true, isNew: false })).problems).toMatchObject([
      { pointer: "/rewards" },
    ]);
    expect(await textOf(sandbox)).toBe(before);
  });
});

describe("two concurrent users", () => {
  it("the second does not overwrite the first, and learns its author; after looking, it may overwrite that save, and no later one", async () => {
    const { sandbox } = await projectWith(withMission());
    const { revision } = await read(sandbox, "missions", "m");
    expect(await saved(sandbox, mission({ name: "Ann's" }), { isNew: false, revision }, ANN)).toMatchObject({ conflict: null });
    const second = await saved(sandbox, mission({ name: "Bob's" }), { isNew: false, revision }, BOB);
    const { revision: anns } = await read(sandbox, "missions", "m");
    expect(second.conflict).toEqual({ environment: "sandbox", by: "ann@example.com", at: expect.any(Number), revision: anns });
    expect(second.problems).toMatchObject([{ pointer: "", message: expect.stringContaining("ann@example.com") }]);
    expect((await read(sandbox, "missions", "m")).name).toBe("Ann's");
    expect(await saved(sandbox, mission({ name: "Bob's" }), { isNew: false, revision: anns }, BOB)).toMatchObject({ problems: [] });
    expect((await read(sandbox, "missions", "m")).name).toBe("Bob's");
    const third = await saved(sandbox, mission({ name: "Ann's again" }), { isNew: false, revision: anns }, ANN);
    expect(third.conflict).toMatchObject({ by: "bob@example.com" });
  });

  it("a save that is sent again, because its answer was lost, conflicts with nobody", async () => {
    const { sandbox } = await projectWith(withMission());
    const { revision } = await read(sandbox, "missions", "m");
    const save = () => saved(sandbox, mission({ name: "Ann's" }), { isNew: false, revision });
    const first = await save();
    expect(await save()).toEqual({ ...first, isChanged: false });
  });

  it("of two at the same instant, one conflicts with the other", async () => {
    const { sandbox } = await projectWith(withMission());
    const { revision } = await read(sandbox, "missions", "m");
    const results = await Promise.all(
      [ANN, BOB].map((actor) => saved(sandbox, mission({ name: actor.name }), { isNew: false, revision }, actor)),
    );
    expect(results.filter(({ conflict }) => conflict !== null)).toHaveLength(1);
    const created = await Promise.all([ANN, BOB].map((actor) => saved(sandbox, mission({ key: "n" }), {}, actor)));
    expect(created.filter(({ problems }) => problems[0]?.pointer === "/key")).toHaveLength(1);
  });
});

/** As shown if the other environment does not have the key. */
const ABSENT = { revision: null };

describe("saving in both environments", () => {
  it("writes both, or neither with the environment that refused", async () => {
    const { sandbox, live } = await projectWith(fileOf({ events: EVENTS }));
    const refused = await saved(sandbox, mission(), { alsoIn: ABSENT });
    expect(refused.problems).toMatchObject([{ environment: "live", pointer: "/objectives/0/event" }]);
    expect(JSON.parse(await textOf(sandbox)).missions).toEqual([]);
    await importDefinitions(database, live, fileOf({ events: EVENTS }));
    expect(await saved(sandbox, mission(), { alsoIn: ABSENT })).toMatchObject({ problems: [], isChanged: true });
    expect(await textOf(live)).toBe(await textOf(sandbox));
    expect((await read(live, "missions", "m")).other).toEqual({ environment: "sandbox", exists: true, differs: false });
  });

  it.each<[kind: Kind, document: unknown, noun: string]>([
    ["catalogItems", { key: "coffee", name: "Coffee", valueType: "Number" }, "catalog item"],
    ["missionCollections", { key: "spring", name: "Spring", missions: [] }, "mission collection"],
    ["marketplaceCollections", { key: "shelf", name: "Shelf", items: [] }, "marketplace collection"],
  ])("is refused for %s, which are saved in one environment at a time", async (kind, document, noun) => {
    const { sandbox, live } = await projectWith();
    for (const dryRun of [true, false]) {
      const { problems, key } = await saved(sandbox, document, { kind, alsoIn: ABSENT, dryRun });
      expect([problems, key]).toMatchObject([
        [{ environment: "sandbox", pointer: "", message: expect.stringMatching(`^a ${noun} is saved in one environment at a time; `) }],
        null,
      ]);
    }
    expect(await saved(sandbox, document, { kind })).toMatchObject({ problems: [], isChanged: true });
    expect(JSON.parse(await textOf(live))[kind]).toEqual([]);
  });

  it("refuses a key that is taken in the other one", async () => {
    const { sandbox, live } = await projectWith(fileOf({ events: EVENTS }));
    await importDefinitions(database, live, withMission());
    expect((await saved(sandbox, mission(), { alsoIn: ABSENT })).problems).toMatchObject([{ environment: "live", pointer: "/key" }]);
    expect((await saved(sandbox, mission())).problems).toEqual([]);
  });

  it("previews the changes there, and marks those that the author did not make", async () => {
    const { sandbox, live } = await projectWith(fileOf({ events: EVENTS, missions: [mission({ rewards: points(40) })] }));
    await importDefinitions(database, live, fileOf({ events: EVENTS, missions: [mission({ rewards: points(45) })] }));
    const before = await textOf(live);
    const document = writeJson(mission({ description: "Order one coffee", rewards: points(40) }));
    const preview = () => previewInOther(database, sandbox, { kind: "missions", document, isNew: false });
    const { differences, parts, revision, ...rest } = await preview();
    expect(rest).toEqual({ environment: "live", problems: [], exists: true });
    expect(differences).toEqual([
      { path: ["description"], before: null, after: expect.anything(), isEdited: true },
      { path: ["rewards", 0, "points"], before: 45, after: 40, isEdited: false },
    ]);
    expect(parts).toEqual([{ path: ["rewards", 0], before: { kind: "Points", points: 45 }, after: { kind: "Points", points: 40 } }]);
    expect(await textOf(live)).toBe(before);

    const changed = JSON.parse(document) as object;
    expect(await saved(live, mission({ rewards: points(50) }), { isNew: false }, BOB)).toMatchObject({ problems: [] });
    const late = await saved(sandbox, changed, { isNew: false, alsoIn: { revision } });
    expect(late.conflict).toMatchObject({ environment: "live", by: BOB.name });
    expect(await textOf(live)).toContain('"points":50');
    expect((await read(sandbox, "missions", "m")).document).not.toContain("one coffee");
    const again = await preview();
    expect(await saved(sandbox, changed, { isNew: false, alsoIn: { revision: again.revision } })).toMatchObject({
      problems: [],
      conflict: null,
    });
    expect(await textOf(live)).toBe(await textOf(sandbox));
  });

  it("previews refusals there, and does not overwrite later changes there", async () => {
    const { sandbox, live } = await projectWith(withMission());
    const document = writeJson(mission({ name: "N" }));
    const preview = () => previewInOther(database, sandbox, { kind: "missions", document, isNew: false });
    expect((await preview()).problems).toMatchObject([{ environment: "live", pointer: "/objectives/0/event" }]);
    await importDefinitions(database, live, fileOf({ events: EVENTS }));
    expect(await preview()).toMatchObject({ problems: [], exists: false, revision: null, differences: [] });
    await importDefinitions(database, live, withMission());
    expect(await saved(sandbox, mission({ name: "N" }), { isNew: false, alsoIn: ABSENT })).toMatchObject({
      conflict: { environment: "live" },
    });
    expect((await read(live, "missions", "m")).name).toBe("M");
  });

  it("from both sides concurrently loses nothing", async () => {
    const { sandbox, live } = await projectWith(fileOf({ events: EVENTS }));
    await importDefinitions(database, live, fileOf({ events: EVENTS }));
    const both = [sandbox, live].map((environment, at) => saved(environment, mission({ key: `m${at}` }), { alsoIn: ABSENT }));
    for (const { problems } of await Promise.all(both)) expect(problems).toEqual([]);
    expect(JSON.parse(await textOf(live)).missions).toHaveLength(2);
  });
});

describe("the settings of an environment", () => {
  it("are saved like definitions, with their author", async () => {
    const { sandbox } = await projectWith();
    const before = await readSettingsOf(database, sandbox);
    expect(before).toMatchObject({ discovery: { events: false, attributes: false }, baseCurrency: null, isBaseCurrencyFixed: false });
    const { revision } = before;
    const change = { discovery: { events: true, attributes: false }, revision };
    expect(await saveSettings(database, sandbox, change, ANN)).toMatchObject({ problems: [], isChanged: true });
    expect(await saveSettings(database, sandbox, change, ANN), "sent again").toMatchObject({
      problems: [],
      conflict: null,
      isChanged: false,
    });
    expect(await saveSettings(database, sandbox, { baseCurrency: "EUR", revision }, BOB)).toMatchObject({ conflict: { by: ANN.name } });
    expect(await saveSettings(database, sandbox, { baseCurrency: "EUR", revision: null }, BOB)).toMatchObject({ problems: [] });
    expect(await readSettingsOf(database, sandbox)).toMatchObject({ discovery: { events: true }, baseCurrency: "EUR" });
    expect((await saveSettings(database, sandbox, { baseCurrency: null, revision: null }, BOB)).problems).toMatchObject([
      { pointer: "/baseCurrency", message: expect.stringContaining("cannot be taken away") },
    ]);
    expect((await saveSettings(database, sandbox, { baseCurrency: "euro", revision: null }, BOB)).problems).toMatchObject([
      { pointer: "/baseCurrency" },
    ]);
    expect((await logOf(sandbox)).map(({ action, actor }) => [action, actor])).toEqual([
      ["update", ANN.name],
      ["update", BOB.name],
    ]);
  });
});

it("keeps every digit of a document", async () => {
  const { sandbox } = await projectWith(fileOf({ events: EVENTS }));
  const document = writeJson(mission()).replace('"target":1', '"target":12345678901234567890.12345678');
  expect(await saved(sandbox, null, { document })).toMatchObject({ problems: [] });
  const shown = await read(sandbox, "missions", "m");
  expect(shown.document).toContain("12345678901234567890.12345678");
  expect(parseJson(shown.document)).toMatchObject({ key: "m" });
});
