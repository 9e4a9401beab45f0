import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#db/client.ts";
import { sharedDatabase, testProject } from "#db/testing.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { parseJson, writeJson } from "../../model/kernel/json.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { compareVersions, readHistory, restoreVersion } from "./service/history.ts";
import { readDefinition } from "./service/reading.ts";
import { saveDefinition } from "./service/saving.ts";
import { startOver } from "./service/saving.ts";
import { removeDefinition, setActive } from "./service/switching.ts";
import { points, withMission } from "../../model/definitions/testing/in-memory.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { importDefinitions, promoteDefinitions } from "./service/import.ts";

let database: Database;
beforeAll(async () => {
  database = await sharedDatabase();
});

const ANN = { userId: null, name: "ann@example.com", token: "ci" };
const ASKED = { externalId: "ann", take: null, includeCompleted: false, language: null };
const M = { kind: "missions", key: "m" } as const;
const current = async ({ id }: Environment): Promise<Environment> => (await loadEnvironment(database.sql, id))!;

async function projectWithMission() {
  const { sandbox, live } = await testProject(database);
  expect(await importDefinitions(database, sandbox, withMission())).not.toHaveProperty("problems");
  return { sandbox, live };
}

const read = async (environment: Environment) => (await readDefinition(database, await current(environment), Date.now(), M))!;
const history = async (environment: Environment) =>
  (await readHistory(database, environment, { ...M, before: null, limit: 20 })).versions.map(
    ({ version, by, token, via, members, isDeleted }) => (isDeleted ? [version, via, "deleted"] : [version, via, by, token, ...members]),
  );

/** Saves the mission with other members. */
async function save(environment: Environment, changes: object, replaces = false) {
  const { document, revision } = await read(environment);
  const changed = writeJson({ ...(parseJson(document) as object), ...changes });
  const save = { kind: M.kind, document: changed, isNew: false, revision };
  return replaces ? startOver(database, environment, save, ANN) : saveDefinition(database, environment, save, ANN);
}

const messages = (saved: { problems: readonly { message: string }[] } | null) => saved!.problems.map(({ message }) => message);

describe("versions", () => {
  it("each change of a definition is a version with its author and its way, in both environments; an unchanged save is none", async () => {
    const { sandbox, live } = await projectWithMission();
    await save(sandbox, { rewards: points(150) });
    await save(sandbox, {});
    await setActive(database, sandbox, { ...M, active: false }, ANN);
    expect((await readHistory(database, sandbox, { ...M, before: null, limit: 1 })).versions).toMatchObject([{ isOn: false }]);
    await removeDefinition(database, sandbox, M, ANN);
    expect(await history(sandbox)).toEqual([
      [4, "delete", "deleted"],
      [3, "switch", ANN.name, "ci", "active"],
      [2, "save", ANN.name, "ci", "rewards"],
      [1, "import", "command line", null],
    ]);
    await importDefinitions(database, sandbox, withMission());
    await promoteDefinitions(database, await current(sandbox), live, { actor: ANN });
    expect((await history(sandbox))[0]).toEqual([5, "import", "command line", null]);
    expect(await history(live)).toEqual([[1, "promote", ANN.name, "ci"]]);
  });

  it("a refused change leaves no version, and an environment's settings have none", async () => {
    const { sandbox } = await projectWithMission();
    expect(messages(await save(sandbox, { optIn: "Manual" }))).toHaveLength(1);
    await importDefinitions(database, sandbox, { version: 1, baseCurrency: "EUR" });
    const rows = await database.sql<{ kind: string }[]>`
      select kind from definition_versions where environment_id = ${sandbox.id} and kind in ('missions', 'settings', 'rollup')`;
    expect(rows).toEqual([{ kind: "missions" }]);
  });

  it("any two are compared field by field; before the first there is nothing", async () => {
    const { sandbox } = await projectWithMission();
    await save(sandbox, { rewards: points(150) });
    await save(sandbox, { appearsIn: "CollectionOnly" });
    const compared = await compareVersions(database, sandbox, { ...M, from: 3, to: 1 });
    expect(compared!.differences.map(({ path, before, after }) => [path.join("/"), before, after])).toEqual([
      ["appearsIn", "CollectionOnly", "Feed"],
      ["rewards/0/points", 150, 5],
    ]);
    expect((await compareVersions(database, sandbox, { ...M, from: 0, to: 1 }))!.from).toBeNull();
    expect(await compareVersions(database, sandbox, { ...M, from: 1, to: 9 })).toBeNull();
  });
});

it("definitions from before versioning start with their present content, by their last author", async () => {
  const { sandbox } = await projectWithMission();
  await save(sandbox, { rewards: points(150) });
  await database.sql`delete from definition_versions where environment_id = ${sandbox.id}`;
  const folder = new URL("../../../db/migrations/", import.meta.url);
  const written = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  const statements = written.flatMap((name) => readFileSync(new URL(name, folder), "utf8").split("--> statement-breakpoint"));
  const firstVersions = statements.filter((statement) => statement.includes('INSERT INTO "definition_versions"'));
  expect(firstVersions).toHaveLength(1);
  await database.sql.unsafe(firstVersions[0]!);
  expect(await history(sandbox)).toEqual([[1, "earlier", ANN.name, "ci"]]);
  await save(sandbox, { rewards: points(200) });
  expect((await history(sandbox))[0]).toEqual([2, "save", ANN.name, "ci", "rewards"]);
});

describe("restoring", () => {
  const restore = async (environment: Environment, version: number, revision: string | null = null) =>
    restoreVersion(database, await current(environment), { ...M, version, revision, dryRun: false }, ANN);

  it("saves an earlier version again, even after a deletion, as a new version", async () => {
    const { sandbox } = await projectWithMission();
    const { document } = await read(sandbox);
    await save(sandbox, { rewards: points(150) });
    expect(await restore(sandbox, 1)).toMatchObject({ problems: [], isChanged: true });
    expect((await read(sandbox)).document).toBe(document);
    await removeDefinition(database, sandbox, M, ANN);
    expect(await restore(sandbox, 2)).toMatchObject({ problems: [], isChanged: true });
    expect((await read(sandbox)).document).toContain('"points":150');
    expect((await history(sandbox))[0]).toEqual([5, "restore", ANN.name, "ci"]);
    const [last] = await database.sql`select action from audit_log where environment_id = ${sandbox.id} order by id desc limit 1`;
    expect(last).toEqual({ action: "restore" });
  });

  it("is refused if a reference is gone, a fixed field would change, or another user saved first", async () => {
    const { sandbox } = await projectWithMission();
    const { revision } = await read(sandbox);
    await save(sandbox, { rewards: points(150) });
    expect((await restore(sandbox, 1, revision))!.conflict).toMatchObject({ by: ANN.name });
    await save(sandbox, { optIn: "Manual" }, true);
    expect(messages(await restore(sandbox, 1))).toEqual([expect.stringContaining("the optIn of a mission cannot change")]);
    await removeDefinition(database, sandbox, M, ANN);
    await removeDefinition(database, sandbox, { kind: "events", key: "order_placed" }, ANN);
    expect(messages(await restore(sandbox, 1))).toEqual([expect.stringContaining('there is no event "order_placed"')]);
    expect(await restore(sandbox, 9)).toBeNull();
  });
});

describe("starting over", () => {
  it("changes immutable members under the same key, as one version and one entry of the audit log", async () => {
    const { sandbox } = await projectWithMission();
    const ids = () => database.sql`select id from definitions where environment_id = ${sandbox.id} and kind = 'missions'`;
    const [before] = await ids();
    expect(await save(sandbox, { optIn: "Manual" }, true)).toMatchObject({ problems: [], conflict: null, key: "m" });
    expect((await read(sandbox)).document).toContain('"optIn":"Manual"');
    expect((await ids())[0]).not.toEqual(before);
    expect(await history(sandbox)).toEqual([
      [2, "start_over", ANN.name, "ci", "optIn"],
      [1, "import", "command line", null],
    ]);
    const log = await database.sql`
      select action, difference from audit_log where environment_id = ${sandbox.id} and actor = ${ANN.name}`;
    expect(log).toEqual([
      { action: "start_over", difference: [{ type: "CHANGE", path: ["optIn"], value: "Manual", oldValue: "Automatic" }] },
    ]);
  });

  it("is refused, and nothing is deleted, if a player met it, it is referenced, the new one is invalid, or it has changed", async () => {
    const { sandbox } = await projectWithMission();
    const { document, revision } = await read(sandbox);
    const named = { version: 1, missionCollections: [{ key: "c", name: "C", missions: ["m"] }] };
    await importDefinitions(database, sandbox, named);
    expect(messages(await save(sandbox, { optIn: "Manual", rewards: [] }, true))).toEqual([
      expect.stringContaining('the mission collection "c"'),
      expect.stringContaining("at least"),
    ]);
    await removeDefinition(database, sandbox, { kind: "missionCollections", key: "c" }, ANN);
    await readMissions(database, await current(sandbox), Date.now(), ASKED);
    expect(messages(await save(sandbox, { optIn: "Manual" }, true))).toEqual([expect.stringContaining("players")]);
    const stale = { kind: M.kind, document, revision: `${revision}x` };
    expect((await startOver(database, sandbox, stale, ANN)).conflict).not.toBeNull();
    expect((await read(sandbox)).document).toBe(document);
    expect(await history(sandbox)).toHaveLength(1);
  });
});
