import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { ingest } from "../../game/events/service.ts";
import { checkIntegrity } from "../integrity/check.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { EVERY_LANE } from "../../model/kernel/lanes.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { testCipher } from "../../delivery/testing.ts";
import { stateOf, workLane } from "./lane.ts";
import { Pacing } from "./pacing.ts";
import { workSlice } from "./slice.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { loadEnvironment } from "../../engine/environment.ts";

const database = await testDatabase();
const { sql } = database;

const turnOf = (organizationId: string, id = 1) => ({ id, organizationId, definitionsVersion: 1 });
const leadOf = (pacing: Pacing, organization: string) => {
  const { organizations, seconds } = pacing.leads();
  return seconds[organizations.indexOf(organization)] ?? 0;
};

test("organizations take turns by the time of their slices, and an idle one accumulates no credit", () => {
  const pacing = new Pacing();
  for (let slice = 0; slice < 10; slice++) pacing.hadTurn(turnOf("heavy"), 10);
  expect(leadOf(pacing, "heavy")).toBe(10);
  let turns = 0;
  for (; leadOf(pacing, "light") < leadOf(pacing, "heavy"); turns++) pacing.hadTurn(turnOf("light"), 1);
  expect(turns).toBe(10);
  pacing.hadTurn(turnOf("heavy"), 10);
  expect([leadOf(pacing, "light"), leadOf(pacing, "heavy")]).toEqual([0, 10]);
});

test("a slice has as many facts as fit its time by their cost; an unmeasured version of definitions starts small", () => {
  const pacing = new Pacing();
  const turn = turnOf("one");
  const first = pacing.sizeOf(turn);
  pacing.measured(turn, first, 20);
  expect(pacing.sizeOf(turn)).toBeGreaterThan(1_000);
  pacing.measured(turn, 1_000, 100_010);
  expect(pacing.sizeOf(turn)).toBe(5);
  pacing.measured(turn, 1, 10_000);
  expect(pacing.sizeOf(turn)).toBe(1);
  expect(pacing.sizeOf({ ...turn, definitionsVersion: 2 })).toBe(first);
});

/** The sizes of an environment's slices, in order; `msOf` gives the time of a slice by its number of facts. */
function sizesOf(count: number, msOf: (facts: number, slice: number) => number, pacing = new Pacing()): number[] {
  return Array.from({ length: count }, (_, slice) => {
    const size = Math.min(500, pacing.sizeOf(turnOf("one")));
    const ms = msOf(size, slice);
    if (size > 1 && ms > pacing.maxMs) pacing.gaveUp(turnOf("one"), size, Math.floor((size * pacing.maxMs) / ms));
    else pacing.measured(turnOf("one"), size, ms);
    return size;
  });
}

test("slices grow again where the transaction is slow and not its facts, and shrink when it no longer is", () => {
  const isSlow = (slice: number) => slice < 60;
  const sizes = sizesOf(120, (facts, slice) => (isSlow(slice) ? 700 : 5) + (slice % 3) + facts * (isSlow(slice) ? 1 : 20));
  expect(Math.min(...sizes.slice(40, 60))).toBeGreaterThan(100);
  expect(Math.max(...sizes.slice(70))).toBeLessThan(30);
});

test("slow facts stay in slices of one: slices of two are tried ever more rarely", () => {
  const sizes = sizesOf(2_000, (facts, slice) => facts * (600 + 100 * (slice % 2)));
  expect(sizes.slice(5).filter((size) => size > 1).length).toBeLessThan(12);
});

const POINTS = { kind: "Points", points: 10 };

async function environmentWith(target: number): Promise<Environment> {
  const { sandbox } = await testProject(database);
  const objectives = [{ event: "order", operator: "GreaterThanOrEqualTo", target }];
  const mission = { key: "orders", name: "Orders", objectives, rewards: [POINTS] };
  const result = await importDefinitions(database, sandbox, {
    version: 1,
    events: [{ key: "order", name: "Order" }],
    missions: [mission],
  });
  expect(result).not.toHaveProperty("problems");
  return (await loadEnvironment(sql, sandbox.id))!;
}

const feed = (environment: Environment, externalId: string) =>
  readMissions(database, environment, Date.now(), { externalId, take: null, includeCompleted: false, language: null });

async function send(environment: Environment, players: number, each: number): Promise<void> {
  for (let round = 0; round < each; round++) {
    const items = Array.from({ length: players }, (_, at) => ({
      playerId: `p${at}`,
      event: "order",
      occurredAt: new Date().toISOString(),
    }));
    await ingest(database, environment, { items, mayHoldBadText: false, now: Date.now() });
  }
}

const counted = async (environment: Environment, externalId: string) =>
  (await feed(environment, externalId))[0]?.objectives[0]?.progress.actual;

test.each([
  { each: 20, backlog: "few facts" },
  { each: 40, backlog: "many facts" },
])(
  "another organization's event gets the next slice, however many environments of one organization have $backlog waiting",
  async ({ each }) => {
    const heavy = [];
    for (let at = 0; at < 5; at++) heavy.push(await environmentWith(1_000));
    await sql`
    update projects p set organization_id = ${heavy[0]!.organizationId}
    from environments e where e.project_id = p.id and e.id = any(${heavy.map(({ id }) => id)}::int[])`;
    for (const environment of heavy) await send(environment, each, 1);
    const other = await environmentWith(1);
    const pacing = new Pacing();
    const slice = async (previous: number) => (await workSlice(database, EVERY_LANE, previous, 10, { pacing }))!.environmentId;
    const first = await slice(heavy[0]!.id - 1);
    expect(first).toBe(heavy[0]!.id);
    await send(other, 1, 1);
    expect(await slice(first)).toBe(other.id);
    const rest: number[] = [];
    for (let at = 0, previous = other.id; at < 5; at++) rest.push((previous = await slice(previous)));
    expect(rest.toSorted((a, b) => a - b)).toEqual(heavy.map(({ id }) => id));
    // Leaves an empty queue for the other tests.
    while ((await workSlice(database, EVERY_LANE, 0)) !== null);
  },
);

test("a slice that takes too long is given up and retried in smaller ones: nothing is lost or counted twice", async () => {
  const environment = await environmentWith(1_000);
  for (let at = 0; at < 6; at++) await feed(environment, `p${at}`);
  await send(environment, 6, 4);
  const counts: number[] = [];
  const failures: unknown[] = [];
  const note = (fields: object) => void failures.push(fields);
  const context = { database, logger: { error: note, warn: note }, cipher: testCipher, allowPrivateAddresses: true, onEffects: () => {} };
  await workLane(
    context,
    new Pacing(0),
    stateOf(EVERY_LANE),
    () => false,
    ({ count }) => counts.push(count),
  );
  expect(counts).toEqual(Array(24).fill(1));
  expect(failures).toEqual([]);
  for (let at = 0; at < 6; at++) expect(await counted(environment, `p${at}`)).toEqual({ type: "number", value: 4 });
  expect(await checkIntegrity(database, environment)).toEqual([]);
});

test("many facts of one player folded in parts have the same result as folded together", async () => {
  const environment = await environmentWith(1_000);
  await feed(environment, "p0");
  await send(environment, 1, 170);
  const slice = await workSlice(database, EVERY_LANE, environment.id - 1);
  expect(slice).toMatchObject({ environmentId: environment.id, count: 170 });
  expect(await counted(environment, "p0")).toEqual({ type: "number", value: 170 });
  expect(await checkIntegrity(database, environment)).toEqual([]);
});
