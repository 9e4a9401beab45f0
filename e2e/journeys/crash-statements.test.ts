import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, describe, expect, test } from "vitest";
import { type Database, openDatabase, transact, isUnavailable } from "../../db/client.ts";
import { isSpread, testDatabase, testDatabaseUrl, timeLimit } from "../../db/testing.ts";
import { Heartbeat } from "../../server/api/heartbeat.ts";
import { createApiListener, SERVER_OPTIONS } from "../../server/api/http.ts";
import { playerKey } from "../../server/model/players/identity.ts";
import { startDispatcher } from "../../server/delivery/service/dispatcher.ts";
import { workSlice } from "../../server/operations/worker/slice.ts";
import { laneOf } from "../../db/testing/work.ts";
import { daysAgo, MISSIONS } from "../../rehearsals/crash/oracle.ts";
import { type Break, type BreakableWay, openBreakableWay } from "../../rehearsals/crash/breakable.ts";
import { listing } from "../definitions.ts";
import { exchange, type Reply } from "../http.ts";
import { BASE_URL, startService } from "../listening.ts";
import { startReceiver, testCipher } from "../../server/delivery/testing.ts";
import { enqueueDeliveries } from "../../server/engine/store/outbox.ts";

const service = await startService(await testDatabase());
const rule = { not: { event: "order_returned", operator: "GreaterThan", value: 0, lastDays: 30 } };
const backend = await service.sandbox({
  ...MISSIONS,
  marketplaceItems: [listing("cup", { priceInPoints: 5, stock: 1_000 }), listing("club_cup", { priceInPoints: 5, audience: { rule } })],
});
await backend.subscribe(
  "http://127.0.0.1:9/no-receiver",
  "mission.completed",
  "catalog_item.fulfillment_requested",
  "streak.milestone_reached",
);
const faults: string[] = [];
const logger = pino({ level: "error" }, { write: (line: string) => void faults.push(line) });
const ways: { way: BreakableWay; database: Database }[] = [];
const heartbeats: Heartbeat[] = [];

/** Opens the database over a connection that can be broken, with an empty pool. */
async function openBroken() {
  const way = await openBreakableWay(await testDatabaseUrl());
  const database = openDatabase(way.url, { connections: 2 });
  ways.push({ way, database });
  return { way, database };
}

afterAll(async () => {
  for (const heartbeat of heartbeats) await heartbeat.stop();
  for (const { way, database } of ways) {
    await database.close();
    await way.close();
  }
  service.resume();
  expect(faults).toEqual([]);
});

/**
 * Whichever statement of a transaction is broken, nothing of the transaction is left, unless it was committed. So a slice's commits are all
 * broken, and a part of its other statements. Over several machines every statement takes longer.
 */
const SLICE_STEP = isSpread() ? 10 : 5;
/**
 * Every fourth statement is enough, except for breaks after one: a break before a statement leaves the same state as one after the previous
 * statement.
 */
const stepOf = (when: Break["when"]): number => (when === "after" ? 1 : 4);
const LANE = laneOf(512);
const namesInLane = (prefix: string): string[] =>
  Array.from({ length: 60 }, (_, index) => `${prefix}-${index}`)
    .filter((name) => laneOf(playerKey(backend.environment.id, name).part) === LANE)
    .slice(0, 2);

const ORDERS = 20;
const orders = (playerId: string) =>
  Array.from({ length: ORDERS }, (_, index) => ({
    playerId,
    idempotencyKey: `order ${index}`,
    // Every other day first, so that late events join runs.
    occurredAt: daysAgo((2 * index) % 7),
    properties: { amount: 5.1, drink: ["tea", "mocha", "latte"][index % 3]! },
  }));

/** The expected result of twenty orders of a player who takes part in everything. */
async function expectTwentyOrders(playerId: string): Promise<void> {
  const feed = await backend.missions(playerId, { includeCompleted: true });
  const done = feed.filter(({ status }) => status === "Completed").map(({ missionKey }) => missionKey);
  expect(done.sort(), playerId).toEqual(["again", "club", "first", "regular", "spender"]);
  const [never] = feed.filter(({ missionKey }) => missionKey === "never");
  expect(never.objectives.map(({ progress }: any) => progress.actual.value)).toEqual([20, 102, 3]);
  expect((await backend.points(playerId)).balance).toBe(104);
  expect((await backend.transactions(playerId)).map(({ amount }) => amount).sort()).toEqual([10, 25, 3, 50, 7, 9]);
  expect((await backend.get(`/v1/streaks?PlayerId=${encodeURIComponent(playerId)}`)).json).toMatchObject([{ currentLength: 7 }]);
  const { part, playerId: id } = playerKey(backend.environment.id, playerId);
  const sent = await service.database.sql`
    select d.event from webhook_deliveries d where d.data ->> 'playerExternalId' = ${playerId}`;
  expect(sent).toHaveLength(5 + 4 + 1);
  expect(await service.database.sql`select from owed_items where part = ${part} and player_id = ${id}`).toHaveLength(4);
}

/** The expected result of one purchase for five of twelve points. */
async function expectOnePurchase(playerId: string, key: string): Promise<void> {
  expect(await backend.points(playerId)).toEqual({ balance: 7, totalGranted: 0, totalSpent: 5 });
  expect(await backend.purchases(playerId)).toMatchObject([{ marketplaceItemKey: key, idempotencyKey: "once" }]);
  const [{ purchaseId }] = (await backend.purchases(playerId)) as [{ purchaseId: string }];
  expect(await service.database.sql`select from owed_items where source_id = ${purchaseId}`).toHaveLength(1);
  const sent = await service.database.sql`select from webhook_deliveries where data ->> 'sourceId' = ${purchaseId}`;
  expect(sent).toHaveLength(1);
}

describe("a slice whose connection breaks", () => {
  test.for(["before", "after"] as const)(
    "%s any of its commits, or another statement, leaves the same as without",
    { timeout: timeLimit(120_000) },
    async (when) => {
      await service.pause();
      const { way, database } = await openBroken();
      const isBroken = async (number: number, of: "statements" | "commits", how: Break["how"]): Promise<boolean> => {
        const players = namesInLane(`${how} ${when} ${of} ${number}`);
        for (const playerId of players) {
          await backend.missions(playerId);
          await backend.accept(playerId, "club");
        }
        await backend.send(...players.flatMap(orders));
        way.arm(number, { when, how }, of);
        const error = await workSlice(database, LANE, 0).catch((reason: unknown) => reason);
        const isThrough = way.disarm();
        if (error instanceof Error) expect(isUnavailable(error), String(error)).toBe(true);
        // The broken connection holds the lane until the database notices.
        const isLeft = async () =>
          (await service.database.sql`select from queued_facts where environment_id = ${backend.environment.id} limit 1`).length > 0;
        while (await isLeft()) await workSlice(database, LANE, 0);
        for (const playerId of players) await expectTwentyOrders(playerId);
        return !isThrough;
      };
      for (const how of ["politely", "rudely"] as const) {
        let commit = 1;
        while (await isBroken(commit, "commits", how)) commit++;
        expect(commit).toBeGreaterThan(1);
      }
      let statement = when === "before" ? 1 : SLICE_STEP;
      while (await isBroken(statement, "statements", statement % 2 === 0 ? "politely" : "rudely")) statement += SLICE_STEP;
      expect(statement).toBeGreaterThan(15);
    },
  );
});

describe("a request whose connection to the database breaks", () => {
  const calls: Record<
    string,
    {
      prepare?: (playerId: string) => Promise<unknown>;
      call: [string, string, (playerId: string) => object];
      check: (playerId: string) => Promise<void>;
    }
  > = {
    "that sends events with keys": {
      call: [
        "POST",
        "/v1/events",
        (playerId) => ({
          events: orders(playerId).map((item) => ({ event: "order_placed", ...item })),
        }),
      ],
      check: async (playerId) => {
        const { part, playerId: id } = playerKey(backend.environment.id, playerId);
        expect(await service.database.sql`select from events where part = ${part} and player_id = ${id}`).toHaveLength(ORDERS);
        expect(await service.database.sql`select from queued_facts where part = ${part} and player_id = ${id}`).toHaveLength(ORDERS);
      },
    },
    "that reads missions for the first time": {
      call: ["POST", "/v1/missions", (playerId) => ({ playerId })],
      check: async (playerId) => {
        const feed = await backend.missions(playerId);
        expect(feed.map(({ status, occurrenceNumber }) => `${status} ${occurrenceNumber}`).sort()).toEqual([
          "Available 0",
          ...Array(5).fill("InProgress 0"),
        ]);
      },
    },
    "that accepts a mission": {
      prepare: (playerId) => backend.missions(playerId),
      call: ["POST", "/v1/missions/club/accept", (playerId) => ({ playerId })],
      check: async (playerId) => expect(await backend.mission(playerId, "club")).toMatchObject({ status: "InProgress", isAccepted: true }),
    },
    "that adjusts points with a key": {
      prepare: (playerId) => backend.missions(playerId),
      call: ["POST", "/v1/points/adjustments", (playerId) => ({ playerId, amount: 12, reason: "by hand", idempotencyKey: "once" })],
      check: async (playerId) => {
        expect((await backend.points(playerId)).balance).toBe(12);
        expect(await backend.transactions(playerId)).toHaveLength(1);
      },
    },
    "that buys with a key": {
      prepare: (playerId) => backend.customer(playerId, 12),
      call: ["POST", "/v1/marketplace-items/cup/purchases", (playerId) => ({ playerId, idempotencyKey: "once" })],
      check: (playerId) => expectOnePurchase(playerId, "cup"),
    },
    "that buys with a key what an audience is asked for": {
      prepare: (playerId) => backend.customer(playerId, 12),
      call: ["POST", "/v1/marketplace-items/club_cup/purchases", (playerId) => ({ playerId, idempotencyKey: "once" })],
      check: (playerId) => expectOnePurchase(playerId, "club_cup"),
    },
    "that adds to a metric with a key": {
      call: [
        "POST",
        "/v1/metric-events",
        (externalPlayerId) => ({
          externalPlayerId,
          metricKey: "steps",
          value: 5.5,
          occurredAtUtc: "2026-01-31T09:00:00Z",
          idempotencyKey: "once",
          playerTimeZoneId: "Asia/Tokyo",
        }),
      ],
      check: async (playerId) => {
        expect(await backend.add(playerId, "steps", 1)).toMatchObject({ total: 6.5 });
        const { part, playerId: id } = playerKey(backend.environment.id, playerId);
        expect(await service.database.sql`select from queued_facts where part = ${part} and player_id = ${id}`).toHaveLength(2);
        expect((await backend.post("/v1/players", { playerId })).json.timeZoneId).toBe("Asia/Tokyo");
      },
    },
    "that creates a player": {
      call: ["POST", "/v1/players", (playerId) => ({ playerId, displayName: "Ann" })],
      check: async (playerId) => expect((await backend.post("/v1/players", { playerId })).json).toMatchObject({ displayName: "Ann" }),
    },
  };
  for (const [
    name,
    {
      prepare,
      call: [method, path, body],
      check,
    },
  ] of Object.entries(calls))
    test(
      `${name} is answered 503 at worst, and is complete once it is answered otherwise`,
      async () => {
        await service.pause();
        for (const one of [
          { when: "before", how: "rudely" },
          { when: "after", how: "politely" },
        ] as const) {
          const { way, database } = await openBroken();
          const send = await listenOn(database);
          for (let statement = 1, isThrough = false; !isThrough; statement += stepOf(one.when)) {
            const playerId = `${path} ${one.how} ${one.when} ${statement}`;
            await prepare?.(playerId);
            way.arm(statement, one);
            let reply = await send(method, path, body(playerId));
            isThrough = way.disarm();
            if (reply.status === 503) {
              expect([reply.code, reply.headers["retry-after"]]).toEqual(["service.unavailable", "2"]);
              reply = await send(method, path, body(playerId));
            }
            expect(reply.status, reply.text).toBeLessThan(300);
            await check(playerId);
          }
        }
      },
      timeLimit(120_000),
    );

  async function listenOn(database: Database) {
    const heartbeat = new Heartbeat(database);
    heartbeats.push(heartbeat);
    const listener = createApiListener({ database, baseUrl: BASE_URL, logger, heartbeat, wake() {} });
    const server = createServer(SERVER_OPTIONS, (request, response) => void listener(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    server.unref();
    const { port } = server.address() as AddressInfo;
    return (method: string, path: string, body: object): Promise<Reply> =>
      exchange(port, method, path, { body, headers: { authorization: `Bearer ${backend.key}` } });
  }
});

describe("a delivery", () => {
  for (const when of ["before", "after"] as const)
    test(
      `arrives, always as the same delivery, if its worker's connection breaks ${when} any statement`,
      async () => {
        await service.pause();
        const receiver = await startReceiver();
        const backend = await service.sandbox(MISSIONS);
        await backend.subscribe(receiver.url, "mission.completed");
        const delivered = () => service.database.sql`
        select d.id from webhook_deliveries d where environment_id = ${backend.environment.id} and status = 'Delivered'`;
        // A claim whose response was lost blocks its deliveries until the lease expires: here it expires immediately.
        const endLeases = () => service.database.sql`
        update webhook_deliveries set leased_until = null where environment_id = ${backend.environment.id} and status = 'Pending'`;
        const { way, database } = await openBroken();
        const step = stepOf(when);
        for (let statement = 1, count = 1, isThrough = false; !isThrough; statement += step, count++) {
          const notification = {
            environmentId: backend.environment.id,
            event: "mission.completed" as const,
            sourceId: randomUUID(),
            data: {},
            occurredAt: 0,
          };
          await transact(service.database, (tx) => enqueueDeliveries(tx, [notification]));
          way.arm(statement, { when, how: "politely" });
          const dispatcher = startDispatcher({ database, logger, allowPrivateAddresses: true, cipher: testCipher });
          for (; (await delivered()).length < count; await delay(50)) if (way.isBroken()) await endLeases();
          await dispatcher.stop();
          isThrough = way.disarm();
        }
        const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
        expect(new Set(ids)).toEqual(new Set((await delivered()).map(({ id }) => id)));
        await receiver.close();
      },
      timeLimit(120_000),
    );
});
