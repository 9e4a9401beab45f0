import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { type Database, onlyValue, openDatabase } from "#db/client.ts";
import { databaseUrl } from "#db/testing/database-url.ts";
import { isSpread, testDatabase, testProject } from "#db/testing.ts";
import { readAttributes, writeAttributes } from "../../game/attributes/service.ts";
import { ingest } from "../../game/events/service.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { DEFAULT_LANES, EVERY_LANE, lanesOf } from "../../model/kernel/lanes.ts";
import type { MissionRow } from "../../model/missions/rows.ts";
import { acceptMission, readMissions } from "../../game/missions/service/read.ts";
import { playerKey } from "../../model/players/identity.ts";
import { checkIntegrity } from "../integrity/check.ts";
import { drainFacts } from "./drain-facts.ts";
import { stateOf, workOnce } from "./lane.ts";
import { Pacing } from "./pacing.ts";
import { workSlice } from "./slice.ts";
import { laneOf } from "#db/testing/work.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { lockRangesExclusive } from "../../game/leaderboards/store/blocks.ts";
import { lockExclusive, lockShared } from "../../engine/store/locks.ts";
import { lockPlayer } from "../../engine/store/players.ts";
import { loadEnvironment } from "../../engine/environment.ts";

/** Accepted facts are applied before later decisions, whichever process does it. */

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});

const order = (target: number, more: object = {}) => ({ event: "order_placed", operator: "GreaterThanOrEqualTo", target, ...more });
const tierIs = (target: string) => ({ attribute: "tier", operator: "EqualTo", target });
const points = (amount: number) => [{ kind: "Points", points: amount }];
const RICH = { rule: { points: "Balance", operator: "GreaterThanOrEqualTo", value: 10 }, otherwise: "Hidden" };

async function environmentWith(...missions: object[]): Promise<Environment> {
  const { sandbox } = await testProject(database);
  const result = await importDefinitions(database, sandbox, {
    version: 1,
    events: [{ key: "order_placed", name: "Order placed", properties: [{ key: "drink", type: "String" }] }],
    attributes: [{ key: "tier", name: "Tier", type: "String" }],
    missions: missions.map((mission) => ({ name: "A mission", rewards: points(10), ...mission })),
  });
  expect(result).not.toHaveProperty("problems");
  return (await loadEnvironment(database.sql, sandbox.id)) as Environment;
}

const send = (environment: Environment, playerId: string, ...drinks: string[]) =>
  ingest(database, environment, {
    items: drinks.map((drink) => ({ playerId, event: "order_placed", occurredAt: new Date().toISOString(), properties: { drink } })),
    mayHoldBadText: false,
    now: Date.now(),
  });
const be = (environment: Environment, playerId: string, tier: string) =>
  writeAttributes(database, environment, { playerId, attributes: { tier } }, []);
const read = (environment: Environment, externalId: string): Promise<MissionRow[]> =>
  readMissions(database, environment, Date.now(), { externalId, take: null, includeCompleted: true, language: null });
const statuses = async (environment: Environment, externalId: string) =>
  Object.fromEntries((await read(environment, externalId)).map(({ missionKey, status }) => [missionKey, status]));
const waiting = async (environment: Environment, externalId: string): Promise<number> => {
  const { part, playerId } = playerKey(environment.id, externalId);
  return (await database.sql`select from queued_facts where part = ${part} and player_id = ${playerId}`).length;
};
/** Applies a slice of a player's lane. */
const workLaneOf = (environment: Environment, externalId: string, limit?: number) =>
  workSlice(database, laneOf(playerKey(environment.id, externalId).part), environment.id - 1, limit);

const GOLDEN_ORDER = { key: "golden", objectives: [{ all: [order(1), tierIs("gold")] }] };

describe("earlier facts of the player", () => {
  test("an attribute write does not overtake earlier events, which are judged by the old value", async () => {
    const environment = await environmentWith(GOLDEN_ORDER);
    await be(environment, "ann", "gold");
    await read(environment, "ann");
    await send(environment, "ann", "tea");
    expect(await be(environment, "ann", "silver")).toEqual({ tier: "Changed" });
    expect([await statuses(environment, "ann"), await waiting(environment, "ann")]).toEqual([{ golden: "Completed" }, 0]);
    expect(await checkIntegrity(database, environment)).toEqual([]);
  });

  test("a read that enters the player decides eligibility first", async () => {
    const environment = await environmentWith(
      { key: "first", objectives: [order(1)] },
      { key: "rich", objectives: [order(9)], audience: RICH },
    );
    await read(environment, "ann");
    await send(environment, "ann", "tea");
    // A read without entries waits for nothing; one with entries first applies all accepted facts.
    expect([await statuses(environment, "ann"), await waiting(environment, "ann")]).toEqual([{ first: "InProgress" }, 1]);
    const more = await environmentWith({ key: "first", objectives: [order(1)] }, { key: "rich", objectives: [order(9)], audience: RICH });
    await read(more, "ann");
    await importMore(more);
    await send(more, "ann", "tea");
    const current = (await loadEnvironment(database.sql, more.id)) as Environment;
    expect(await statuses(current, "ann")).toEqual({ first: "Completed", rich: "InProgress", later: "InProgress" });
  });

  test("an accept does not count facts accepted later, and counts those before it", async () => {
    const environment = await environmentWith(
      { key: "manual", optIn: "Manual", objectives: [order(2)] },
      { key: "first", objectives: [order(1)] },
    );
    await read(environment, "ann");
    await send(environment, "ann", "tea");
    await acceptMission(database, environment, "ann", "manual");
    expect([await statuses(environment, "ann"), await waiting(environment, "ann")]).toEqual([
      { manual: "InProgress", first: "Completed" },
      0,
    ]);
    await send(environment, "ann", "tea");
    await drainFacts(database, environment.id);
    expect((await read(environment, "ann"))[0]?.objectives[0]?.progress.actual).toEqual({ type: "number", value: 1 });
  });
});

async function importMore(environment: Environment) {
  const later = { key: "later", name: "Later", rewards: points(1), objectives: [order(9)] };
  const result = await importDefinitions(database, environment, { version: 1, missions: [later] });
  expect(result).not.toHaveProperty("problems");
}

describe("no waiting for other players", () => {
  test("a slice that waits for one player has not claimed the facts of another", async () => {
    const environment = await environmentWith(GOLDEN_ORDER);
    // Two players of one lane; the slice locks them in key order.
    const inLane = Array.from({ length: 40 }, (_, at) => `p${at}`)
      .map((externalId) => ({ externalId, ...playerKey(environment.id, externalId) }))
      .filter(({ part }) => laneOf(part).first === 0)
      .sort((a, b) => a.part - b.part);
    const [first, second] = [inLane[0]!, inLane[1]!];
    for (const { externalId } of [first, second]) {
      await be(environment, externalId, "gold");
      await read(environment, externalId);
      await send(environment, externalId, "tea");
    }
    let slice: Promise<unknown> = Promise.resolve();
    await database.sql.begin(async (tx) => {
      await lockPlayer(tx, first);
      slice = workLaneOf(environment, first.externalId);
      await untilSomebodyWaits();
      await be(environment, second.externalId, "silver");
      expect(await waiting(environment, second.externalId)).toBe(0);
    });
    await slice;
    await drainFacts(database, environment.id);
    for (const { externalId } of [first, second]) expect(await statuses(environment, externalId)).toEqual({ golden: "Completed" });
    expect(await checkIntegrity(database, environment)).toEqual([]);
  });

  test.skipIf(isSpread())("while another session holds a player's row, writes of it fail, and all else goes on", async () => {
    const held = await environmentWith(GOLDEN_ORDER);
    const other = await environmentWith(GOLDEN_ORDER);
    for (const environment of [held, other]) await send(environment, "ann", "tea");
    const [lane, pacing] = [stateOf(EVERY_LANE), new Pacing()];
    lane.failed = held.id;
    // Its limit stands in for the ten seconds.
    const address = new URL(databaseUrl(inject("databases").url, database.sql.options.database));
    address.searchParams.set("lock_timeout", "500");
    const hasty = openDatabase(address.href);
    onTestFinished(hasty.close);
    const sizes = { version: 1, attributes: [{ key: "size", name: "Size", type: "String" }] };
    await database.sql.begin(async (tx) => {
      await lockPlayer(tx, playerKey(held.id, "ann"));
      await expect(workOnce({ database: hasty }, pacing, lane)).rejects.toMatchObject({ code: "55P03" });
      const write = writeAttributes(hasty, held, { playerId: "ann", attributes: { tier: "gold" } }, []);
      await expect(write).rejects.toMatchObject({ code: "55P03" });
      expect(await importDefinitions(hasty, held, sizes)).not.toHaveProperty("problems");
      while ((await waiting(other, "ann")) > 0) await workOnce({ database: hasty }, pacing, lane);
      expect(await waiting(held, "ann")).toBe(1);
    });
    await drainFacts(database, held.id);
    expect(await checkIntegrity(database, held)).toEqual([]);
  });

  test("a transaction that folds waits ten seconds for a lock, or as long as it has said itself", async () => {
    const environment = await environmentWith();
    const limits = await database.sql.begin(async (tx) => {
      const limit = async () => {
        await lockShared(tx, environment.id);
        return (await tx<{ limit: string }[]>`select current_setting('lock_timeout') as "limit"`)[0]!.limit;
      };
      const given = await limit();
      await tx`set local lock_timeout = '2s'`;
      return [given, await limit()];
    });
    expect(limits).toEqual(["10s", "2s"]);
  });

  test("the server ends a transaction that holds what folds wait for, and has stood still for half a minute", async () => {
    const environment = await environmentWith();
    for (const lock of [lockShared, lockExclusive, lockRangesExclusive]) {
      const [{ limit }] = await database.sql.begin(async (tx): Promise<[{ limit: string }]> => {
        await lock(tx, environment.id);
        return tx`select current_setting('idle_in_transaction_session_timeout') as "limit"`;
      });
      expect(limit).toBe("30s");
    }
  });

  test("a write applies only its own player's waiting facts, not a longer queue", async () => {
    const environment = await environmentWith(GOLDEN_ORDER);
    const others = Array.from({ length: 30 }, (_, at) => `other${at}`);
    for (const other of others) await send(environment, other, ...Array.from({ length: 100 }, () => "tea"));
    await send(environment, "ann", "tea");
    await be(environment, "ann", "gold");
    const left = await database.sql<{ count: number }[]>`select count(*) from queued_facts where environment_id = ${environment.id}`;
    expect([left[0]?.count, await waiting(environment, "ann")]).toEqual([3_000, 0]);
  });

  test("more facts than one transaction takes are applied in several, all before the write", async () => {
    const environment = await environmentWith({ key: "many", objectives: [{ all: [order(2_500), tierIs("gold")] }] });
    await be(environment, "ann", "gold");
    await read(environment, "ann");
    for (let batch = 0; batch < 5; batch++) await send(environment, "ann", ...Array.from({ length: 500 }, () => "tea"));
    // On a busy machine it may take several requests; none overtakes earlier facts.
    while ((await be(environment, "ann", "silver").catch((error: { code?: string }) => error.code)) === "service.unavailable")
      await delay(1);
    expect([await statuses(environment, "ann"), await waiting(environment, "ann")]).toEqual([{ many: "Completed" }, 0]);
  });
});

test.each([2, 900])("a waiting fact whose fold fails, after %i others, is quarantined, and the write proceeds", async (others) => {
  const where = { property: "drink", operator: "NotEqualTo", value: "water" };
  const environment = await environmentWith({ key: "three", objectives: [{ all: [order(others + 1, { where }), tierIs("gold")] }] });
  await be(environment, "ann", "gold");
  await read(environment, "ann");
  await send(environment, "ann", ...Array.from({ length: others }, () => "tea"), "bad", "tea");
  const key = playerKey(environment.id, "ann");
  // The properties are no object, so reading one fails.
  await database.sql`
    update queued_facts set payload = 'null'::json where part = ${key.part} and player_id = ${key.playerId} and payload ->> 'drink' = 'bad'`;
  // Each try to apply what waits takes a position. The failing fact is found by halving, not by applying one after the other.
  const position = () => onlyValue(database.sql<{ seq: number }[]>`select nextval('fact_seq') as seq`);
  const before = await position();
  // On a busy machine it may take several requests.
  while ((await be(environment, "ann", "silver").catch((error: { code?: string }) => error.code)) === "service.unavailable") await delay(1);
  expect((await position()) - before).toBeLessThan(500);
  expect(await statuses(environment, "ann")).toEqual({ three: "Completed" });
  expect(await database.sql`select from quarantined_facts where environment_id = ${environment.id}`).toHaveLength(1);
  // The earlier facts are applied in several transactions; their day is counted once.
  expect((await checkIntegrity(database, environment)).filter((finding) => finding.includes("analytics"))).toEqual([]);
});

/** Waits until a transaction is blocked by another's row lock. */
async function untilSomebodyWaits(): Promise<void> {
  const waits = () => database.sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%queued_facts%'`;
  while ((await waits()).length === 0) await delay(2);
}

type Act = { kind: "send"; drinks: string[] } | { kind: "be"; tier: string } | { kind: "accept" } | { kind: "read" };

const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.constantFrom("tea", "mocha", "latte"), { minLength: 1, maxLength: 3 })
      .map((drinks) => ({ kind: "send" as const, drinks })),
  },
  { weight: 3, arbitrary: fc.constantFrom("gold", "silver").map((tier) => ({ kind: "be" as const, tier })) },
  fc.constant({ kind: "accept" as const }),
  { weight: 2, arbitrary: fc.constant({ kind: "read" as const }) },
);

/** A read without entries uses the applied facts; waiting ones do not decide eligibility (README). */
const MISSIONS = [
  { key: "golden", objectives: [{ all: [order(2), tierIs("gold")] }] },
  { key: "steps", objectiveOrder: "InOrder", objectives: [order(1), tierIs("silver"), order(2), tierIs("gold")] },
  { key: "manual", optIn: "Manual", objectives: [order(3)] },
  { key: "vip", objectives: [order(3)], audience: { rule: { attribute: "tier", operator: "EqualTo", value: "gold" } } },
  { key: "drinks", objectives: [order(3, { measure: { kind: "DistinctCount", property: "drink" } })] },
  { key: "daily", recurrence: { kind: "Calendar", every: "Day" }, objectives: [order(4)] },
  { key: "never", objectives: [order(1_000)] },
];

test("sequential requests have the same outcome with any workers beside them", async () => {
  const environment = await environmentWith(...MISSIONS);
  const act = async (externalId: string, one: Act): Promise<void> => {
    if (one.kind === "send") await send(environment, externalId, ...one.drinks);
    else if (one.kind === "be") await be(environment, externalId, one.tier);
    else if (one.kind === "read") await read(environment, externalId);
    else await acceptMission(database, environment, externalId, "manual").catch(() => {});
  };
  const outcome = async (externalId: string) => {
    // If one fact completes several missions, their ids decide the order, which differs from player to player.
    const listed = (await read(environment, externalId)).toSorted((a, b) => (a.missionKey < b.missionKey ? -1 : 1));
    const rows = listed.map(({ missionKey, status, occurrenceNumber, objectives }) => ({
      missionKey,
      status,
      occurrenceNumber: missionKey === "daily" ? null : occurrenceNumber,
      objectives: objectives.map(({ isSatisfied, progress }) => [isSatisfied, progress.actual]),
    }));
    const { part, playerId } = playerKey(environment.id, externalId);
    const grants = await database.sql`select amount from points_transactions where part = ${part} and player_id = ${playerId}`;
    return { rows, granted: grants.length, attributes: await readAttributes(database, environment, externalId) };
  };
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { maxLength: 14 }), fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 6 }), async (all, limits) => {
      run++;
      const [beside, alone] = [`beside${run}`, `alone${run}`];
      for (const one of all) {
        await act(alone, one);
        await drainFacts(database, environment.id);
      }
      let isOver = false;
      // Workers that now and then apply some facts, never all of them before the next request.
      const workers = limits.map(async (limit) => {
        while (!isOver) {
          await workLaneOf(environment, beside, limit);
          await delay(limit);
        }
      });
      for (const one of all) await act(beside, one);
      isOver = true;
      await Promise.all(workers);
      await drainFacts(database, environment.id);
      expect(await outcome(beside)).toEqual(await outcome(alone));
    }),
    { numRuns: 25 },
  );
  expect(await checkIntegrity(database, environment)).toEqual([]);
});

test("concurrent writers of one player, beside workers, lose nothing and count nothing twice", async () => {
  const environment = await environmentWith(...MISSIONS);
  await read(environment, "ann");
  let isOver = false;
  const workers = lanesOf(DEFAULT_LANES).map(async (lane, index) => {
    while (!isOver) {
      await workSlice(database, lane, environment.id - 1, 1 + index);
      await delay(1);
    }
  });
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    for (let round = 0; round < 12; round++) {
      if (writer === 0) await be(environment, "ann", round % 2 === 0 ? "gold" : "silver");
      else if (writer === 1) await read(environment, "ann");
      else if (writer === 2) await acceptMission(database, environment, "ann", "manual");
      else await send(environment, "ann", "tea");
    }
  });
  await Promise.all(writers);
  isOver = true;
  await Promise.all(workers);
  await drainFacts(database, environment.id);
  const never = (await read(environment, "ann")).find(({ missionKey }) => missionKey === "never");
  expect(never?.objectives[0]?.progress.actual).toEqual({ type: "number", value: 36 });
  expect(await checkIntegrity(database, environment)).toEqual([]);
});
