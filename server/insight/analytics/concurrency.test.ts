import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { isSpread, testDatabase, testProject } from "#db/testing.ts";
import { ingest } from "../../game/events/service.ts";
import { type Environment, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { Problem } from "../../model/kernel/problem.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { purchase } from "../../game/marketplace/service/shop.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { playerKey } from "../../model/players/identity.ts";
import { adjustPoints } from "../../game/points/service.ts";
import { adjustBalance } from "../../game/points/store.ts";
import { changeProject } from "../../authoring/definitions/service/project-settings.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { startFacts } from "../../operations/worker/facts.ts";
import { countHistory, recount } from "./service/counting.ts";
import { startAnalytics } from "./service/runner.ts";
import { miscounted, settleAnalytics } from "../../operations/integrity/testing.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { createPlayers } from "../../engine/store/players.ts";
import { loadEnvironment } from "../../engine/environment.ts";

const database = await testDatabase();
const { sql } = database;
const DAY = 24 * 3_600_000;
const dateOf = (instant: number): string => formatInstant(instant).slice(0, 10);
const logger = { error: () => {}, warn: () => {} };

const DEFINITIONS = {
  version: 1,
  events: [{ key: "order", name: "Order" }],
  catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
  marketplaceItems: [{ key: "voucher", name: "Voucher", priceInPoints: 3, contents: [{ catalogItem: "coffee", value: 1 }] }],
  missions: [
    {
      key: "orders",
      name: "Orders",
      objectives: [{ event: "order", operator: "GreaterThanOrEqualTo", target: 2 }],
      rewards: [{ kind: "Points", points: 30 }],
    },
  ],
};

const PLAYERS = Array.from({ length: 40 }, (_, at) => `player-${at}`);
/** How often the project changes its zone; each change recounts its history. */
const MOVES = 10;
const ZONES = ["Europe/Amsterdam", "Pacific/Kiritimati", "UTC", "America/Los_Angeles"];

test("events, purchases and adjustments during a recount, by several workers, are counted once", async () => {
  const { sandbox } = await testProject(database);
  await importDefinitions(database, sandbox, DEFINITIONS);
  const current = async () => (await loadEnvironment(sql, sandbox.id)) as Environment;
  const context = { database, logger, cipher: null as never, allowPrivateAddresses: true, onEffects: () => {} };
  const workers = [startFacts(context), startFacts(context), startAnalytics(context), startAnalytics(context)];
  let zones = 0;
  const again = async (work: (environment: Environment, playerId: string) => Promise<unknown>) => {
    for (let turn = 0; zones < MOVES; turn++) {
      await work(await current(), PLAYERS[(turn * 7) % PLAYERS.length]!).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
      });
    }
  };
  const now = Date.now();
  const send = (environment: Environment, playerId: string) => {
    const occurredAt = formatInstant(now - Math.floor(Math.random() * 40 * 24 * 3_600_000));
    return ingest(database, environment, { items: [{ playerId, event: "order", occurredAt }], mayHoldBadText: false, now });
  };
  const read = (environment: Environment, externalId: string) =>
    readMissions(database, environment, now, { externalId, take: null, includeCompleted: false, language: null });
  const adjust = (environment: Environment, externalId: string) =>
    adjustPoints(database, environment, now, { externalId, amount: 5, reason: "test", idempotencyKey: null });
  const buy = (environment: Environment, externalId: string) =>
    purchase(database, environment, now, { externalId, listingKey: "voucher", idempotencyKey: null });
  const move = async (environment: Environment) => {
    const timeZone = ZONES[zones++ % ZONES.length]!;
    await changeProject(database, environment, { name: "Test", defaultLanguage: "en", timeZone }, COMMAND_LINE);
    await delay(200);
  };
  // The sums are right at any moment, even when only some of the players are counted. The machines of a cluster have no common snapshot.
  const look = async (environment: Environment) => expect(await miscounted(database, environment)).toEqual([]);
  await Promise.all([send, send, read, adjust, buy, buy, move, ...(isSpread() ? [] : [look])].map(again));

  await drainFacts(database, sandbox.id);
  await Promise.all(workers.map((worker) => worker.stop()));
  await settleAnalytics(database, sandbox.id);
  expect(await miscounted(database, sandbox)).toEqual([]);
  const [row] = await sql<{ epochs: number; orders: number; kept: number }[]>`
    select (select count(distinct epoch) from analytics_daily where environment_id = ${sandbox.id} and epoch > 0) as epochs,
      (select count(*) from events where environment_id = ${sandbox.id}) as orders,
      (select coalesce(sum(count), 0)::bigint from analytics_daily where environment_id = ${sandbox.id} and measure = 'event') as kept`;
  expect(row).toEqual({ epochs: 1, orders: row!.kept, kept: row!.orders });
});

// The machines of a cluster have no common snapshot.
test.skipIf(isSpread())("the rows of a report add up to its totals, also while events are applied", async () => {
  const { slug, sandbox } = await testProject(database);
  await importDefinitions(database, sandbox, DEFINITIONS);
  const { rpc } = await signedIn(database, slug, "Viewer");
  const now = Date.now();
  let isRead = false;
  const write = async () => {
    while (!isRead) {
      const items = PLAYERS.map((playerId) => ({ playerId, event: "order", occurredAt: formatInstant(now) }));
      await ingest(database, sandbox, { items, mayHoldBadText: false, now });
      await drainFacts(database, sandbox.id);
    }
  };
  const read = async () => {
    const where = { project: slug, environment: "sandbox", from: dateOf(now - DAY), to: dateOf(now + DAY) } as const;
    for (let turn = 0; turn < 50; turn++) {
      const { total, table } = await rpc.analytics.events(where);
      expect(table.rows.reduce((sum, { count }) => sum + count.value, 0)).toBe(total.values.reduce((sum, value) => sum + value, 0));
    }
  };
  await Promise.all([write(), read().finally(() => (isRead = true))]);
});

test("an adjustment that commits while its player is counted is counted once", async () => {
  const { sandbox } = await testProject(database);
  const key = playerKey(sandbox.id, "ann");
  await createPlayers(sql, [{ ...key, environmentId: sandbox.id, externalId: "ann", createdAt: 0 }]);
  await sql`update environments set analytics_epoch = 2 where id = ${sandbox.id}`;
  const adjustment = {
    ...key,
    environmentId: sandbox.id,
    id: randomUUID(),
    amount: 5,
    reason: "test",
    idempotencyKey: null,
    occurredAt: 0,
  };
  let counting: Promise<void> = Promise.resolve();
  await sql.begin(async (tx) => {
    await adjustBalance(tx, adjustment);
    counting = settleAnalytics(database, sandbox.id);
    await delay(200);
  });
  await counting;
  expect(await miscounted(database, sandbox)).toEqual([]);
});

test("when counted and uncounted players complete a mission in one slice, a recount adds only the uncounted ones", async () => {
  const { sandbox } = await testProject(database);
  await importDefinitions(database, sandbox, DEFINITIONS);
  const environment = (await loadEnvironment(sql, sandbox.id))!;
  const now = Date.now();
  for (const externalId of ["ann", "ben"])
    await readMissions(database, environment, now, { externalId, take: null, includeCompleted: false, language: null });
  const { part, playerId } = playerKey(sandbox.id, "ben");
  await sql`update players set analytics_epoch = 0 where part = ${part} and player_id = ${playerId}`;
  const items = ["ann", "ben", "ann", "ben"].map((player) => ({ playerId: player, event: "order", occurredAt: formatInstant(now) }));
  await ingest(database, environment, { items, mayHoldBadText: false, now });
  await drainFacts(database, sandbox.id);
  await settleAnalytics(database, sandbox.id);
  expect(await miscounted(database, sandbox)).toEqual([]);
});

// On a cluster, the waiting sessions are on other machines.
test.skipIf(isSpread())("a recount waits for a running fold, and counts the rows that it writes", async () => {
  const { sandbox } = await testProject(database);
  await importDefinitions(database, sandbox, DEFINITIONS);
  const now = Date.now();
  const externalId = "folded";
  await readMissions(database, sandbox, now, { externalId, take: null, includeCompleted: false, language: null });
  await adjustPoints(database, sandbox, now, { externalId, amount: 5, reason: "test", idempotencyKey: null });
  const item = { playerId: externalId, event: "order", occurredAt: formatInstant(Date.now()) };
  await ingest(database, sandbox, { items: [item, item], mayHoldBadText: false, now: Date.now() });
  await recount(database, sandbox);
  const { part, playerId } = playerKey(sandbox.id, externalId);
  const waiting = async () =>
    (await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length;
  const running: Promise<unknown>[] = [];
  await sql.begin(async (holder) => {
    // The fold has locked its player, and waits here before it pays the mission.
    await holder`select from balances where part = ${part} and player_id = ${playerId} for update`;
    running.push(drainFacts(database, sandbox.id));
    await expect.poll(waiting).toBe(1);
    running.push(countHistory(database, sandbox.id, 1, () => false));
    await expect.poll(waiting).toBe(2);
  });
  await Promise.all(running);
  const [row] = await sql<{ balance: number }[]>`select balance from balances where part = ${part} and player_id = ${playerId}`;
  expect(row).toEqual({ balance: 35 });
  expect(await miscounted(database, sandbox)).toEqual([]);
});
