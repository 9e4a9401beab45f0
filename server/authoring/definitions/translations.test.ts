import { beforeAll, expect, test } from "vitest";
import { sharedDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { exportTexts } from "./service/translations-file.ts";
import { EVENTS, fileOf, mission, order } from "../../model/definitions/testing/in-memory.ts";
import { importDefinitions } from "./service/import.ts";

const database = await sharedDatabase();

const text = (en: string, nl?: string) => ({ default: "en", texts: { en, ...(nl !== undefined && { nl }) } });
const FILE = fileOf({
  events: EVENTS.map((event) => ({ ...event, name: text(event.name, `${event.name} (nl)`) })),
  missions: [
    mission({
      key: "lover",
      name: text("Coffee lover", "Koffieliefhebber"),
      description: text("'=Five, orders\nor more"),
      objectives: [{ ...order, description: text("=Five orders") }],
    }),
  ],
});

async function shop() {
  const project = await testProject(database);
  expect(await importDefinitions(database, project.sandbox, FILE)).not.toHaveProperty("problems");
  const scope = { project: project.slug, environment: "sandbox" as const };
  const { rpc } = await signedIn(database, project.slug, "Editor");
  const lover = { ...scope, kind: "missions" as const, key: "lover" };
  const textOf = async (pointer: string) =>
    (await rpc.definitions.texts(scope)).rows.find((row) => row.key === "lover" && row.pointer === pointer)?.texts;
  const log = async () => (await rpc.auditLog.list({ project: project.slug })).entries;
  return { rpc, scope, sandbox: project.sandbox, lover, textOf, log };
}
type Shop = Awaited<ReturnType<typeof shop>>;
let known: Shop;
beforeAll(async () => {
  known = await shop();
});

const ALL_TEXTS = { kind: null, search: "", missing: false, languages: [] };

const DESCRIPTION = "/description";

test("every text is listed with its languages, page by page, and missing ones are found and counted", async () => {
  const { rpc, scope } = known;
  const all = await rpc.definitions.texts(scope);
  expect(all).toMatchObject({ total: 5, missing: 1, next: null, languages: ["en", "nl"] });
  const missing = await rpc.definitions.texts({ ...scope, missing: true });
  expect(missing.rows).toMatchObject([{ kind: "missions", key: "lover", name: "Coffee lover", pointer: DESCRIPTION, default: "en" }]);
  expect((await rpc.definitions.texts({ ...scope, missing: true, languages: ["fr"] })).total).toBe(4);
  expect(all.rows.filter(({ isFixed }) => isFixed).map(({ pointer }) => pointer)).toEqual(["/objectives/0/description"]);
  expect((await rpc.definitions.texts({ ...scope, search: "KOFFIE" })).rows).toHaveLength(1);
  const paged = [];
  for (let cursor: string | null = null; ;) {
    const page: typeof all = await rpc.definitions.texts({ ...scope, limit: 3, cursor });
    paged.push(...page.rows);
    if ((cursor = page.next) === null) break;
  }
  expect(paged).toEqual(all.rows);
});

test("home reports as many missing texts as the list counts, and the languages they lack", async () => {
  const { rpc, scope } = known;
  const { attention } = await rpc.analytics.overview(scope);
  const { missing } = await rpc.definitions.texts(scope);
  expect(attention).toContainEqual({ kind: "MissingTranslations", count: missing, languages: ["nl"] });
});

test("a text is edited in place by a save of its definition, without overwriting others' changes", async () => {
  const { rpc, lover, textOf, log } = await shop();
  const translate = (before: string | null, after: string) =>
    rpc.definitions.translate({ ...lover, pointer: DESCRIPTION, language: "nl", before, after });
  expect(await translate(null, "Vijf bestellingen")).toMatchObject({ problems: [], conflict: null, isChanged: true });
  expect(await translate(null, "Vijf bestellingen"), "sent again").toMatchObject({ problems: [], conflict: null, isChanged: false });
  expect(await textOf(DESCRIPTION)).toMatchObject({ nl: "Vijf bestellingen" });
  expect((await log())[0]).toMatchObject({ action: "update", subjectKey: "lover" });
  expect(await translate(null, "Zes bestellingen")).toMatchObject({ conflict: { environment: "sandbox" } });
  expect(await textOf(DESCRIPTION)).toMatchObject({ nl: "Vijf bestellingen" });
  expect(await translate("Vijf bestellingen", "")).toMatchObject({ problems: [], conflict: null });
  expect(await textOf(DESCRIPTION)).not.toHaveProperty("nl");
  const long = await rpc.definitions.translate({
    ...lover,
    pointer: "/name",
    language: "nl",
    before: "Koffieliefhebber",
    after: "k".repeat(201),
  });
  expect(long.problems).toMatchObject([{ code: "shape.text_long" }]);
});

test("two texts of a definition that are written at once are both saved; of two versions of one text, one is refused", async () => {
  const { rpc, lover, textOf, log } = await shop();
  const write = (pointer: string, language: string, after: string) =>
    rpc.definitions.translate({ ...lover, pointer, language, before: null, after });
  const both = await Promise.all([write(DESCRIPTION, "nl", "Vijf bestellingen"), write("/name", "fr", "Amateur de café")]);
  expect(both).toMatchObject([
    { conflict: null, isChanged: true },
    { conflict: null, isChanged: true },
  ]);
  expect([await textOf(DESCRIPTION), await textOf("/name")]).toMatchObject([{ nl: "Vijf bestellingen" }, { fr: "Amateur de café" }]);
  const rivals = await Promise.all([write(DESCRIPTION, "de", "Fünf"), write(DESCRIPTION, "de", "5")]);
  expect(rivals.filter(({ conflict }) => conflict === null)).toHaveLength(1);
  expect((await log()).filter(({ subjectKey }) => subjectKey === "lover")).toHaveLength(3);
});

test("an unchanged export changes nothing when imported, formulas and line breaks included", async () => {
  const { rpc, scope, sandbox } = known;
  const text = (await Array.fromAsync(exportTexts(database, sandbox, ALL_TEXTS))).join("");
  expect(text).toContain(",'=Five orders,");
  expect(await rpc.definitions.importTexts({ ...scope, text, dryRun: true })).toMatchObject({ changed: 0, refused: [], problems: [] });
});

test("a file changes valid cells, refuses the others by line, and is one entry of the log", async () => {
  const { rpc, scope, textOf, log } = await shop();
  const text = [
    "\uFEFFkind;key;field;default;nl;fr;notes",
    `missions;lover;${DESCRIPTION};en;'=Vijf;;x`,
    "missions;lover;/name;en;Koffieliefhebber;Amateur de café;x",
    `missions;lover;/name;en;;${"k".repeat(201)};`,
    "missions;gone;/name;en;Weg;;",
    "missions;lover;/objectives/0/description;en;Vijf;;",
    `events;order_placed;/name;en;Bestelling;${"k".repeat(201)};`,
    // A row that was cleared in a spreadsheet.
    ";;;;;;",
    "",
  ].join("\r\n");
  const before = (await log()).length;
  const dry = await rpc.definitions.importTexts({ ...scope, text, dryRun: true });
  expect(dry.changes.map(({ key, language, before, after }) => [key, language, before, after])).toEqual([
    ["lover", "nl", null, "=Vijf"],
    ["lover", "fr", null, "Amateur de café"],
    ["order_placed", "nl", "Order placed (nl)", "Bestelling"],
  ]);
  expect(dry.refused.map(({ line, language }) => [line, language])).toEqual([
    [1, "notes"],
    [4, "fr"],
    [5, null],
    [6, "nl"],
    [7, "fr"],
  ]);
  expect([await log(), await textOf("/name")]).toMatchObject([{ length: before }, { nl: "Koffieliefhebber" }]);
  expect(await textOf("/name")).not.toHaveProperty("fr");

  const done = await rpc.definitions.importTexts({ ...scope, text, dryRun: false, version: dry.version });
  expect(done).toMatchObject({ isStale: false, changed: 3 });
  expect(await textOf("/name")).toMatchObject({ en: "Coffee lover", nl: "Koffieliefhebber", fr: "Amateur de café" });
  expect(await textOf(DESCRIPTION)).toMatchObject({ nl: "=Vijf" });
  const entries = await log();
  expect(entries).toHaveLength(before + 1);
  expect(entries[0]).toMatchObject({ action: "import_translations", subjectKind: "definitions" });
  expect(await rpc.definitions.importTexts({ ...scope, text, dryRun: false, version: dry.version })).toMatchObject({ isStale: true });
  const { versions } = await rpc.definitions.history({ ...scope, kind: "missions", key: "lover" });
  expect(versions[0]).toMatchObject({ via: "import_translations", version: 2 });
});

test("of two cells for one text and language the first counts, in two lines as in two columns", async () => {
  const { rpc, scope } = known;
  const lines = "kind,key,field,nl\nmissions,lover,/name,Eerst\nmissions,lover,/name,Dan\n";
  const columns = "kind,key,field,nl,NL\nmissions,lover,/name,Eerst,Dan\n";
  for (const text of [lines, columns]) {
    const { changes, refused } = await rpc.definitions.importTexts({ ...scope, text, dryRun: true });
    expect(changes.map(({ after }) => after)).toEqual(["Eerst"]);
    expect(refused.map(({ message }) => message)).toEqual(["The file has this text twice in this language; the first one counts."]);
  }
});

test.each<[string, string, number?]>([
  ["no heading", "missions,lover,/name,Naam\n"],
  ["an open quote", 'kind,key,field,nl\nmissions,lover,/name,"Naam\n\n', 2],
  ["a stray quote", 'kind,key,field,nl\nmissions,lover,/name,Naam\nmissions,lover,/name,Na"am', 3],
  ["a thousand languages", `kind,key,field${",nl".repeat(1_000)}\n`],
])("a file with %s is refused, and says where", async (_, text, line = 1) => {
  const { rpc, scope } = known;
  const answer = await rpc.definitions.importTexts({ ...scope, text, dryRun: false });
  expect(answer).toMatchObject({ changed: 0, refusedCount: 1, refused: [{ line }] });
  expect(answer.refused[0]!.message).toMatch(/name the columns|line 2 is never closed|Line 3 has a quote|more than 300 languages/);
});
