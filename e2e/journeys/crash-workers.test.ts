import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase, type Transaction } from "../../db/client.ts";
import { isSpread, testDatabase, testDatabaseUrl, timeLimit } from "../../db/testing.ts";
import { playerKey } from "../../server/model/players/identity.ts";
import { startFacts } from "../../server/operations/worker/facts.ts";
import { startWorker } from "../../server/operations/worker/loop.ts";
import { laneOf, until } from "../../db/testing/work.ts";
import { FINE_LANE } from "../../server/model/kernel/lanes.ts";
import type { Backend } from "../backend.ts";
import { balanceOf, Oracle, completedBy, daysAgo, MISSIONS } from "../../rehearsals/crash/oracle.ts";
import { chance } from "../../rehearsals/crash/chance.ts";
import { startService } from "../listening.ts";
import { testCipher } from "../../server/delivery/testing.ts";

const service = await startService(await testDatabase());
const { sql } = service.database;
const DRINKS = ["tea", "mocha", "latte"];

const closing: Database[] = [];
afterAll(() => Promise.all(closing.map((database) => database.close())));

/** Two databases for workers of their own, whose connections no one else uses; open until the tests end. */
async function openTwo(): Promise<Database[]> {
  const url = await testDatabaseUrl();
  const opened = [openDatabase(url), openDatabase(url)];
  closing.push(...opened);
  return opened;
}

/** A worker on each database. */
function startWorkers(databases: readonly Database[]) {
  const errors: string[] = [];
  const logger = pino({ level: "error" }, { write: (line: string) => void errors.push(line) });
  const runners = databases.map((database) => startWorker({ database, logger, allowPrivateAddresses: true, cipher: testCipher }));
  return { errors, stop: () => Promise.all(runners.map((runner) => runner.stop())) };
}

interface Shop {
  backend: Backend;
  oracle: Oracle;
  /** Sends this many more orders of each player, in one request. */
  order(names: readonly string[], count: number): Promise<void>;
}

const playersOf = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** A shop whose facts only the workers of a test apply. */
async function openShop(): Promise<Shop> {
  const backend = await service.sandbox(MISSIONS);
  const oracle = new Oracle();
  await service.pause();
  const order = async (names: readonly string[], count: number) => {
    const first = oracle.accounts.get(names[0]!)!.orders;
    const sent = Array.from({ length: count }, (_, index) => first + index).flatMap((number) =>
      names.map((playerId, index) => ({
        playerId,
        key: String(number),
        cents: 1 + 7 * number,
        drink: DRINKS[(number + index) % 3]!,
        // Every other day first, so that late events join runs.
        occurredAt: daysAgo((2 * number) % 7),
      })),
    );
    const ids = await backend.send(
      ...sent.map(({ playerId, key, cents, drink, occurredAt }) => ({
        playerId,
        occurredAt,
        idempotencyKey: key,
        properties: { amount: cents / 100, drink },
      })),
    );
    sent.forEach((one, index) => oracle.ordered(one, ids[index]!));
  };
  return { backend, oracle, order };
}

/** Adds players who take part in everything. */
async function welcome({ backend, oracle }: Shop, names: readonly string[]): Promise<void> {
  for (const playerId of names) {
    await backend.missions(playerId);
    await backend.accept(playerId, "club");
    oracle.open(playerId, true);
  }
}

/** Expects the completions, balances and progress that follow from the orders. The audit runs at the end of the file. */
async function expectOracleToAgree({ backend, oracle }: Shop, names: readonly string[]): Promise<void> {
  for (const playerId of names) {
    const account = oracle.accounts.get(playerId)!;
    const { orders, cents, drinks } = account;
    const feed = await backend.missions(playerId, { includeCompleted: true });
    const done = feed.filter(({ status }) => status === "Completed").map(({ missionKey }) => missionKey);
    expect(done.sort(), playerId).toEqual(["again", ...completedBy(account)].sort());
    expect((await backend.points(playerId)).balance).toBe(balanceOf(account, 1));
    const never = feed.find(({ missionKey }) => missionKey === "never");
    expect(never.objectives.map(({ progress }: any) => progress.actual.value)).toEqual([orders, cents / 100, drinks.size]);
  }
}

test(
  "workers whose connections are repeatedly ended apply every fact once",
  async () => {
    const shop = await openShop();
    const { backend } = shop;
    const names = playersOf("player", 12);
    await welcome(shop, names);
    for (let sent = 0; sent < 3; sent++) await shop.order(names, 10);
    const workers = startWorkers(await openTwo());
    const { between, pick } = chance(3);
    const isWaiting = async () => (await sql`select from queued_facts where environment_id = ${backend.environment.id} limit 1`).length > 0;
    let ended = 0;
    for (;;) {
      if (!(await isWaiting())) {
        if (ended > 5) break;
        // The workers finished before enough of their connections were cut.
        await shop.order(names, 1);
      }
      const others = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity
      where datname = current_database() and application_name = 'engagement' and state <> 'idle' and pid <> pg_backend_pid()`;
      if (others.length > 0 && ended < 20) {
        const { pid } = pick(others);
        ended += (await sql<{ done: boolean }[]>`select pg_terminate_backend(${pid}::int) as done`)[0]!.done ? 1 : 0;
      }
      await delay(between(1, 30));
    }
    await workers.stop();
    expect(workers.errors).toEqual([]);
    expect(ended).toBeGreaterThan(5);
    await expectOracleToAgree(shop, names);
    service.resume();
  },
  timeLimit(120_000),
);

const WRITTEN = [
  "delete on queued_facts",
  "update on mission_states",
  "update on players",
  "insert on mission_completions",
  "insert on mission_distinct_values",
  "insert on points_transactions",
  "insert on balances",
  "insert on owed_items",
  "insert on webhook_deliveries",
  "insert on streak_periods",
  "insert on streak_runs",
];

// Tables that are spread over several machines take no trigger of a test.
describe.skipIf(isSpread())("a transient error", () => {
  let shop: Shop;
  // The same connections for all: their catalogs and plans cost more than the orders.
  let databases: Database[];

  beforeAll(async () => {
    shop = await openShop();
    await shop.backend.subscribe("http://127.0.0.1:9/no-receiver");
    databases = await openTwo();
  });

  afterAll(() => service.resume());

  test.for(WRITTEN)("in %s, loses no fact", async (where) => {
    const names = playersOf(where, 3);
    await welcome(shop, names);
    // A sequence is not rolled back: the first three that come fail.
    await sql.unsafe(`
      create sequence passing;
      create function fail_in_passing() returns trigger language plpgsql as $$
        begin
          if nextval('passing') <= 3 then raise exception 'in passing'; end if;
          return null;
        end $$;
      create trigger fail_in_passing after ${where} for each statement execute function fail_in_passing();`);
    await shop.order(names, 21);
    const workers = startWorkers(databases);
    await shop.backend.applied();
    await workers.stop();
    const [passing] = await sql<{ count: number }[]>`select last_value as count from passing`;
    await sql.unsafe("drop function fail_in_passing cascade; drop sequence passing");
    expect(passing!.count).toBeGreaterThan(3);
    expect(workers.errors).toEqual([]);
    await expectOracleToAgree(shop, names);
  });
});

/** A database whose transactions wait for the gate from the n-th on. */
function gated(database: Database, from: number) {
  const gate = Promise.withResolvers<void>();
  let count = 0;
  const begin = async (run: (tx: Transaction) => Promise<unknown>) => {
    if (++count >= from) await gate.promise;
    return database.sql.begin(run);
  };
  const sql = new Proxy(database.sql, { get: (target, name, self) => (name === "begin" ? begin : Reflect.get(target, name, self)) });
  return { database: { ...database, sql }, open: gate.resolve, begun: (transaction: number) => until(() => count >= transaction) };
}

test("of two workers that fail at the same fact one quarantines it, and the other leaves the facts behind it alone", async () => {
  const { backend } = await openShop();
  const { id } = backend.environment;
  const [bad, ...good] = Array.from({ length: 60 }, (_, index) => `p${index}`).filter(
    (playerId) => laneOf(playerKey(id, playerId).part).first === 16,
  );
  for (const playerId of [bad!, ...good]) await backend.missions(playerId);
  const { part, playerId } = playerKey(id, bad!);
  await sql`insert into balances (part, player_id, balance) values (${part}, ${playerId}, 9007199254740991)`;
  await backend.send(...[bad!, ...good].map((one) => ({ playerId: one })));

  // Both workers halve their slices, from 500 to 1, until the bad fact is found: nine transactions. The tenth moves it aside.
  const logger = pino({ level: "silent" });
  const context = { logger, allowPrivateAddresses: true, cipher: testCipher, onEffects: () => {} };
  const first = gated(service.database, 10);
  const second = gated(service.database, 11);
  const workers = [startFacts({ ...context, database: first.database })];
  await first.begun(10);
  workers.push(startFacts({ ...context, database: second.database }));
  await second.begun(11);
  first.open();
  await first.begun(11);
  second.open();
  await backend.applied();
  await Promise.all(workers.map((worker) => worker.stop()));

  const aside = await sql<{ name: string }[]>`
    select p.external_id as name from quarantined_facts q join players p on p.part = q.part and p.player_id = q.player_id`;
  expect(aside.map(({ name }) => name)).toEqual([bad]);
  for (const one of good) expect((await backend.points(one)).balance).toBe(10);
  // The cause is fixed, so that the audit passes.
  await sql`delete from balances where part = ${part} and player_id = ${playerId}`;
  await sql`
    with back as (delete from quarantined_facts where environment_id = ${id} returning *)
    insert into queued_facts (lane, environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload)
    select ${sql.unsafe(FINE_LANE)}, environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload from back`;
  service.resume();
  await backend.applied();
  expect((await backend.points(bad!)).balance).toBe(10);
});
