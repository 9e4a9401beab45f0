import { beforeEach, expect, test } from "vitest";
import type { Database } from "#db/client.ts";
import { until } from "#db/testing/work.ts";
import { fineLaneOf } from "../../model/kernel/lanes.ts";
import { anotherDatabase, isSpread, testProject } from "#db/testing.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { nextSeq, tryPlayers } from "../../engine/store/locks.ts";
import { setAside } from "../../engine/store/queue.ts";
import { ingest } from "../../game/events/service.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { playerKey } from "../../model/players/identity.ts";
import { drainFacts } from "./drain-facts.ts";
import { QueueFloor } from "./floor.ts";
import { requeueFacts } from "./store.ts";

/** The queue is read from its floor, so no fact may ever be below it. */

let database: Database;
let environment: Environment;
beforeEach(async () => {
  database = await anotherDatabase();
  ({ sandbox: environment } = await testProject(database));
  const imported = await importDefinitions(database, environment, { version: 1, events: [{ key: "visit", name: "Visit" }] });
  expect(imported).not.toHaveProperty("problems");
});

const send = (playerId: string) =>
  ingest(database, environment, {
    items: [{ playerId, event: "visit", occurredAt: new Date().toISOString() }],
    mayHoldBadText: false,
    now: Date.now(),
  });
const drain = () => drainFacts(database, environment.id);
const floorNow = async () => (await database.sql<{ floor: number }[]>`select floor from queue_floor`)[0]!.floor;
const queued = async () => (await database.sql<{ seq: number }[]>`select seq from queued_facts order by seq`).map(({ seq }) => seq);
const everyStep = () => new QueueFloor(database.sql, 1);
async function raise(): Promise<boolean> {
  const floor = everyStep();
  for (let step = 0; step < 3; step++) if (await floor.step()) return true;
  return false;
}

test.skipIf(isSpread())("the floor rises over applied facts, and not over one that waits", async () => {
  await send("ann");
  const [first] = await queued();
  expect(await raise()).toBe(false);
  expect(await floorNow()).toBe(0);
  await drain();
  expect(await raise()).toBe(true);
  expect(await floorNow()).toBeGreaterThanOrEqual(first!);
  await send("ann");
  await drain();
  expect(await queued()).toEqual([]);
});

test.skipIf(isSpread())("the floor waits for a transaction that has taken a position and not committed", async () => {
  const floor = everyStep();
  const { part, playerId } = playerKey(environment.id, "ann");
  await send("ann");
  await drain();
  let late = 0;
  await database.sql.begin(async (tx) => {
    expect(await tryPlayers(tx, environment.id)).toBe(true);
    late = await nextSeq(tx);
    await send("bob");
    await drain();
    for (let step = 0; step < 4; step++) expect(await floor.step()).toBe(false);
    await tx`
      insert into queued_facts (lane, environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at)
      select ${fineLaneOf(part)}, environment_id, ${late}, part, player_id, 'event', gen_random_uuid(), definition_id, now(), now()
      from events where part = ${part} and player_id = ${playerId}`;
  });
  expect(await floor.step()).toBe(false);
  expect(await floorNow()).toBeLessThan(late);
  await drain();
  expect(await floor.step()).toBe(true);
});

test.skipIf(isSpread())("facts that return from the quarantine below the floor are applied, whichever transaction is first", async () => {
  const { sql } = database;
  const aside = async () => {
    await send("ann");
    const [seq] = await queued();
    await sql.begin((tx) =>
      setAside(tx, environment.id, { part: playerKey(environment.id, "ann").part, seq: seq! }, new Error("at fault")),
    );
    await send("bob");
    await drain();
  };
  await aside();
  expect(await raise()).toBe(true);
  await sql.begin((tx) => requeueFacts(tx, environment.id, null));
  expect(await queued()).toHaveLength(1);
  await drain();
  expect(await queued()).toEqual([]);

  // A requeue that began before the floor is raised, and commits after.
  await aside();
  const floor = everyStep();
  for (let step = 0; step < 2; step++) await floor.step();
  await sql.begin(async (tx) => {
    await requeueFacts(tx, environment.id, null);
    expect(await raise()).toBe(false);
  });
  expect(await raise()).toBe(false);
  await drain();
  expect(await queued()).toEqual([]);

  // A requeue that waits for a transaction that raises the floor.
  await aside();
  expect(await raise()).toBe(true);
  await send("bob");
  await drain();
  await everyStep().step();
  const [next] = await sql<{ next: number }[]>`select next from queue_floor`;
  let back: Promise<number> | undefined;
  await sql.begin(async (tx) => {
    const [row] = await tx<{ isRaised: boolean }[]>`select raise_queue_floor(${next!.next}) as is_raised`;
    expect(row!.isRaised).toBe(true);
    back = sql.begin((other) => requeueFacts(other, environment.id, null)) as Promise<number>;
    await until(async () => (await sql`select from pg_locks where not granted`).length > 0);
  });
  expect(await back).toBe(1);
  await drain();
  expect(await queued()).toEqual([]);
});

test.skipIf(isSpread())("a floor above the sequence, which a restore may leave, is taken back", async () => {
  await database.sql`update queue_floor set floor = 1000000`;
  await send("ann");
  await everyStep().step();
  await drain();
  expect(await queued()).toEqual([]);
});
