import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { tryLane } from "../../engine/store/locks.ts";
import { ingest } from "../../game/events/service.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { EVERY_LANE } from "../../model/kernel/lanes.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { createEndpoint } from "../../delivery/service/endpoints.ts";
import { startReceiver, testCipher } from "../../delivery/testing.ts";
import { giveSeatsIn } from "../../game/leaderboards/settlement/give-seats.ts";
import { drainFacts } from "./drain-facts.ts";
import { startWorker } from "./loop.ts";
import { untilSettled } from "./until-settled.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await testDatabase();
const { sql } = database;
const everything = { player: null, deliveries: false, withinMs: 10_000 };

async function shop(): Promise<Environment> {
  const { slug, sandbox } = await testProject(database);
  await importDefinitions(database, sandbox, {
    version: 1,
    events: [{ key: "order_placed", name: "Order placed" }],
    missions: [
      {
        key: "one",
        name: "One",
        objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 }],
        rewards: [{ kind: "Points", points: 10 }],
      },
    ],
  });
  return findEnvironment(database, slug, "sandbox");
}

const send = (environment: Environment, ...players: string[]) =>
  ingest(database, environment, {
    items: players.map((playerId) => ({ playerId, event: "order_placed", occurredAt: new Date().toISOString() })),
    mayHoldBadText: false,
    now: Date.now(),
  });

const enter = (environment: Environment, externalId: string) =>
  readMissions(database, environment, Date.now(), { externalId, take: null, includeCompleted: false, language: null });

const startWork = () =>
  startWorker({ database, logger: { error: () => {}, warn: () => {} }, allowPrivateAddresses: true, cipher: testCipher });

test("it answers once several workers have applied the accepted facts, and attempted the resulting deliveries", async () => {
  const environment = await shop();
  const receiver = await startReceiver();
  const settings = { allowPrivateAddresses: true, cipher: testCipher };
  await createEndpoint(database, environment, { url: receiver.url, events: ["mission.completed"] }, settings);
  const players = Array.from({ length: 40 }, (_, at) => `player ${at}`);
  for (const player of players) await enter(environment, player);
  await send(environment, ...players);
  const workers = [startWork(), startWork()];
  const settled = await untilSettled(database, environment, { ...everything, deliveries: true });
  const [paid] = await sql<{ count: number }[]>`
    select count(*)::int as count from balances join players using (part, player_id) where environment_id = ${environment.id} and balance = 10`;
  const arrived = receiver.received.length;
  await Promise.all(workers.map((worker) => worker.stop()));
  await receiver.close();
  expect(settled).toEqual({ isSettled: true, facts: 0, fills: 0, deliveries: 0, quarantined: 0 });
  expect({ paid: paid!.count, arrived }).toEqual({ paid: 40, arrived: 40 });
});

test("a claimed fact is awaited, up to the time limit; another player's, or a later one, is not", async () => {
  const environment = await shop();
  await send(environment, "ann");
  const within = (withinMs: number, player: string | null = null) =>
    untilSettled(database, environment, { ...everything, player, withinMs });
  let earlier: ReturnType<typeof within> | undefined;
  await sql.begin(async (tx) => {
    await tryLane(tx, EVERY_LANE);
    await tx`delete from queued_facts where environment_id = ${environment.id}`;
    earlier = within(5_000);
    expect(await within(50)).toMatchObject({ isSettled: false, facts: 1 });
    expect(await within(0, "bob")).toMatchObject({ isSettled: true, facts: 0 });
    expect(await within(0, "ann")).toMatchObject({ isSettled: false, facts: 1 });
  });
  await send(environment, "ann", "bob");
  expect(await earlier).toMatchObject({ isSettled: true });
  // The last poll counts them; those before it only ask whether there are any.
  for (const withinMs of [0, 50]) expect(await within(withinMs)).toMatchObject({ isSettled: false, facts: 2 });
});

test("a player who scored in a league is awaited until they have a seat there", async () => {
  const { slug, sandbox } = await testProject(database);
  const tiers = [
    { key: "bronze", name: "Bronze" },
    { key: "silver", name: "Silver" },
  ];
  await importDefinitions(database, sandbox, {
    version: 1,
    events: [{ key: "order_placed", name: "Order placed" }],
    leaderboards: [
      {
        ...{ key: "league", name: "League", scoreSource: "Event", event: "order_placed", rankOrder: "HighestFirst" },
        ...{ period: { kind: "Calendar", every: "Week" }, league: { groupSize: 2, tiers, promotes: 1, relegates: 1 } },
      },
    ],
  });
  const environment = await findEnvironment(database, slug, "sandbox");
  const now = (player: string | null = null) => untilSettled(database, environment, { ...everything, player, withinMs: 0 });
  await send(environment, "ann");
  await drainFacts(database, environment.id);
  expect(await now()).toMatchObject({ isSettled: false, facts: 0, fills: 1 });
  expect([await now("ann"), await now("bob")]).toMatchObject([{ isSettled: false }, { isSettled: true }]);
  await giveSeatsIn(database, environment.id);
  expect(await now()).toMatchObject({ isSettled: true, fills: 0 });
});
