import { beforeAll, describe, expect, it, test } from "vitest";
import type { Database } from "#db/client.ts";
import { sharedDatabase, testProject } from "#db/testing.ts";
import { writeAttributes } from "../../game/attributes/service.ts";
import { ingest } from "../../game/events/service.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { purchase } from "../../game/marketplace/service/shop.ts";
import { takeMetricEvent } from "../../game/metrics/service.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { checkIntegrity } from "../../operations/integrity/check.ts";
import { erasePlayer } from "../../operations/privacy/erase.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import type { KeyedKind, Kind } from "../../model/definitions/contract.ts";
import { readDefinition } from "./service/reading.ts";
import { removeDefinition, setActive, setActiveOfMany } from "./service/switching.ts";
import { fileOf, mission, points, withMission } from "../../model/definitions/testing/in-memory.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { exportDefinitions, importDefinitions } from "./service/import.ts";

let database: Database;
beforeAll(async () => {
  database = await sharedDatabase();
});

const ANN = { userId: null, name: "ann@example.com" };
const current = async ({ id }: Environment): Promise<Environment> => (await loadEnvironment(database.sql, id))!;
const read = async (environment: Environment, kind: Kind, key: string) =>
  readDefinition(database, await current(environment), Date.now(), { kind, key });
const textOf = async (environment: Environment) => writeJson(await exportDefinitions(database, environment));
const keysOf = async (environment: Environment, kind: Kind) =>
  ((await exportDefinitions(database, environment))[kind] as { key: string }[]).map(({ key }) => key);

async function sandboxWith(document: unknown): Promise<Environment> {
  const { sandbox } = await testProject(database);
  expect(await importDefinitions(database, sandbox, document)).not.toHaveProperty("problems");
  return current(sandbox);
}

const remove = async (environment: Environment, kind: Kind, key: string) =>
  (await removeDefinition(database, environment, { kind, key }, ANN)).problems.map(({ message }) => message);
const switched = async (environment: Environment, kind: Kind, key: string, active: boolean) =>
  (await setActive(database, environment, { kind, key, active }, ANN)).problems.map(({ message }) => message);

describe("switching", () => {
  it("off a used definition is refused with its users' names, and so is switching on one that uses an inactive one", async () => {
    const sandbox = await sandboxWith(withMission());
    expect(await switched(sandbox, "events", "order_placed", false)).toEqual([
      'the event "order_placed" cannot be switched off while the mission "m" uses it; switch that off first',
    ]);
    expect(await switched(sandbox, "missions", "m", false)).toEqual([]);
    expect(await switched(sandbox, "events", "order_placed", false)).toEqual([]);
    expect(await switched(sandbox, "missions", "m", true)).toEqual([expect.stringContaining('the event "order_placed" is switched off')]);
    expect((await read(sandbox, "missions", "m"))?.active).toBe(false);
  });

  it("has one entry in the audit log for each switch", async () => {
    const sandbox = await sandboxWith(withMission());
    for (const active of [false, false, true]) await switched(sandbox, "missions", "m", active);
    const log = await database.sql`
      select action, actor from audit_log where environment_id = ${sandbox.id} and actor = ${ANN.name} order by id`;
    expect(log).toEqual([
      { action: "switch_off", actor: ANN.name },
      { action: "switch_on", actor: ANN.name },
    ]);
  });

  it("of several is all or none; definitions that use each other are switched together", async () => {
    const sandbox = await sandboxWith(withMission());
    await importDefinitions(database, sandbox, { version: 1, events: [{ key: "visit", name: "Visit" }] });
    const many = async (kind: KeyedKind, keys: string[], active: boolean) =>
      (await setActiveOfMany(database, sandbox, { kind, keys, active }, ANN)).problems.map(({ message }) => message);
    expect(await many("events", ["visit", "order_placed"], false)).toEqual([expect.stringContaining('while the mission "m" uses it')]);
    expect((await read(sandbox, "events", "visit"))?.active, "none is switched").toBe(true);
    expect(await many("events", ["visit", "gone"], false)).toEqual([expect.stringContaining('"gone"')]);
    expect(await switched(sandbox, "missions", "m", false)).toEqual([]);
    expect(await many("events", ["visit", "order_placed"], false)).toEqual([]);
    for (const key of ["visit", "order_placed"]) expect((await read(sandbox, "events", key))?.active, key).toBe(false);
  });

  it("unknown definitions are reported", async () => {
    const sandbox = await sandboxWith(fileOf({}));
    expect(await switched(sandbox, "missions", "m", false)).toEqual(['there is no mission "m" any more; it was deleted meanwhile']);
    expect(await remove(sandbox, "missions", "m")).toEqual(['there is no mission "m" any more; it was deleted meanwhile']);
  });
});

const count = { event: "visited", operator: "GreaterThanOrEqualTo", target: 1 };
const item = (key: string) => [{ kind: "CatalogItem", catalogItem: key, value: 1 }];

/** A definition of every kind: `used` by Ann in `played`, and `unused`. */
const WORLD = fileOf({
  baseCurrency: "EUR",
  events: ["visited", "used", "unused"].map((key) => ({ key, name: key })),
  metrics: ["used", "unused"].map((key) => ({ key, name: key, kind: "Number" })),
  attributes: ["used", "unused"].map((key) => ({ key, name: key, type: "String" })),
  segments: [{ key: "unused", name: "S", rule: { points: "Balance", operator: "GreaterThan", value: 5 } }],
  catalogItems: ["used", "unused"].map((key) => ({ key, name: key, valueType: "Number" })),
  missions: [
    mission({ key: "used", objectives: [count], rewards: item("used") }),
    mission({ key: "entered", objectives: [{ ...count, target: 5 }] }),
    mission({ key: "unused", objectives: [{ ...count, event: "unused" }], optIn: "Manual", window: { startsAt: "2100-01-01T00:00:00Z" } }),
    mission({ key: "points", objectives: [count], rewards: points(100) }),
  ],
  missionCollections: [{ key: "unused", name: "C", missions: [] }],
  streaks: [
    { key: "used", name: "U", event: "visited", cadence: "Day" },
    { key: "unused", name: "U", event: "used", where: null, measure: { kind: "Count" }, target: 50, cadence: "Day", active: false },
  ],
  leaderboards: ["used", "unused"].map((key) => ({
    key,
    name: key,
    scoreSource: "Event",
    event: key === "used" ? "visited" : "unused",
    rankOrder: "HighestFirst",
    period: { kind: "Calendar", every: "Week" },
    league: { groupSize: 10, tiers: [{ key: "a", name: "A" }], promotes: 0, relegates: 0 },
  })),
  marketplaceItems: ["used", "unused"].map((key) => ({ key, name: key, priceInPoints: 1, contents: [{ catalogItem: "used", value: 1 }] })),
  marketplaceCollections: [{ key: "unused", name: "C", items: ["used"] }],
});

/** Ann visits, has a metric and an attribute, completes a mission and buys something; then nothing references these any more. */
async function played(): Promise<Environment> {
  const sandbox = await sandboxWith(WORLD);
  const now = Date.now();
  await readMissions(database, sandbox, now, { externalId: "ann", take: null, includeCompleted: false, language: null });
  const items = ["visited", "used"].map((event) => ({ playerId: "ann", event, occurredAt: new Date(now).toISOString() }));
  await ingest(database, sandbox, { items, mayHoldBadText: false, now });
  await takeMetricEvent(database, sandbox, now, {
    externalId: "ann",
    metricKey: "used",
    value: 5,
    currencyCode: null,
    exchangeRate: null,
    idempotencyKey: null,
    occurredAt: now,
    properties: {},
    timeZone: null,
  });
  await writeAttributes(database, sandbox, { playerId: "ann", attributes: { used: "x" } }, []);
  await drainFacts(database, sandbox.id);
  await purchase(database, sandbox, now, { externalId: "ann", listingKey: "used", idempotencyKey: null });
  expect(await checkIntegrity(database, sandbox)).toEqual([]);
  return sandbox;
}

describe("deleting", () => {
  it("is refused with the names of referencing definitions, even switched-off ones", async () => {
    const sandbox = await sandboxWith(
      withMission({ key: "m", active: false, audience: { rule: { not: { missionCompleted: "m" } }, otherwise: "Hidden" } }),
    );
    expect(await remove(sandbox, "events", "order_placed")).toEqual([
      'the event "order_placed" is used by the mission "m"; take it out there first',
    ]);
    expect((await read(sandbox, "events", "order_placed"))?.removal).toMatchObject({
      allowed: false,
      reason: expect.stringContaining("used by"),
    });
    expect((await read(sandbox, "events", "order_placed"))?.usedBy).toEqual([{ kind: "missions", key: "m", name: "M" }]);
  });

  test.each<[Kind, string, RegExp]>([
    ["events", "used", /players have sent it/],
    ["metrics", "used", /amounts/],
    ["attributes", "used", /values/],
    ["missions", "used", /completed/],
    ["missions", "entered", /in it/],
    ["streaks", "used", /streaks/],
    ["leaderboards", "used", /scores/],
  ])("of a definition that touched a player is refused: %s %s", async (kind, key, reason) => {
    const sandbox = await played();
    if (kind === "events") expect(await remove(sandbox, "streaks", "unused")).toEqual([]);
    expect(await remove(sandbox, kind, key)).toEqual([expect.stringMatching(reason)]);
    const shown = await read(sandbox, kind, key);
    expect(shown?.removal).toMatchObject({
      allowed: false,
      reason: expect.stringMatching(/switch it off instead$/),
      because: { code: "definition.touched", params: { kind, key } },
    });
  });

  it("of what a player met is still refused after their erasure: the ledger and the reports name it", async () => {
    const sandbox = await played();
    await erasePlayer(database, sandbox, "ann", "She asked");
    for (const [kind, key] of [
      ["events", "visited"],
      ["metrics", "used"],
      ["missions", "used"],
      ["missions", "entered"],
      ["streaks", "used"],
    ] as const) {
      const { removal } = (await read(sandbox, kind, key))!;
      expect([kind, key, removal.allowed]).toEqual([kind, key, false]);
    }
    expect(await remove(sandbox, "streaks", "used")).toEqual([expect.stringMatching(/streaks/)]);
  });

  it("of anything bought or given is refused even when nothing references it any more", async () => {
    const sandbox = await played();
    expect(await remove(sandbox, "marketplaceItems", "used")).toEqual([expect.stringMatching(/marketplace collection "unused"/)]);
    expect(await remove(sandbox, "marketplaceCollections", "unused")).toEqual([]);
    expect(await remove(sandbox, "marketplaceItems", "used")).toEqual([expect.stringMatching(/bought/)]);
    const listings = ["used", "unused"].map((key) => ({
      key,
      name: key,
      priceInPoints: 1,
      contents: [{ catalogItem: "unused", value: 1 }],
    }));
    const missions = [mission({ key: "used", objectives: [count] })];
    expect(await importDefinitions(database, sandbox, fileOf({ missions, marketplaceItems: listings }))).not.toHaveProperty("problems");
    expect(await remove(sandbox, "catalogItems", "used")).toEqual([expect.stringMatching(/given/)]);
  });

  it("works for definitions that touched no player, and a new one under the key is a different definition", async () => {
    const sandbox = await played();
    const kinds: Kind[] = [
      ...(["marketplaceCollections", "marketplaceItems", "leaderboards", "streaks", "missionCollections", "missions"] as const),
      ...(["segments", "catalogItems", "attributes", "metrics", "events"] as const),
    ];
    const before = await current(sandbox);
    const { id } = (await idOf(sandbox, "leaderboards", "unused"))!;
    for (const kind of kinds) {
      expect([kind, (await read(sandbox, kind, "unused"))?.removal.reason]).toEqual([kind, null]);
      expect([kind, ...(await remove(sandbox, kind, "unused"))]).toEqual([kind]);
      expect(await keysOf(sandbox, kind)).not.toContain("unused");
      expect(await read(sandbox, kind, "unused")).toBeNull();
    }
    expect((await current(sandbox)).definitionsVersion).toBe(before.definitionsVersion + kinds.length);
    expect(await database.sql`select from leaderboard_periods where leaderboard_id = ${id}`).toHaveLength(0);
    expect(await importDefinitions(database, sandbox, WORLD)).not.toHaveProperty("problems");
    expect((await idOf(sandbox, "leaderboards", "unused"))!.id).toBeGreaterThan(id);
    expect(await checkIntegrity(database, await current(sandbox))).toEqual([]);
  });

  it("has an entry in the audit log with the deleted document", async () => {
    const sandbox = await sandboxWith(withMission());
    await remove(sandbox, "missions", "m");
    const [entry] = await database.sql`select * from audit_log where environment_id = ${sandbox.id} order by id desc limit 1`;
    expect(entry).toMatchObject({ action: "delete", subjectKind: "missions", subjectKey: "m", actor: ANN.name });
    expect(entry?.difference).toMatchObject([{ type: "REMOVE", path: [], oldValue: { key: "m", optIn: "Automatic" } }]);
  });

  it("removes rates and valuations, which can be added again", async () => {
    const rate = (value: number) => fileOf({ exchangeRates: [{ currencyCode: "USD", rate: value }] });
    const sandbox = await sandboxWith({ ...rate(0.9), baseCurrency: "EUR" });
    expect(await remove(sandbox, "exchangeRates", "USD")).toEqual([]);
    expect(JSON.parse(await textOf(sandbox)).exchangeRates).toEqual([]);
    expect(await importDefinitions(database, sandbox, rate(0.8))).toMatchObject({ changes: [{ sign: "~" }] });
    expect(JSON.parse(await textOf(sandbox)).exchangeRates).toEqual([{ currencyCode: "USD", rate: 0.8 }]);
  });

  it("and a concurrent use of it cannot both succeed", async () => {
    const sandbox = await sandboxWith(fileOf({ events: [{ key: "visited", name: "V" }] }));
    for (let round = 0; round < 4; round++) {
      const key = `m${round}`;
      const [removed, imported] = await Promise.all([
        remove(sandbox, "events", "visited"),
        importDefinitions(database, sandbox, fileOf({ missions: [mission({ key, objectives: [count] })] })),
      ]);
      expect(removed.length > 0).toBe(!("problems" in imported));
      await importDefinitions(database, sandbox, fileOf({ events: [{ key: "visited", name: "V" }] }));
      await remove(sandbox, "missions", key);
    }
  });
});

async function idOf({ id }: Environment, kind: string, key: string): Promise<{ id: number } | undefined> {
  const [row] = await database.sql<{ id: number }[]>`
    select id from definitions where environment_id = ${id} and kind = ${kind} and key = ${key}`;
  return row;
}
