import { expect, test } from "vitest";
import { sharedDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { exportTexts } from "./service/translations-file.ts";
import { ChangeRequested } from "../../model/definitions/change-requests.ts";
import { EVENTS, fileOf, mission, order } from "../../model/definitions/testing/in-memory.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { importDefinitions } from "./service/import.ts";

const database = await sharedDatabase();
const { sql } = database;

const lover = (texts: Record<string, string>, more: object = {}) =>
  fileOf({
    events: EVENTS,
    missions: [mission({ key: "lover", name: { default: "en", texts: { en: "Coffee lover", ...texts } }, ...more })],
  });

async function project() {
  const made = await testProject(database);
  const scope = { project: made.slug, environment: "sandbox" as const };
  const { rpc, email } = await signedIn(database, made.slug, "Editor");
  const document = async (key: string) => JSON.parse((await rpc.definitions.get({ ...scope, kind: "missions", key })).document);
  return { ...made, scope, rpc, email, document };
}

/** A mission with words under "german", as they were stored before codes were checked. */
async function before(texts: Record<string, string> = {}) {
  const made = await project();
  const file = lover(
    { tlh: "Kaffeeliebhaber", ...texts },
    { objectives: [{ ...order, description: { default: "tlh", texts: { tlh: "Trinke!" } } }] },
  );
  expect(await importDefinitions(database, made.sandbox, file)).not.toHaveProperty("problems");
  await sql`update definitions set body = replace(body::text, '"tlh"', '"german"')::jsonb where environment_id = ${made.sandbox.id}`;
  await sql`update environments set definitions_version = definitions_version + 1 where id = ${made.sandbox.id}`;
  const repair = () => made.rpc.definitions.repairLanguage({ ...made.scope, from: "german", to: "de" });
  const nameIn = async (language: string) => {
    const environment = (await loadEnvironment(sql, made.sandbox.id))!;
    const query = { externalId: "ann", includeCompleted: false, take: null, language };
    return (await readMissions(database, environment, Date.now(), query))[0]!.name;
  };
  return { ...made, repair, nameIn };
}

test("an unknown language is refused wherever a text can be written, and the intended code is suggested", async () => {
  const { sandbox, scope, rpc, document } = await project();
  const words = /"german" is not a language code; use one such as "?de"?/;
  const imported = await importDefinitions(database, sandbox, lover({ german: "Kaffeeliebhaber" }));
  expect(imported).toMatchObject({ problems: [{ pointer: "/missions/0/name/texts/german", message: expect.stringMatching(words) }] });
  await importDefinitions(database, sandbox, lover({}));
  const name = { kind: "missions" as const, key: "lover", pointer: "/name", before: null, after: "x" };
  expect((await rpc.definitions.translate({ ...scope, ...name, language: "german" })).problems).toMatchObject([
    { code: "shape.language_unknown" },
  ]);
  await expect(rpc.definitions.texts({ ...scope, languages: ["german"] })).rejects.toThrow(words);
  const asked = { kind: null, search: "", missing: false, languages: ["german"] };
  await expect(Array.fromAsync(exportTexts(database, sandbox, asked))).rejects.toThrow(words);
  const text = "kind,key,field,Deutsch,DE\nmissions,lover,/name,Nein,Kaffeeliebhaber\n";
  const file = await rpc.definitions.importTexts({ ...scope, text, dryRun: false });
  expect(file).toMatchObject({ changed: 1, refused: [{ line: 1, language: "Deutsch", message: expect.stringContaining('name it "de"') }] });
  expect((await document("lover")).name.texts).toEqual({ en: "Coffee lover", de: "Kaffeeliebhaber" });
});

test("tags are stored in canonical form; if two tags mean one language, both texts are kept", async () => {
  const { sandbox, document } = await project();
  await importDefinitions(database, sandbox, lover({ "nl-be": "Koffie", iw: "a", he: "b", PT: "Café" }));
  expect((await document("lover")).name.texts).toEqual({ en: "Coffee lover", "nl-BE": "Koffie", iw: "a", he: "b", pt: "Café" });
});

test("texts in a stored unknown language are reported, do not prevent switching off, and reach players once repaired", async () => {
  const { scope, rpc, email, repair, nameIn, document, slug } = await before();
  expect(await nameIn("de")).toBe("Coffee lover");
  const texts = await rpc.definitions.texts(scope);
  expect(texts.unknown).toEqual([{ tag: "german", texts: 2, suggestion: "de" }]);
  const { attention } = await rpc.analytics.overview(scope);
  expect(attention).toContainEqual({ kind: "UnknownLanguages", languages: ["german"] });
  expect(attention).not.toContainEqual(expect.objectContaining({ kind: "MissingTranslations" }));
  for (const active of [false, true])
    expect(await rpc.definitions.setActive({ ...scope, kind: "missions", key: "lover", active })).toMatchObject({ problems: [] });

  const both = await Promise.all([repair(), repair()]);
  expect(both.toSorted((a, b) => b.changed - a.changed)).toEqual([
    { changed: 2, kept: 0 },
    { changed: 0, kept: 0 },
  ]);
  expect(await nameIn("de-AT")).toBe("Kaffeeliebhaber");
  const { name, objectives } = await document("lover");
  expect([name.texts, objectives[0].description]).toEqual([
    { de: "Kaffeeliebhaber", en: "Coffee lover" },
    { default: "de", texts: { de: "Trinke!" } },
  ]);
  const { versions } = await rpc.definitions.history({ ...scope, kind: "missions", key: "lover" });
  expect(versions[0]).toMatchObject({ via: "repair_language", by: email, members: ["name", "objectives"] });
  const { entries } = await rpc.auditLog.list({ project: slug, action: "repair_language" });
  expect(entries).toMatchObject([{ actor: email, subjectKind: "definitions" }]);
  expect((await rpc.definitions.texts(scope)).unknown).toEqual([]);
});

test("a repair keeps the texts that players see, and changes no known language", async () => {
  const { scope, rpc, repair, nameIn } = await before({ de: "Kaffeefreund" });
  expect(await repair()).toEqual({ changed: 1, kept: 1 });
  expect(await nameIn("de")).toBe("Kaffeefreund");
  await expect(rpc.definitions.repairLanguage({ ...scope, from: "en", to: "nl" })).rejects.toThrow("nothing to repair");
  await expect(rpc.definitions.repairLanguage({ ...scope, from: "german", to: "klingon" })).rejects.toThrow("not a language code");
});

test("a repair that needs approval is applied once approved, and its request cannot change what an objective says", async () => {
  const { live, slug } = await testProject(database);
  const scope = { project: slug, environment: "live" as const };
  const [editor, admin] = [await signedIn(database, slug, "Editor"), await signedIn(database, slug, "Admin")];
  const description = { default: "tlh", texts: { en: "Drink!", tlh: "Trinke!" } };
  const file = lover({ tlh: "Kaffeeliebhaber" }, { objectives: [{ ...order, description }] });
  expect(await importDefinitions(database, live, file)).not.toHaveProperty("problems");
  await sql`update definitions set body = replace(body::text, '"tlh"', '"german"')::jsonb where environment_id = ${live.id}`;
  await sql`update environments set definitions_version = definitions_version + 1 where id = ${live.id}`;
  await admin.rpc.projectSettings.guardLive({ project: slug, isOn: true });
  await expect(editor.rpc.definitions.repairLanguage({ ...scope, from: "german", to: "de" })).rejects.toThrow(ChangeRequested);
  const [request] = (await editor.rpc.changeRequests.list(scope)).requests;
  const [revision, id] = [1, request!.id];

  const saying = (words: string) => {
    const objective = { ...order, description: { default: "de", texts: { de: words, en: "Drink!" } } };
    const name = { default: "en", texts: { de: "Kaffeeliebhaber", en: "Coffee lover" } };
    return { kind: "missions" as const, document: JSON.stringify(mission({ key: "lover", name, objectives: [objective] })) };
  };
  const edit = (words: string) => editor.rpc.changeRequests.edit({ ...scope, id, revision, definition: saying(words) });
  expect(await edit("Iss!")).toMatchObject({ problems: [{ code: "mission.objectives_fixed" }] });
  expect(await edit("Trinke!")).toMatchObject({ problems: [], revision: 2 });
  await admin.rpc.changeRequests.approve({ ...scope, id, revision: 2 });
  expect(await admin.rpc.changeRequests.get({ ...scope, id })).toMatchObject({ state: "Applied", failure: null });
  const { document } = await editor.rpc.definitions.get({ ...scope, kind: "missions", key: "lover" });
  expect(JSON.parse(document)).toMatchObject({
    objectives: [{ description: { default: "de", texts: { de: "Trinke!", en: "Drink!" } } }],
  });
});
