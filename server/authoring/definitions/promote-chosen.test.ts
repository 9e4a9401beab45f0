import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#db/client.ts";
import { sharedDatabase, testProject } from "#db/testing.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { soundFiles } from "../../model/definitions/testing/files.ts";
import type { Subject } from "../../model/definitions/divergence.ts";
import { promoteChosen, readDifference, type Versions } from "./service/promote-chosen.ts";
import { EVENTS, fileOf, mission, order, withMission, withMissions } from "../../model/definitions/testing/in-memory.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { exportDefinitions, importDefinitions } from "./service/import.ts";

let database: Database;
beforeAll(async () => {
  database = await sharedDatabase();
});

const ANN = { userId: null, name: "ann@example.com" };
const current = async ({ id }: Environment): Promise<Environment> => (await loadEnvironment(database.sql, id))!;
const textOf = async (environment: Environment) => JSON.stringify(await exportDefinitions(database, environment));

async function projectWith(sandboxFile: unknown, liveFile: unknown = fileOf({})) {
  const project = await testProject(database);
  for (const [environment, file] of [
    [project.sandbox, sandboxFile],
    [project.live, liveFile],
  ] as const) {
    expect(await importDefinitions(database, environment, file)).not.toHaveProperty("problems");
  }
  return project;
}

const difference = async (from: Environment) => readDifference(database, await current(from));
const lines = async (from: Environment) =>
  (await difference(from)).divergences.map(({ sign, kind, key, needs }) =>
    [sign, `${kind}/${key}`, ...needs.map((need) => `${need.kind}/${need.key}`).sort()].join(" "),
  );
const named = (...names: string[]): Subject[] =>
  names.map((name) => ({ kind: name.split("/")[0] as Subject["kind"], key: name.split("/")[1]! }));
const promote = async (from: Environment, chosen: Subject[], options: { versions?: Versions; dryRun?: boolean } = {}) =>
  promoteChosen(database, await current(from), { chosen, versions: options.versions ?? null, dryRun: options.dryRun ?? false }, ANN);
const keysOf = async (environment: Environment, kind: string) =>
  ((await exportDefinitions(database, environment))[kind] as { key: string }[]).map(({ key }) => key);

const gold = { attribute: "tier", operator: "EqualTo", value: "gold" };
const RICH = {
  ...(withMissions(
    mission({ key: "plain" }),
    mission({
      key: "rich",
      audience: { rule: { all: [{ segment: "vip" }, { missionCompleted: "plain" }] }, otherwise: "Hidden" },
      rewards: [{ kind: "CatalogItem", catalogItem: "coffee", value: 1 }],
    }),
  ) as object),
  segments: [{ key: "vip", name: "VIP", rule: { any: [gold, { event: "order_returned", operator: "GreaterThan", value: 3 }] } }],
};

describe("the difference between two environments", () => {
  it("has new, changed and removed definitions, each with its direct and indirect dependencies", async () => {
    const live = fileOf({ events: [EVENTS[0], { key: "own", name: "Own" }], missions: [mission({ key: "plain", name: "Old" })] });
    const { sandbox } = await projectWith(RICH, live);
    const found = await lines(sandbox);
    expect(found).toContain("+ events/order_returned");
    expect(found).not.toContain("events/order_placed");
    expect(found).toContain("- events/own");
    expect(found).toContain("~ missions/plain");
    expect(found).toContain("+ segments/vip attributes/tier events/order_returned");
    expect(found).toContain("+ missions/rich attributes/tier catalogItems/coffee events/order_returned missions/plain segments/vip");
    const { divergences, same } = await difference(sandbox);
    expect(same).toEqual([{ kind: "events", key: "order_placed", name: expect.any(String) }]);
    expect(divergences.find(({ key }) => key === "plain")?.differences).toEqual([
      { path: ["name", "texts", "en"], before: "Old", after: "M" },
    ]);
  });

  it("is empty for equal environments, and has opposite signs from the other side", async () => {
    const { sandbox, live } = await projectWith(RICH, RICH);
    expect(await lines(sandbox)).toEqual([]);
    await importDefinitions(database, sandbox, fileOf({ missions: [mission({ key: "new" })] }));
    expect(await lines(sandbox)).toEqual(["+ missions/new"]);
    expect(await lines(live)).toEqual(["- missions/new"]);
  });

  it("of money has the base currency, which metrics and rates need", async () => {
    const { sandbox } = await projectWith(
      fileOf({
        baseCurrency: "EUR",
        metrics: [{ key: "spend", name: "Spend", kind: "Currency" }],
        exchangeRates: [{ currencyCode: "USD", rate: 0.9 }],
      }),
    );
    expect(await lines(sandbox)).toEqual([
      "~ settings/environment",
      "+ metrics/spend settings/environment",
      "+ exchangeRates/USD settings/environment",
    ]);
  });
});

describe("promoting a selection", () => {
  it("includes its dependencies and leaves the rest", async () => {
    const { sandbox, live } = await projectWith(RICH);
    const dry = await promote(sandbox, named("segments/vip"), { dryRun: true });
    expect(dry.taken.map(({ key }) => key)).toEqual(["order_returned", "tier", "vip"]);
    expect(await keysOf(live, "segments")).toEqual([]);
    expect(await promote(sandbox, named("segments/vip"))).toMatchObject({ problems: [], isStale: false });
    expect([await keysOf(live, "events"), await keysOf(live, "attributes"), await keysOf(live, "missions")]).toEqual([
      ["order_returned"],
      ["tier"],
      [],
    ]);
    expect((await promote(sandbox, named("missions/rich"))).taken.map(({ key }) => key)).toEqual([
      "order_placed",
      "coffee",
      "plain",
      "rich",
    ]);
  });

  it("of everything makes the environments equal, from any state", async () => {
    await fc.assert(
      fc.asyncProperty(soundFiles(), async (file) => {
        const { sandbox, live } = await projectWith(file);
        const { divergences } = await difference(sandbox);
        expect(await promote(sandbox, divergences)).toMatchObject({ problems: [] });
        expect(await lines(sandbox)).toEqual([]);
        const parsed = JSON.parse(await textOf(sandbox));
        const there = JSON.parse(await textOf(live));
        expect(there.missions).toEqual(parsed.missions);
      }),
      { numRuns: 5 },
    );
  });

  it("changes and switches off, and is one entry of the log with its parts", async () => {
    const live = withMissions(mission({ name: "Old" }), mission({ key: "own" }));
    const { sandbox, live: there, slug } = await projectWith(withMission(), live);
    expect(await promote(sandbox, named("missions/own", "missions/m"))).toMatchObject({ problems: [] });
    expect(await lines(sandbox)).toEqual([]);
    const { rpc } = await signedIn(database, slug, "Viewer");
    const list = async (filter: object) => (await rpc.auditLog.list({ project: slug, environment: "live", ...filter })).entries;
    const folded = await list({});
    expect(folded.slice(0, 2).map(({ action, parts }) => [action, parts])).toEqual([
      ["promote", { update: 1, switch_off: 1 }],
      ["import", { create: expect.any(Number) }],
    ]);
    const { id } = folded[0]!;
    expect(
      (await list({ partOf: id })).map(({ action, subjectKey, partOf, changes }) => [action, subjectKey, partOf, changes.length]),
    ).toEqual([
      ["switch_off", "own", { id, action: "promote" }, 1],
      ["update", "m", { id, action: "promote" }, 1],
    ]);
    // The history of one definition has what a promotion did to it, and an export has everything.
    expect((await list({ subjectKind: "missions", subjectKey: "own" })).map(({ action }) => action)).toEqual(["switch_off", "create"]);
    expect((await list({ parts: "listed" })).map(({ action }) => action).slice(0, 3)).toEqual(["switch_off", "update", "promote"]);
    const log = await database.sql`
      select action, actor, subject_key as key from audit_log where environment_id = ${there.id} and actor = ${ANN.name} order by id`;
    expect(log.map(({ action, key }) => [action, key])).toEqual([
      ["promote", null],
      ["update", "m"],
      ["switch_off", "own"],
    ]);
  });

  it("removes rates that only exist there, and no others", async () => {
    const rates = (...codes: string[]) =>
      fileOf({
        baseCurrency: "EUR",
        exchangeRates: codes.map((currencyCode) => ({ currencyCode, rate: 0.5 })),
        events: [{ key: "e", name: "E" }],
      });
    const { sandbox, live } = await projectWith(fileOf({ baseCurrency: "EUR" }), rates("USD", "GBP"));
    expect(await promote(sandbox, named("exchangeRates/USD"))).toMatchObject({ problems: [] });
    const file = await exportDefinitions(database, live);
    expect((file.exchangeRates as { currencyCode: string }[]).map(({ currencyCode }) => currencyCode)).toEqual(["GBP"]);
    expect((file.events as { active: boolean }[])[0]?.active).toBe(true);
  });

  it("reports problems by definition, and writes nothing", async () => {
    const { sandbox, live } = await projectWith(
      withMissions(mission(), mission({ key: "n" })),
      withMissions(mission({ objectives: [{ ...order, target: 9 }] })),
    );
    const before = await textOf(live);
    const { problems } = await promote(sandbox, named("missions/n", "missions/m"));
    expect(problems).toMatchObject([
      { kind: "missions", key: "m", pointer: "/objectives", message: expect.stringContaining("cannot change") },
    ]);
    expect(await textOf(live)).toBe(before);
    const own = await promote(live, named("missions/n"));
    expect(own.problems).toEqual([]);
  });

  it("refuses to switch off used definitions, with the names of their users", async () => {
    const { sandbox } = await projectWith(fileOf({}), withMission());
    expect((await promote(sandbox, named("events/order_placed"))).problems).toMatchObject([
      { kind: "events", key: "order_placed", message: expect.stringContaining('the mission "m" uses it') },
    ]);
  });

  it("does nothing if something has changed since the difference was read", async () => {
    const { sandbox, live } = await projectWith(withMission());
    const { versions, divergences } = await difference(sandbox);
    await importDefinitions(database, sandbox, withMission({ name: "Meanwhile" }));
    expect(await promote(sandbox, divergences, { versions })).toMatchObject({ isStale: true });
    expect(await keysOf(live, "missions")).toEqual([]);
    const again = await difference(sandbox);
    expect(await promote(sandbox, again.divergences, { versions: again.versions })).toMatchObject({ isStale: false, problems: [] });
  });
});
