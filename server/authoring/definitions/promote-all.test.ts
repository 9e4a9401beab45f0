import { beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#db/client.ts";
import { sharedDatabase, testProject } from "#db/testing.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { ATTRIBUTES, EVENTS, fileOf, mission, order, withMissions, withRule } from "../../model/definitions/testing/in-memory.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { exportDefinitions, importDefinitions, promoteDefinitions } from "./service/import.ts";

let database: Database;
beforeAll(async () => {
  database = await sharedDatabase();
});

const gold = { attribute: "tier", operator: "EqualTo", value: "gold" };
const VIP = { key: "vip", name: "VIP", rule: { any: [gold, { event: "order_placed", operator: "GreaterThan", value: 3, lastDays: 30 }] } };
const RICH = {
  ...(withMissions(
    mission({ key: "first" }),
    mission({
      key: "second",
      name: { default: "en", texts: { en: "Second", nl: "Tweede" } },
      audience: { rule: { all: [{ segment: "vip" }, { missionCompleted: "first" }] }, otherwise: "Hidden" },
      objectives: [order, { all: [{ attribute: "age", operator: "GreaterThanOrEqualTo", target: 18 }, order] }],
      rewards: [{ kind: "CatalogItem", catalogItem: "colours", value: ["red"] }],
    }),
  ) as object),
  discovery: { events: false, attributes: true },
  segments: [VIP],
  missionCollections: [{ key: "start", name: "Start", missions: ["second", "first"] }],
};

async function imported(environment: Environment, document: unknown): Promise<void> {
  expect(await importDefinitions(database, environment, document)).not.toHaveProperty("problems");
}

async function projectWith(sandboxFile: unknown, liveFile: unknown = fileOf({})) {
  const project = await testProject(database);
  await imported(project.sandbox, sandboxFile);
  await imported(project.live, liveFile);
  return project;
}

const textOf = async (environment: Environment): Promise<string> => JSON.stringify(await exportDefinitions(database, environment));
const versionOf = async ({ id }: Environment) => (await loadEnvironment(database.sql, id))?.definitionsVersion;

async function linesOf(from: Environment, to: Environment, options?: Parameters<typeof promoteDefinitions>[3]): Promise<string[]> {
  const result = await promoteDefinitions(database, from, to, options);
  return "problems" in result
    ? result.problems.map(({ pointer, message }) => `${pointer}: ${message}`)
    : result.changes.map(({ sign, kind, key, fields = [] }) => [sign, kind, key, ...fields].join(" "));
}

describe("promote", () => {
  it("copies everything that one environment defines to an empty one", async () => {
    const { sandbox, live } = await projectWith(RICH);
    expect(await linesOf(sandbox, live)).toHaveLength(2 + 4 + 1 + 4 + 2 + 1 + 1);
    expect(await textOf(live)).toBe(await textOf(sandbox));
    expect(await linesOf(sandbox, live)).toEqual([]);
    expect([await versionOf(sandbox), await versionOf(live)]).toEqual([1, 1]);
  });

  it("adds to a half-filled one, changes the differences, and keeps definitions that only it has", async () => {
    const { sandbox, live } = await projectWith(RICH, {
      ...(withMissions(mission({ key: "own" }), mission({ key: "first", name: "Another name", active: false })) as object),
      events: [
        { key: "own_event", name: "Own" },
        { ...EVENTS[0], name: "Another name", properties: EVENTS[0]?.properties?.slice(0, 2) },
      ],
    });
    const changes = [
      "+ settings environment",
      "~ events order_placed name properties",
      "+ events order_returned",
      "+ segments vip",
      "~ missions first name active",
      "+ missions second",
      "+ missionCollections start",
    ];
    expect(await linesOf(sandbox, live, { dryRun: true })).toEqual(changes);
    expect(await linesOf(sandbox, live)).toEqual(changes);
    expect(await linesOf(sandbox, live)).toEqual([]);
    const { events, missions } = (await exportDefinitions(database, live)) as { events: { key: string }[]; missions: { key: string }[] };
    expect(events.map(({ key }) => key)).toEqual(["own_event", "order_placed", "order_returned"]);
    expect(missions.map(({ key }) => key)).toEqual(["own", "first", "second"]);
    expect(await linesOf(sandbox, live, { prune: true })).toEqual(["- events own_event", "- missions own"]);
  });

  it("copies money, metrics and streaks; definitions without a key are identified otherwise", async () => {
    const rate = { currencyCode: "USD", rate: 0.92 };
    const valuation = { effectiveFrom: "2026-01-01T00:00:00Z", points: 100, amount: 1, currency: "EUR" };
    const { sandbox, live } = await projectWith({
      ...RICH,
      baseCurrency: "EUR",
      metrics: [{ key: "spend", name: "Spend", kind: "Currency", properties: [{ key: "tip", type: "Number" }] }],
      exchangeRates: [rate, { currencyCode: "GBP", rate: 1.17 }],
      streaks: [{ key: "daily", name: "Daily", metric: "spend", measure: { kind: "Sum" }, target: 5, cadence: "Day" }],
      pointsValuations: [valuation],
    });
    await linesOf(sandbox, live);
    expect(await textOf(live)).toBe(await textOf(sandbox));
    await importDefinitions(database, sandbox, fileOf({ exchangeRates: [rate], pointsValuations: [] }), { prune: true });
    const left = ["- exchangeRates GBP", "- pointsValuations 2026-01-01T00:00:00.000Z"];
    expect(await linesOf(sandbox, live)).toEqual([]);
    expect(await linesOf(sandbox, live, { prune: true })).toEqual(left);
    expect(await textOf(live)).toBe(await textOf(sandbox));
    await imported(sandbox, fileOf({ pointsValuations: [valuation] }));
    expect(await linesOf(sandbox, live)).toEqual(["~ pointsValuations 2026-01-01T00:00:00.000Z active"]);
    expect(await textOf(live)).toBe(await textOf(sandbox));
    const other = await projectWith(fileOf({ baseCurrency: "EUR", exchangeRates: [rate] }), fileOf({ baseCurrency: "USD" }));
    await imported(other.live, fileOf({ exchangeRates: [{ currencyCode: "JPY", rate: 0.006 }] }));
    expect(await linesOf(other.sandbox, other.live)).toEqual([
      '/baseCurrency: the rates of "JPY" are to USD; delete them first and add them again, or in a file put each into "exchangeRates" again or leave it out with --prune',
    ]);
  });

  it("reports everything that does not fit, and writes nothing", async () => {
    const { sandbox, live } = await projectWith(
      {
        ...RICH,
        events: [...EVENTS, { key: "login", name: "Login", active: false }],
        attributes: [...ATTRIBUTES, { key: "country", name: "Country", type: "String" }],
        segments: [VIP, { key: "local", name: "Local", rule: { attribute: "country", operator: "EqualTo", value: "nl" } }],
      },
      {
        ...(withMissions(
          mission({ key: "own", objectives: [order, { event: "login", operator: "GreaterThan", target: 2 }] }),
          mission({ key: "second", objectives: [order], optIn: "Manual" }),
        ) as object),
        events: [
          { ...EVENTS[0], properties: [...(EVENTS[0]?.properties ?? []).slice(0, 3), { key: "pickup_at", type: "String" }] },
          { key: "login", name: "Login" },
        ],
        attributes: [{ key: "country", name: "Country", type: "Number" }],
      },
    );
    const before = await textOf(live);
    expect(await linesOf(sandbox, live)).toEqual([
      '/events/0/properties/3/type: event "order_placed": the type of a property cannot change; add a property under a new key; "pickup_at" is a String',
      '/events/2/active: event "login": the event "login" cannot be switched off while the mission "own" uses it; switch that off first',
      '/attributes/4/type: attribute "country": the type of an attribute cannot change; define a new one under a new key; it is "Number"',
      '/missions/1/optIn: mission "second": the optIn of a mission cannot change; define a new one under a new key and switch this one off; it is "Manual"',
      '/missions/1/objectives: mission "second": the objectives of a mission cannot change; define a new one under a new key and switch this one off; it has nothing at /missions/1/objectives/1',
    ]);
    expect(await textOf(live)).toBe(before);
    expect(await versionOf(live)).toBe(1);
  });

  it("with --prune, refuses to switch off definitions that are used there", async () => {
    const { sandbox, live } = await projectWith(withMissions(), withMissions(mission({ key: "own" })));
    await imported(sandbox, fileOf({ events: [{ ...EVENTS[0], active: false }] }));
    expect(await linesOf(sandbox, live)).toEqual([
      '/events/0/active: event "order_placed": the event "order_placed" cannot be switched off while the mission "own" uses it; switch that off first',
    ]);
    expect(await linesOf(sandbox, live, { prune: true })).toEqual(["~ events order_placed active", "- missions own"]);
  });

  it("to itself is refused", async () => {
    const { sandbox } = await projectWith(fileOf({}));
    await expect(promoteDefinitions(database, sandbox, sandbox)).rejects.toThrow("cannot be promoted to itself");
  });

  it("reads the source at one instant, also during an import there", async () => {
    const { sandbox, live } = await projectWith(RICH);
    const other = { ...(withRule({ not: { segment: "vip" } }, { ...VIP, name: "Others" }) as object), discovery: { events: true } };
    const before = await textOf(sandbox);
    await Promise.all([imported(sandbox, other), ...Array.from({ length: 4 }, () => linesOf(sandbox, live))]);
    const inBetween = await textOf(live);
    expect([before, await textOf(sandbox)]).toContain(inBetween);
    await linesOf(sandbox, live);
    expect(await textOf(live)).toBe(await textOf(sandbox));
  });
});
