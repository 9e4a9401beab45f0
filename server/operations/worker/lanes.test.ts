import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { tryLane } from "../../engine/store/locks.ts";
import { countWaiting } from "../../engine/store/queue.ts";
import { ingest } from "../../game/events/service.ts";
import { checkIntegrity } from "../integrity/check.ts";
import type { WorkObserver } from "../../model/kernel/monitoring.ts";
import { EVERY_LANE, FINE_LANE, fineLaneOf, lanesOf } from "../../model/kernel/lanes.ts";
import { settlePeriods } from "../../game/leaderboards/settlement/settle.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { playerKey } from "../../model/players/identity.ts";
import { testCipher } from "../../delivery/testing.ts";
import { drainFacts } from "./drain-facts.ts";
import { startFacts } from "./facts.ts";
import { readLanes, setLanes } from "../../engine/store/installation.ts";
import { workSlice } from "./slice.ts";
import { countQuarantined } from "./store.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await testDatabase();
const { sql } = database;
const logger = { warn: () => {}, error: () => expect.unreachable("a lane failed") };

test("the number of lanes is a power of two up to 64; any other is refused with a message", async () => {
  expect(await readLanes(database)).toBe(4);
  for (const wrong of [0, 3, 128, 1.5, NaN]) {
    await expect(setLanes(database, wrong)).rejects.toThrow(`The number of lanes is one of 1, 2, 4, 8, 16, 32, 64.`);
  }
  expect(await readLanes(database)).toBe(4);
});

test("a worker gets the part of its lane that no other holds, whatever number of lanes the other uses", async () => {
  const held = await sql.begin(async (older) => [
    await tryLane(older, lanesOf(4)[1]!),
    ...(await sql.begin(async (newer) => [await tryLane(newer, lanesOf(8)[3]!), await tryLane(newer, lanesOf(2)[0]!)])),
  ]);
  const upTo = (last: number) => Array.from({ length: last }, (_, lane) => lane);
  expect(held).toEqual([upTo(32).slice(16), [], upTo(16)]);
});

test("while the number of lanes changes, and workers disagree on it, each player's facts are applied once and in order", async () => {
  const { live: environment } = await testProject(database);
  const objectives = [{ event: "order", operator: "GreaterThanOrEqualTo", target: 1e6 }];
  const never = { key: "never", name: "Never", objectives, rewards: [{ kind: "Points", points: 1 }] };
  const result = await importDefinitions(database, environment, {
    version: 1,
    events: [{ key: "order", name: "Order" }],
    missions: [never],
  });
  expect(result).not.toHaveProperty("problems");
  const players = Array.from({ length: 40 }, (_, at) => `p${at}`);
  const feed = (externalId: string) =>
    readMissions(database, environment, Date.now(), { externalId, take: null, includeCompleted: true, language: null });
  await Promise.all(players.map(feed));
  // Facts within a slice are applied in order; slices are distinguished by their transactions.
  await sql
    .unsafe(`
    create table taken (place bigserial, slice xid8 not null default pg_current_xact_id(), player_id uuid not null, seq bigint not null);
    create function note_taken() returns trigger language plpgsql as $$
      begin insert into taken (player_id, seq) values (old.player_id, old.seq); return null; end $$;
    create trigger note_taken after delete on queued_facts for each row execute function note_taken()`)
    .simple();

  let isOver = false;
  const context = { database, logger, allowPrivateAddresses: true, cipher: testCipher, onEffects: () => {}, onLook: () => {} };
  const workers = [startFacts(context), startFacts(context)];
  const disagreeing = [2, 32].map(async (count) => {
    while (!isOver) for (const lane of lanesOf(count)) await workSlice(database, lane, 0, 7);
  });
  const changing = (async () => {
    for (let at = 0; !isOver; at++) {
      await setLanes(database, [64, 1, 16, 4, 32][at % 5]!);
      for (const worker of workers) worker.wake();
      await delay(5);
    }
  })();
  const ROUNDS = 30;
  for (let round = 0; round < ROUNDS; round++) {
    const items = players.map((playerId) => ({ playerId, event: "order", occurredAt: new Date().toISOString() }));
    await ingest(database, environment, { items, mayHoldBadText: false, now: Date.now() });
  }
  await drainFacts(database, environment.id);
  isOver = true;
  await Promise.all([changing, ...disagreeing, ...workers.map((worker) => worker.stop())]);

  const progress = (await Promise.all(players.map(feed))).map(([row]) => row?.objectives[0]?.progress.actual);
  expect(progress).toEqual(players.map(() => ({ type: "number", value: ROUNDS })));
  const [row] = await sql<{ taken: number; slices: number; overtaken: number }[]>`
    select count(*)::int as taken, count(distinct slice)::int as slices, (
      select count(*)::int from taken a join taken b on a.player_id = b.player_id and a.slice <> b.slice and a.place < b.place and a.seq > b.seq
    ) as overtaken from taken`;
  expect(row).toEqual({ taken: players.length * ROUNDS, slices: expect.any(Number), overtaken: 0 });
  expect(row!.slices).toBeGreaterThan(10);
  expect(await checkIntegrity(database, environment)).toEqual([]);
});

test("a slice takes no fact of a fine lane that another worker holds", async () => {
  const { live: environment } = await testProject(database);
  const imported = await importDefinitions(database, environment, { version: 1, events: [{ key: "order", name: "Order" }] });
  expect(imported).not.toHaveProperty("problems");
  const names = Array.from({ length: 20 }, (_, at) => `p${at}`);
  const held = names.filter((name) => fineLaneOf(playerKey(environment.id, name).part) >> 4 === 1).length;
  const items = names.map((playerId) => ({ playerId, event: "order", occurredAt: new Date().toISOString() }));
  await ingest(database, environment, { items, mayHoldBadText: false, now: Date.now() });
  const slice = async () => (await workSlice(database, EVERY_LANE, 0))?.count;
  await sql.begin(async (other) => {
    await tryLane(other, lanesOf(4)[1]!);
    expect(await slice()).toBe(20 - held);
  });
  expect([held > 0, await slice()]).toEqual([true, held]);
});

test("draining an environment's queue beside the workers takes no facts of others, and quarantines a failing one", async () => {
  const [{ sandbox: own }, { live: other }] = [await testProject(database), await testProject(database)];
  const send = async (environment: typeof own, playerId: string) => {
    const imported = await importDefinitions(database, environment, { version: 1, events: [{ key: "order", name: "Order" }] });
    expect(imported).not.toHaveProperty("problems");
    const items = [{ playerId, event: "order", occurredAt: new Date().toISOString() }];
    await ingest(database, environment, { items, mayHoldBadText: false, now: Date.now() });
  };
  await send(own, "ann");
  await send(other, "bob");
  const { part } = playerKey(own.id, "ann");
  await sql`
    insert into queued_facts (lane, environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at)
    values (${fineLaneOf(part)}, ${own.id}, nextval('fact_seq'), ${part}, gen_random_uuid(), 'event', gen_random_uuid(), 0, now(), now())`;
  const draining = await sql.begin(async (worker) => {
    expect(await tryLane(worker, { first: fineLaneOf(part), last: fineLaneOf(part) })).toHaveLength(1);
    const begun = drainFacts(database, own.id);
    await delay(300);
    return { begun };
  });
  await draining.begun;
  expect([await countWaiting(sql, own.id), await countQuarantined(sql, own.id), await countWaiting(sql, other.id)]).toEqual([0, 1, 1]);
  await drainFacts(database, other.id);
});

test("a busy worker does not keep polling a lane that another one holds", async () => {
  await setLanes(database, 4);
  const { live: environment } = await testProject(database);
  expect(await importDefinitions(database, environment, { version: 1, events: [{ key: "order", name: "Order" }] })).not.toHaveProperty(
    "problems",
  );
  const names = Array.from({ length: 100 }, (_, at) => `p${at}`);
  const [busy, held] = [0, 1].map((lane) => names.find((name) => fineLaneOf(playerKey(environment.id, name).part) >> 4 === lane)!);
  const { part, playerId } = playerKey(environment.id, busy!);
  const query = { externalId: busy!, take: null, includeCompleted: true, language: null };
  await readMissions(database, environment, Date.now(), query);
  const items = [busy!, held!].map((name) => ({ playerId: name, event: "order", occurredAt: new Date().toISOString() }));
  let looks = 0;
  const context = { database, logger, allowPrivateAddresses: true, cipher: testCipher, onEffects: () => {}, onLook: () => (looks += 1) };
  const worker = await sql.begin(async (other) => {
    expect(await tryLane(other, lanesOf(4)[1]!)).toHaveLength(16);
    expect((await other`select from players where part = ${part} and player_id = ${playerId} for update`).count).toBe(1);
    await ingest(database, environment, { items, mayHoldBadText: false, now: Date.now() });
    const starting = startFacts(context);
    await delay(1_000);
    return starting;
  });
  expect(looks).toBeLessThan(30);
  await drainFacts(database, environment.id);
  await worker.stop();
});

test("few facts are one slice, whatever their lanes; many are worked lane by lane", async () => {
  const { live: environment } = await testProject(database);
  const imported = await importDefinitions(database, environment, { version: 1, events: [{ key: "order", name: "Order" }] });
  expect(imported).not.toHaveProperty("problems");
  const slices: number[] = [];
  const observer = { sliceApplied: ({ facts }: { facts: number }) => void slices.push(facts) } as unknown as WorkObserver;
  const worker = startFacts({
    ...{ database, logger, observer, allowPrivateAddresses: true, cipher: testCipher },
    ...{ onEffects: () => {}, onLook: () => {} },
  });
  const slicesOf = async (count: number) => {
    const items = Array.from({ length: count }, (_, at) => ({ playerId: `p${at}`, event: "order", occurredAt: new Date().toISOString() }));
    await worker.idle();
    slices.length = 0;
    await ingest(database, environment, { items, mayHoldBadText: false, now: Date.now() });
    await expect.poll(() => slices.reduce((sum, size) => sum + size, 0)).toBe(count);
    return slices.length;
  };
  expect(await slicesOf(20)).toBe(1);
  expect(await slicesOf(300)).toBeGreaterThanOrEqual(4);
  await worker.stop();
});

test("while few facts of all lanes are applied, wakes look for no others; facts that came meanwhile are next", async () => {
  const { live: environment } = await testProject(database);
  const imported = await importDefinitions(database, environment, { version: 1, events: [{ key: "order", name: "Order" }] });
  expect(imported).not.toHaveProperty("problems");
  const send = (...names: string[]) => {
    const items = names.map((playerId) => ({ playerId, event: "order", occurredAt: new Date().toISOString() }));
    return ingest(database, environment, { items, mayHoldBadText: false, now: Date.now() });
  };
  const names = Array.from({ length: 20 }, (_, at) => `p${at}`);
  const { part, playerId } = playerKey(environment.id, names[0]!);
  let [looks, applied] = [0, 0];
  const observer = { sliceApplied: ({ facts }: { facts: number }) => void (applied += facts) } as unknown as WorkObserver;
  const worker = startFacts({
    ...{ database, logger, observer, allowPrivateAddresses: true, cipher: testCipher },
    ...{ onEffects: () => {}, onLook: () => (looks += 1) },
  });
  await send(...names);
  await expect.poll(() => applied).toBe(20);
  await worker.idle();
  const during = await sql.begin(async (other) => {
    expect((await other`select from players where part = ${part} and player_id = ${playerId} for update`).count).toBe(1);
    await send(...names);
    worker.wake();
    const waits = () => other`select from pg_locks where not granted and locktype = 'transactionid'`;
    await expect.poll(async () => (await waits()).count).toBe(1);
    const before = { looks, at: performance.now() };
    // The slice gives up after two seconds at most.
    while (performance.now() - before.at < 1_000) {
      worker.wake();
      await delay(10);
    }
    const polls = Math.ceil((performance.now() - before.at) / 100);
    await send(...names);
    return (looks - before.looks) / polls;
  });
  expect(during, "it looks at its polls, and no more").toBeLessThan(2);
  await expect.poll(() => applied).toBe(60);
  await worker.stop();
});

test("the process and the database agree on the fine lane of every part", async () => {
  const rows = await sql<
    { lane: number }[]
  >`select ${sql.unsafe(FINE_LANE)} as lane from generate_series(0, 1023) g cross join lateral (select g::smallint as part) p order by g`;
  expect(rows.map(({ lane }) => lane)).toEqual(Array.from({ length: 1024 }, (_, part) => fineLaneOf(part)));
});

test("facts queued by older code wait in their player's fine lane, and no period settles before they are applied", async () => {
  const { live: environment } = await testProject(database);
  const board = {
    key: "orders",
    name: "Orders",
    scoreSource: "Event",
    event: "order",
    rankOrder: "HighestFirst",
    period: { kind: "AllTime" },
  };
  const definitions = { version: 1, events: [{ key: "order", name: "Order" }], leaderboards: [board] };
  expect(await importDefinitions(database, environment, definitions)).not.toHaveProperty("problems");
  await sql`update leaderboard_periods set settles_at = now(), due_at = now() where environment_id = ${environment.id}`;
  const [part, older, fine] = [300, 300 >> 4, fineLaneOf(300)];
  expect(older).not.toBe(fine);
  await sql`
    insert into queued_facts (lane, environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at)
    values (${older}, ${environment.id}, 1, ${part}, gen_random_uuid(), 'event', gen_random_uuid(), 0, now(), now() - interval '1 minute')`;
  const waiting = () => sql<{ lane: number }[]>`select lane from queued_facts where environment_id = ${environment.id}`;
  expect(await waiting()).toEqual([{ lane: fine }]);
  // Queued before the migration.
  await sql`update queued_facts set lane = ${older} where environment_id = ${environment.id}`;
  await sql.unsafe(readFileSync(new URL("../../../db/migrations/0020_lanes_of_shards.sql", import.meta.url), "utf8"));
  expect(await waiting()).toEqual([{ lane: fine }]);
  expect(await settlePeriods(database, environment.id)).toBe(0);
  await sql`delete from queued_facts where environment_id = ${environment.id}`;
  expect(await settlePeriods(database, environment.id)).toBe(1);
  // The service has looked: a trigger would pass over all facts applied since the last vacuum, under the environment's lock.
  expect([...(await sql`select tgname from pg_trigger where tgrelid = 'leaderboard_periods'::regclass and not tgisinternal`)]).toEqual([]);
});
