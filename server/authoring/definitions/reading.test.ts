import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#db/client.ts";
import { sharedDatabase, testProject } from "#db/testing.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { parseJson, writeJson } from "../../model/kernel/json.ts";
import { type Kind, KINDS } from "../../model/definitions/contract.ts";
import { soundFiles } from "../../model/definitions/testing/files.ts";
import type { ListQuery } from "../../model/definitions/list-page.ts";
import { overviewIn } from "./service/overviews.ts";
import { listDefinitions, readAuthoringOptions, readDefinition } from "./service/reading.ts";
import { saveDefinition } from "./service/saving.ts";
import { setActive } from "./service/switching.ts";
import type { Stored } from "../../model/definitions/stored.ts";
import { EVENTS, fileOf, mission, withMission, withMissions, withRule } from "../../model/definitions/testing/in-memory.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { exportDefinitions, importDefinitions } from "./service/import.ts";

let database: Database;
beforeAll(async () => {
  database = await sharedDatabase();
});

const ANN = { userId: null, name: "ann@example.com" };
const current = async ({ id }: Environment): Promise<Environment> => (await loadEnvironment(database.sql, id))!;

async function sandboxWith(document: unknown): Promise<Environment> {
  const { sandbox } = await testProject(database);
  expect(await importDefinitions(database, sandbox, document)).not.toHaveProperty("problems");
  return current(sandbox);
}

const ALL: ListQuery = { kind: "missions", search: "", status: "all", sort: "created", direction: "ascending", cursor: null, limit: 50 };
const NOW = Date.parse("2026-10-28T12:00:00Z");
const list = (environment: Environment, question: Partial<ListQuery>) =>
  listDefinitions(database, environment, NOW, { ...ALL, ...question });
const keys = async (environment: Environment, question: Partial<ListQuery>) =>
  (await list(environment, question)).rows.map(({ key }) => key);
const read = async (environment: Environment, kind: Kind, key: string) =>
  (await readDefinition(database, await current(environment), Date.now(), { kind, key }))!;

describe("saving a definition as read", () => {
  async function changesNothing(document: unknown): Promise<void> {
    const sandbox = await sandboxWith(document);
    const before = writeJson(await exportDefinitions(database, sandbox));
    const { stored } = await overviewIn(database, sandbox);
    for (const kind of KINDS) {
      for (const { shaped } of stored.lists[kind] as readonly Stored[]) {
        const { document: text, revision } = await read(sandbox, kind, shaped.key);
        const save = { kind, document: text, isNew: false, revision };
        expect(await saveDefinition(database, sandbox, save, ANN)).toMatchObject({
          problems: [],
          conflict: null,
          isChanged: false,
          revision,
        });
      }
    }
    expect(writeJson(await exportDefinitions(database, sandbox))).toBe(before);
    expect((await current(sandbox)).definitionsVersion).toBe(sandbox.definitionsVersion);
  }

  it("changes nothing, for any definition", () => fc.assert(fc.asyncProperty(soundFiles(), changesNothing), { numRuns: 6 }), 60_000);

  it("changes nothing of the example that has every kind", async () =>
    changesNothing(parseJson(await readFile(new URL("../../model/definitions/example.json", import.meta.url), "utf8"))));
});

describe("the list of a kind", () => {
  const named = (key: string, name: unknown, more: object = {}) => mission({ key, name, ...more });
  const FEW = withMissions(
    named("first", { default: "en", texts: { en: "Crème brûlée", nl: "Toetje" } }),
    named("second", "Apple", { active: false }),
    named("third", "banana", { recurrence: { kind: "Calendar", every: "Week" } }),
  );

  it("finds words in keys and in names of any language, ignoring case and accents", async () => {
    const sandbox = await sandboxWith(FEW);
    expect(await keys(sandbox, { search: "creme BRU" })).toEqual(["first"]);
    expect(await keys(sandbox, { search: "toetje" })).toEqual(["first"]);
    expect(await keys(sandbox, { search: "hir" })).toEqual(["third"]);
    expect(await keys(sandbox, { search: "apple third" })).toEqual([]);
  });

  it("filters by status and counts both", async () => {
    const sandbox = await sandboxWith(FEW);
    expect(await list(sandbox, { status: "off" })).toMatchObject({ total: 1, counts: { active: 2, off: 1 }, rows: [{ key: "second" }] });
    expect(await keys(sandbox, { status: "active" })).toEqual(["first", "third"]);
  });

  it("sorts by name, key, creation and the last change, both ways", async () => {
    const sandbox = await sandboxWith(FEW);
    expect(await keys(sandbox, { sort: "name" })).toEqual(["second", "third", "first"]);
    expect(await keys(sandbox, { sort: "name", direction: "descending" })).toEqual(["first", "third", "second"]);
    expect(await keys(sandbox, { sort: "created", direction: "descending" })).toEqual(["third", "second", "first"]);
    await setActive(database, sandbox, { kind: "missions", key: "first", active: false }, ANN);
    expect((await keys(await current(sandbox), { sort: "updated", direction: "descending" }))[0]).toBe("first");
  });

  it("sorts by a summary field; missing ends come last", async () => {
    const until = (endsAt: string | null) => ({ window: { startsAt: null, endsAt } });
    const sandbox = await sandboxWith(
      withMissions(
        named("ever", "A", until(null)),
        named("late", "B", until("2027-02-01T00:00:00Z")),
        named("soon", "C", until("2027-01-01T00:00:00Z")),
      ),
    );
    expect(await keys(sandbox, { sort: "endsAt" })).toEqual(["soon", "late", "ever"]);
    expect(await keys(sandbox, { sort: "endsAt", direction: "descending" })).toEqual(["ever", "late", "soon"]);
    expect((await keys(sandbox, { sort: "usedBy" })).length).toBe(3);
  });

  it("a weekly board ends with its running week, in the project's zone", async () => {
    const board = { key: "b", name: "B", scoreSource: "Points", rankOrder: "HighestFirst", period: { kind: "Calendar", every: "Week" } };
    const sandbox = await sandboxWith({ version: 1, leaderboards: [board] });
    const [row] = (await list(sandbox, { kind: "leaderboards" })).rows;
    expect(row?.summary.endsAt).toBe("2026-11-02T00:00:00.000Z");
  });

  it("has each definition's columns, and the number of references to it", async () => {
    const sandbox = await sandboxWith({ ...(FEW as object), missionCollections: [{ key: "c", name: "C", missions: ["third", "first"] }] });
    const { rows } = await list(sandbox, { search: "third" });
    expect(rows).toEqual([
      {
        id: expect.any(Number),
        key: "third",
        name: "banana",
        active: true,
        createdAt: expect.stringMatching(/Z$/),
        changedAt: expect.stringMatching(/Z$/),
        usedBy: 1,
        summary: expect.objectContaining({ recurrence: "Week", optIn: "Automatic", objectives: 1, points: 5 }),
      },
    ]);
    const events = await list(sandbox, { kind: "events" });
    expect(events.rows.map(({ usedBy, summary }) => [usedBy, summary])).toEqual([
      [3, { properties: 4, discovered: false }],
      [0, { properties: 0, discovered: false }],
    ]);
  });

  it("of a thousand is paged, each once, although others are added and renamed meanwhile", async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => named(`m${at}`, `Mission ${at % 7}`));
    const sandbox = await sandboxWith(withMissions(...many));
    for (const sort of ["name", "created", "key", "updated"] as const) {
      const seen: string[] = [];
      let page = await list(sandbox, { sort, direction: "descending", limit: 90 });
      for (;;) {
        expect(page.total).toBe(1_000);
        seen.push(...page.rows.map(({ key }) => key));
        if (page.next === null) break;
        page = await list(sandbox, { sort, direction: "descending", limit: 90, cursor: page.next });
      }
      expect([sort, new Set(seen).size, seen.length]).toEqual([sort, 1_000, 1_000]);
    }
    const first = await list(sandbox, { sort: "name", limit: 500 });
    await importDefinitions(database, sandbox, withMissions(named("late", "Aaa")));
    const second = await list(await current(sandbox), { sort: "name", limit: 600, cursor: first.next });
    expect(new Set([...first.rows, ...second.rows].map(({ key }) => key)).size).toBe(1_000);
  });

  it("is that of its own environment and its present version", async () => {
    const { sandbox, live } = await testProject(database);
    await importDefinitions(database, sandbox, FEW);
    expect(await keys(await current(live), {})).toEqual([]);
    expect(await keys(await current(sandbox), {})).toHaveLength(3);
    await importDefinitions(database, sandbox, withMissions(named("fourth", "D")));
    expect(await keys(await current(sandbox), {})).toHaveLength(4);
  });
});

describe("a definition", () => {
  it("reports the immutable members, and no more: everything else can be saved", async () => {
    const sandbox = await sandboxWith(
      withRule({ segment: "vip" }, { key: "vip", name: "VIP", rule: { attribute: "tier", operator: "EqualTo", value: "gold" } }),
    );
    const fixed = async (kind: Kind, key: string) => (await read(sandbox, kind, key)).fixed.map(({ pointer }) => pointer);
    expect(await fixed("missions", "m")).toEqual(["/key", "/objectiveOrder", "/optIn", "/recurrence", "/objectives"]);
    expect(await fixed("events", "order_placed")).toEqual(["/key", ...[0, 1, 2, 3].map((at) => `/properties/${at}/type`)]);
    expect(await fixed("attributes", "tier")).toEqual(["/key", "/type"]);
    expect(await fixed("segments", "vip")).toEqual(["/key"]);
    expect((await read(sandbox, "segments", "vip")).usedBy).toEqual([{ kind: "missions", key: "m", name: "M" }]);
    for (const { reason } of (await read(sandbox, "missions", "m")).fixed) expect(reason).toContain("under a new key");
  });

  it("has a start that is fixed once it is reached", async () => {
    const sandbox = await sandboxWith(withMission({ window: { startsAt: "2026-01-01T00:00:00Z" } }));
    const at = async (now: string) =>
      (await readDefinition(database, sandbox, Date.parse(now), { kind: "missions", key: "m" }))!.fixed.map(({ pointer }) => pointer);
    expect(await at("2025-12-31T00:00:00Z")).not.toContain("/window/startsAt");
    expect(await at("2026-01-01T00:00:00Z")).toContain("/window/startsAt");
  });

  it("says whether the other environment has it, and whether it is the same", async () => {
    const { sandbox, live } = await testProject(database);
    await importDefinitions(database, sandbox, withMission());
    expect((await read(sandbox, "missions", "m")).other).toEqual({ environment: "live", exists: false, differs: false });
    await importDefinitions(database, live, withMission({ name: "Other" }));
    expect((await read(sandbox, "missions", "m")).other).toEqual({ environment: "live", exists: true, differs: true });
    await importDefinitions(database, live, withMission());
    expect((await read(sandbox, "missions", "m")).other).toEqual({ environment: "live", exists: true, differs: false });
  });

  it("without a key of its own is identified by another field", async () => {
    const sandbox = await sandboxWith(fileOf({ baseCurrency: "EUR", exchangeRates: [{ currencyCode: "USD", rate: 0.9 }] }));
    const usd = await read(sandbox, "exchangeRates", "USD");
    expect(usd).toMatchObject({ name: "USD", document: '{"currencyCode":"USD","rate":0.9}', removal: { allowed: true } });
    expect(usd.fixed.map(({ pointer }) => pointer)).toEqual(["/currencyCode"]);
  });
});

it("authoring options have everything that forms refer to, with types and languages", async () => {
  const images = { default: "https://images.example.com/a.png", texts: "https://images.example.com/b.png" };
  const file = withMission({ name: { default: "nl", texts: { nl: "Taak", "pt-BR": "Missão" } }, images }) as object;
  const sandbox = await sandboxWith({ ...file, baseCurrency: "EUR", exchangeRates: [{ currencyCode: "USD", rate: 0.9 }] });
  const catalogue = await readAuthoringOptions(database, sandbox);
  expect(catalogue).toMatchObject({
    version: sandbox.definitionsVersion,
    languages: ["en", "nl", "pt-BR"],
    currencies: [
      { code: "EUR", rate: "1" },
      { code: "USD", rate: "0.9" },
    ],
    missions: [{ key: "m", name: "Taak", active: true }],
    attributes: [{ key: "tier", type: "String" }, { type: "Number" }, { type: "Boolean" }, { type: "DateTime" }],
  });
  expect(catalogue.events[0]).toMatchObject({
    key: EVENTS[0]?.key,
    properties: [{ key: "amount", type: "Number", required: true }, {}, {}, {}],
  });
});
