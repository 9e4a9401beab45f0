import { afterAll, expect, test } from "vitest";
import { type Database, openDatabase, isUnavailable } from "#db/client.ts";
import { tablesWhere } from "#db/tables.ts";
import { testDatabase, testDatabaseUrl, testProject } from "#db/testing.ts";
import { authenticate, keyHash } from "../../people/api-keys/authenticate.ts";
import { hasWaiting } from "../../engine/store/queue.ts";
import { ingest } from "../../game/events/service.ts";
import { checkIntegrity } from "../integrity/check.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { purchase } from "../../game/marketplace/service/shop.ts";
import { takeMetricEvent } from "../../game/metrics/service.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import { adjustPoints } from "../../game/points/service.ts";
import { createEndpoint } from "../../delivery/service/endpoints.ts";
import { testCipher } from "../../delivery/testing.ts";
import { drainFacts } from "../worker/drain-facts.ts";
import { startFacts } from "../worker/facts.ts";
import { until } from "#db/testing/work.ts";
import { moveClock } from "./move-clock.ts";
import { resetSandbox } from "./reset.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { loadEnvironment } from "../../engine/environment.ts";

const database = await testDatabase();
const { sql } = database;

const DEFINITIONS = {
  version: 1,
  marketplaceItems: [{ key: "voucher", name: "Voucher", priceInPoints: 0, contents: [{ catalogItem: "coffee", value: 1 }] }],
  events: [{ key: "order_placed", name: "Order placed", properties: [{ key: "drink", type: "String" }] }],
  metrics: [{ key: "steps", name: "Steps", kind: "Number" }],
  leaderboards: [
    { key: "orders", name: "Orders", scoreSource: "Event", event: "order_placed", rankOrder: "HighestFirst", period: { kind: "AllTime" } },
    { key: "levels", name: "Levels", scoreSource: "Attribute", attribute: "level", rankOrder: "HighestFirst", period: { kind: "AllTime" } },
  ],
  attributes: [{ key: "level", name: "Level", type: "Number" }],
  streaks: [{ key: "daily", name: "Daily", event: "order_placed", cadence: "Day" }],
  catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
  missions: [
    {
      key: "two",
      name: "Two orders",
      objectives: [
        { event: "order_placed", operator: "GreaterThanOrEqualTo", target: 2 },
        {
          event: "order_placed",
          operator: "GreaterThanOrEqualTo",
          target: 2,
          measure: { kind: "DistinctCount", property: "drink" },
        },
      ],
      rewards: [
        { kind: "Points", points: 30 },
        { kind: "CatalogItem", catalogItem: "coffee", value: 1 },
      ],
    },
    {
      key: "nine",
      name: "Nine orders",
      objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 9 }],
      rewards: [{ kind: "Points", points: 90 }],
    },
  ],
};

/** The Sandbox of the test's own project, with definitions and a webhook endpoint. */
async function coffeeShop() {
  const project = await testProject(database);
  expect(await importDefinitions(database, project.sandbox, DEFINITIONS)).not.toHaveProperty("problems");
  await createEndpoint(
    database,
    project.sandbox,
    { url: "http://127.0.0.1:9/hooks", events: ["mission.completed", "catalog_item.fulfillment_requested"] },
    { allowPrivateAddresses: true, cipher: testCipher },
  );
  return { ...project, sandbox: await current(project.sandbox) };
}

const current = async ({ id }: Environment) => (await loadEnvironment(sql, id)) as Environment;

const read = (environment: Environment, externalId: string) =>
  readMissions(database, environment, Date.now(), { externalId, take: null, includeCompleted: true, language: null });

const DRINKS = ["latte", "mocha"];

/** Two orders per player, with the same idempotency keys each time. */
const send = (environment: Environment, ...players: string[]) =>
  ingest(database, environment, {
    items: players.flatMap((playerId) =>
      DRINKS.map((drink) => ({
        playerId,
        event: "order_placed",
        occurredAt: "2026-01-31T09:00:00Z",
        idempotencyKey: drink,
        properties: { drink },
      })),
    ),
    mayHoldBadText: false,
    now: Date.now(),
  });

const adjust = (environment: Environment, externalId: string) =>
  adjustPoints(database, environment, Date.now(), { externalId, amount: 5, reason: "test", idempotencyKey: "k" });

/** A metric event of a player. */
const walk = (environment: Environment, externalId: string, process = database) =>
  takeMetricEvent(process, environment, Date.now(), {
    externalId,
    metricKey: "steps",
    value: 5,
    currencyCode: null,
    exchangeRate: null,
    idempotencyKey: null,
    occurredAt: 0,
    properties: {},
    timeZone: null,
  });

/** A player with a completed mission, its points, owed items and deliveries, and missions in progress. */
async function play(environment: Environment, playerId: string): Promise<void> {
  await read(environment, playerId);
  await send(environment, playerId);
  await drainFacts(database, environment.id);
  await adjust(environment, playerId);
}

/** A row of the environment's players in every table that play leaves empty, and waiting facts. */
async function fillUp(environment: Environment): Promise<void> {
  const { id } = environment;
  await sql`
    insert into webhook_attempts (delivery_id, number, started_at, duration_ms)
    select id, 1, now(), 1 from webhook_deliveries where environment_id = ${id}`;
  await sql`
    insert into webhook_answers (delivery_id, number, started_at, headers, body, is_cut)
    select id, 1, now(), '{}', '', false from webhook_deliveries where environment_id = ${id}`;
  await sql`
    insert into quarantined_facts (environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, error)
    select environment_id, seq, part, player_id, 'event', id, definition_id, occurred_at, received_at, 'test' from events where environment_id = ${id}`;
  await sql`insert into anonymous_owners (environment_id, part, player_id) values (${id}, 0, gen_random_uuid())`;
  await sql`insert into attribute_values (part, player_id, attribute_id, value, occurred_at) select part, player_id, 0, '1', now() from players where environment_id = ${id}`;
  await sql`insert into rollups (part, player_id, rollup_id, bucket, reading) select part, player_id, 0, '', '1' from players where environment_id = ${id}`;
  for (const [table, columns, values] of [
    ["leaderboard_contributions", "team_key, score, reached_seq", "'ams', 1, 1"],
    ["leaderboard_seats", "first_seq", "1"],
  ])
    await sql.unsafe(
      `insert into ${table} (part, player_id, period_id, ${columns})
       select p.part, p.player_id, l.id, ${values} from players p join leaderboard_periods l using (environment_id) where environment_id = ${id}`,
    );
  await sql`
    insert into streak_beginnings (part, player_id, streak_id, start, environment_id, due_at)
    select part, player_id, 0, '9999-01-01', environment_id, '9999-01-01' from players where environment_id = ${id}`;
  await sql`insert into leaderboard_tiers (part, player_id, leaderboard_id, tier) select part, player_id, 0, 1 from players where environment_id = ${id}`;
  await sql`
    insert into segment_counts (segment_id, environment_id, rule, definitions_version, clock_offset_ms) values (${-id}, ${id}, 'a rule', 0, 0)`;
  await sql`insert into segment_members (segment_id, generation, part, player_id) select ${-id}, 1, part, player_id from players where environment_id = ${id}`;
  await sql`
    insert into analytics_daily (environment_id, epoch, measure, day, count) values (${id}, 1, 'event', '2026-01-31', 1)`;
  await sql`
    insert into analytics_hourly (environment_id, measure, subject, day, hour, count, amount) values (${id}, 'completed', 1, '2026-01-31', 0, 1, 0)`;
  await sql`
    insert into analytics_webhooks (environment_id, endpoint_id, quarter, attempts, delivered, retries, latencies)
    values (${id}, gen_random_uuid(), '2026-01-31', 1, 1, 0, '{1}')`;
  await sql`
    insert into analytics_snapshots (environment_id, kind, subject, day, taken_at) values (${id}, 'Balances', 0, '2026-01-31', now())`;
  await sql`
    insert into request_log (environment_id, id, at, key_id, method, status, duration_ms, trace_id, body_length)
    values (${id}, gen_random_uuid(), now(), gen_random_uuid(), 'GET', 200, 1, '', 0)`;
  await sql`
    insert into event_tail (environment_id, request_id, position, at, received_at, key_id, trace_id, is_metric)
    values (${id}, gen_random_uuid(), 0, now(), now(), gen_random_uuid(), '', false)`;
  await sql`
    insert into event_effects (environment_id, seq, part, player_id, definitions_version, moved) values (${id}, 1, 0, gen_random_uuid(), 0, '{}')`;
  await sql`
    insert into request_log_omissions (environment_id, minute, successes, errors, accepted_items, refused_items)
    values (${id}, now(), 1, 1, 1, 1)`;
  await sql`
    insert into webhook_copies (id, listener_id, environment_id, event, data, occurred_at)
    values (gen_random_uuid(), gen_random_uuid(), ${id}, 'mission.completed', '{}', now())`;
  await sql`
    insert into backtests (environment_id, kind, key, document, along, fingerprint, days, entry, sample, created_by, status)
    values (${id}, 'missions', 'tried', '', '[]', '', 30, 'WindowStart', 100, 'somebody', 'Done')`;
  await sql`
    with one as (
      insert into imports (id, environment_id, kind, format, file_name, created_by) values (gen_random_uuid(), ${id}, 'events', 'csv', '', '') returning id
    ), pieces as (insert into import_pieces (import_id, number, environment_id, text) select id, 0, ${id}::int, '' from one)
    insert into import_lines (import_id, line, environment_id, external_id, occurred_at, fingerprint, ordinal, item)
    select id, 1, ${id}::int, '', now(), id, 0, '{}' from one`;
  await purchase(database, environment, Date.now(), { externalId: "ann", listingKey: "voucher", idempotencyKey: null });
  await walk(environment, "ann");
  await send(environment, "waiting");
}

/** An environment's row count per table. */
async function rowsOf({ id }: Environment): Promise<Record<string, number>> {
  const columns = await sql<{ table: string; column: string }[]>`
    select table_name as "table", column_name as "column" from information_schema.columns where table_schema = 'public'`;
  const has = (table: string, column: string) => columns.some((one) => one.table === table && one.column === column);
  const counts: Record<string, number> = {};
  for (const table of new Set(columns.map((one) => one.table))) {
    const where = has(table, "environment_id")
      ? `environment_id = ${id}`
      : has(table, "player_id")
        ? `player_id in (select player_id from players where environment_id = ${id})`
        : has(table, "period_id")
          ? `period_id in (select id from leaderboard_periods where environment_id = ${id})`
          : has(table, "delivery_id")
            ? `delivery_id in (select id from webhook_deliveries where environment_id = ${id})`
            : "false";
    const [row] = await sql.unsafe<{ count: number }[]>(`select count(*) as count from ${table} where ${where}`);
    counts[table] = row!.count;
  }
  return counts;
}

const gone = [...tablesWhere({ reset: "emptied" }), ...tablesWhere({ reset: "own" })];
/** Leaderboards are as at their creation: a period each, and a range for its scores. */
const emptied = [...gone, ...tablesWhere({ reset: "anew" })];

test("a reset deletes players, events and all they caused; definitions, keys, endpoints, clock and others' data stay", async () => {
  const { sandbox, live, sandboxKey } = await coffeeShop();
  const neighbour = await coffeeShop();
  await importDefinitions(database, live, DEFINITIONS);
  await moveClock(database, sandbox, "P1D");
  const all = [sandbox, await current(live), neighbour.sandbox];
  for (const environment of all) await play(environment, "ann");
  for (const environment of all) await fillUp(environment);
  const before = await rowsOf(sandbox);
  const others = [await rowsOf(live), await rowsOf(neighbour.sandbox)];
  expect(emptied.filter((table) => before[table] === 0)).toEqual([]);

  expect(await resetSandbox(database, sandbox)).toBe(2);

  const after = { ...before, ...Object.fromEntries(gone.map((table) => [table, 0])) };
  expect(await rowsOf(sandbox)).toEqual({ ...after, audit_log: before.audit_log! + 1 });
  expect([await rowsOf(live), await rowsOf(neighbour.sandbox)]).toEqual(others);
  const { environment } = await authenticate(sql, keyHash(`Bearer ${sandboxKey}`));
  expect(environment).toEqual({ ...sandbox, clockOffsetMs: 86_400_000, resets: 1 });
});

test("afterwards the same external id is a new player with nothing, and an idempotency key can be reused", async () => {
  const { sandbox } = await coffeeShop();
  await play(sandbox, "ann");
  const first = await sql`select id, event from webhook_deliveries where environment_id = ${sandbox.id}`;
  await resetSandbox(database, sandbox);
  const after = await current(sandbox);
  await expect(adjust(after, "ann")).rejects.toMatchObject({ code: "player.not_found" });
  expect((await read(after, "ann")).map(({ missionKey, status }) => [missionKey, status])).toEqual([
    ["two", "InProgress"],
    ["nine", "InProgress"],
  ]);
  await play(after, "ann");
  expect((await read(after, "ann")).map(({ missionKey, status }) => [missionKey, status])).toEqual([
    ["nine", "InProgress"],
    ["two", "Completed"],
  ]);
  const [balance] = await sql`
    select balance, total_granted from balances b join players p using (part, player_id) where p.environment_id = ${sandbox.id}`;
  expect(balance).toEqual({ balance: 35, totalGranted: 30 });
  // Receivers would take a known delivery id for a repeat, and a running attempt must not count for another delivery.
  const second = await sql`select id, event from webhook_deliveries where environment_id = ${sandbox.id}`;
  expect(second.map(({ event }) => event as string).sort()).toEqual(first.map(({ event }) => event as string).sort());
  expect(second.filter(({ id }) => first.some((one) => one["id"] === id))).toEqual([]);
  expect(await checkIntegrity(database, after)).toEqual([]);
});

test("a reset deletes more players than fit in one page", async () => {
  const { sandbox } = await coffeeShop();
  await sql`
    insert into players (part, player_id, environment_id, external_id, created_at)
    select n % 1024, gen_random_uuid(), ${sandbox.id}, 'player ' || n, now() from generate_series(1, 2500) n`;
  expect(await resetSandbox(database, sandbox)).toBe(2500);
  expect((await rowsOf(sandbox))["players"]).toBe(0);
});

test("Live is never reset", async () => {
  const { live } = await coffeeShop();
  await play(await current(live), "ann");
  await expect(async () => resetSandbox(database, live)).rejects.toThrow("Only a Sandbox can be reset");
  expect((await rowsOf(live))["players"]).toBe(1);
});

test("a request that began before a reset trusts no known players: its events are refused as a whole, to be sent again", async () => {
  const { sandbox } = await coffeeShop();
  await send(sandbox, "ann");
  await resetSandbox(database, sandbox);
  await expect(send(sandbox, "ann", "bob")).rejects.toMatchObject({ code: "event_batch.concurrent_update" });
  await expect(walk(sandbox, "ann")).rejects.toMatchObject({ code: "event_batch.concurrent_update" });
  expect(await rowsOf(sandbox)).toMatchObject({ events: 0, metric_events: 0, metric_totals: 0 });
  await send(await current(sandbox), "ann", "bob");
  expect(await rowsOf(sandbox)).toMatchObject({ events: 4, queued_facts: 4, players: 2 });
});

const startWork = (process: Database) =>
  startFacts({
    database: process,
    logger: { error: () => {}, warn: () => {} },
    allowPrivateAddresses: true,
    cipher: testCipher,
    onEffects: () => {},
  });

/** Holds a reset's locks while `meanwhile` runs. */
const duringReset = (environment: Environment, meanwhile: () => Promise<unknown>) =>
  sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(3, ${environment.id})`;
    await meanwhile();
  });

test("during a reset events are refused immediately, others' facts are applied, and long waits are cut short", async () => {
  const { sandbox } = await coffeeShop();
  const neighbour = await coffeeShop();
  const players = Array.from({ length: 20 }, (_, index) => `player ${index}`);
  await send(sandbox, ...players);
  await send(neighbour.sandbox, ...players);
  await duringReset(sandbox, async () => {
    await expect(send(sandbox, "ann")).rejects.toMatchObject({ code: "event_batch.concurrent_update" });
    const worker = startWork(database);
    await until(async () => !(await hasWaiting(sql, neighbour.sandbox.id)));
    await worker.stop();
    const waiting = [
      savePlayer(database, sandbox, Date.now(), "ann", {}),
      adjust(sandbox, "player 1"),
      read(sandbox, "player 2"),
      purchase(database, sandbox, Date.now(), { externalId: "player 3", listingKey: "voucher", idempotencyKey: null }),
    ];
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.map((one) => one.status === "rejected" && isUnavailable(one.reason))).toEqual([true, true, true, true]);
  });
  expect(await rowsOf(sandbox)).toMatchObject({ players: 20, events: 40, queued_facts: 40, mission_states: 0, points_transactions: 0 });
  await drainFacts(database, sandbox.id);
});

/** A customer's backend doing random things in sequence, each as its own request. Retryable refusals are ignored. */
async function doThings(process: Database, sandbox: Environment, isOver: () => boolean, done: () => void): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    const environment = (await loadEnvironment(process.sql, sandbox.id)) as Environment;
    const now = Date.now();
    const externalId = `player ${turn % 7}`;
    const one = { externalId, take: null, includeCompleted: false, language: null };
    const item = {
      playerId: externalId,
      event: "order_placed",
      occurredAt: "2026-01-31T09:00:00Z",
      properties: { drink: `drink ${turn}` },
    };
    const thing = [
      () => ingest(process, environment, { items: [item, { ...item, playerId: "everybody" }], mayHoldBadText: false, now }),
      () => readMissions(process, environment, now, one),
      () => adjustPoints(process, environment, now, { externalId, amount: 1, reason: "test", idempotencyKey: null }),
      () => savePlayer(process, environment, now, externalId, { displayName: "Somebody" }),
      () => walk(environment, externalId, process),
      () => purchase(process, environment, now, { externalId, listingKey: "voucher", idempotencyKey: null }),
    ][(turn >> 1) % 6]!;
    await thing().then(done, (error: { code?: string }) => {
      const isExpected = ["event_batch.concurrent_update", "player.not_found"].includes(error.code ?? "") || isUnavailable(error);
      if (!isExpected) throw error;
    });
  }
}

test("resets during events, reads and adjustments of several processes leave no row without its player", async () => {
  const { sandbox } = await coffeeShop();
  const url = await testDatabaseUrl();
  const processes = [1, 2].map(() => openDatabase(url, { connections: 4 }));
  afterAll(() => Promise.all(processes.map((one) => one.close())));
  const workers = processes.map(startWork);
  let done = 0;
  let isOver = false;
  const streams = [...processes, ...processes].map((one) =>
    doThings(
      one,
      sandbox,
      () => isOver,
      () => done++,
    ),
  );
  const chaos = async () => {
    for (let resets = 0; resets < 6; resets++) {
      const before = done;
      await until(() => done > before + 25);
      await resetSandbox(database, sandbox);
    }
    const before = done;
    await until(() => done > before + 25);
  };
  await Promise.race([chaos(), Promise.all(streams)]).finally(() => (isOver = true));
  await Promise.all(streams);
  await drainFacts(database, sandbox.id);
  await Promise.all(workers.map((worker) => worker.stop()));

  expect(await checkIntegrity(database, await current(sandbox))).toEqual([]);
  const strays = tablesWhere({ by: "player", reset: "emptied" }).map(
    (table) => `select '${table}' as name from ${table} t left join players p using (part, player_id) where p.player_id is null`,
  );
  expect([...(await sql.unsafe(strays.join(" union all ")))]).toEqual([]);
  expect((await rowsOf(sandbox))["players"]).toBeGreaterThan(0);
});

const isWaiting = async (pid: number) =>
  (await sql`select from pg_stat_activity where pid = ${pid} and wait_event_type = 'Lock'`).length === 1;

/** A pool of one connection with a known backend process. */
async function connectionOfItsOwn(): Promise<Database & { pid: number }> {
  const one = openDatabase(await testDatabaseUrl(), { connections: 1 });
  const [row] = await one.sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return { ...one, pid: row!.pid };
}

test("an attempt that is being recorded is deleted with its delivery", async () => {
  const { sandbox } = await coffeeShop();
  await play(sandbox, "ann");
  const own = await connectionOfItsOwn();
  const reset = await sql.begin(async (tx) => {
    await tx`update webhook_deliveries set attempts = 1 where environment_id = ${sandbox.id}`;
    const resetting = resetSandbox(own, sandbox);
    await until(() => isWaiting(own.pid));
    await tx`
      insert into webhook_attempts (delivery_id, number, started_at, duration_ms)
      select id, 1, now(), 1 from webhook_deliveries where environment_id = ${sandbox.id}`;
    return { resetting };
  });
  await reset.resetting;
  await own.close();
  const left = await sql`select from webhook_attempts a where not exists (select from webhook_deliveries d where d.id = a.delivery_id)`;
  expect(left).toHaveLength(0);
});

test("an interrupted reset has done nothing, and the next one does all of it", async () => {
  const { sandbox } = await coffeeShop();
  await play(sandbox, "ann");
  await fillUp(sandbox);
  const before = await rowsOf(sandbox);
  const own = await connectionOfItsOwn();
  await sql.begin(async (tx) => {
    await tx`select from webhook_deliveries where environment_id = ${sandbox.id} for update`;
    // Observed from the start: it may fail before the statement that ends it returns.
    const refused = expect(resetSandbox(own, sandbox)).rejects.toSatisfy(isUnavailable);
    await until(() => isWaiting(own.pid));
    await sql`select pg_terminate_backend(${own.pid}::int)`;
    await refused;
  });
  await own.close();
  expect(await rowsOf(sandbox)).toEqual(before);
  expect(await current(sandbox)).toEqual(sandbox);
  await resetSandbox(database, sandbox);
  expect(await rowsOf(sandbox)).toMatchObject(Object.fromEntries(gone.map((table) => [table, 0])));
});
