import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../db/client.ts";
import { migrateDatabase } from "../../db/migrate.ts";
import { type Distribution, distribute, type Step } from "../../db/scale/distribute.ts";
import { BY_PART } from "../../db/scale/tables.ts";
import { checkIntegrity } from "../../server/integrity/check.ts";
import type { Backend } from "../backend.ts";
import { board } from "../boards.ts";
import { mission, points, shop } from "../definitions.ts";
import { startService, type Service } from "../listening.ts";
import { type Cluster, findCitus, startCluster } from "./cluster.ts";
import { fanOuts } from "./fan-out.ts";

const programs = findCitus();
const DEFINITIONS = {
  ...shop(mission("first_order", { rewards: [points(30)] })),
  leaderboards: [board("orders")],
};

// Without a PostgreSQL that has Citus these are skipped; `npm run citus` runs the HTTP tests in the same way.
describe.skipIf(programs === null)("a database over several machines, with Citus", () => {
  let cluster: Cluster;
  let database: Database;
  let service: Service;
  let backend: Backend;
  let asked: Distribution;

  beforeAll(async () => {
    cluster = await startCluster(programs!, { fsync: "off", synchronous_commit: "off", full_page_writes: "off" });
    await migrateDatabase(cluster.url);
    database = openDatabase(cluster.url);
    asked = { coordinator: cluster.coordinator, workers: cluster.workers, shards: 4, isDryRun: false };
    service = await startService(database);
    backend = await service.sandbox(DEFINITIONS);
    for (const playerId of ["ann", "ben"]) await backend.missions(playerId);
    await backend.play({ playerId: "ann" }, { playerId: "ben" });
  }, 180_000);
  afterAll(async () => {
    await database?.close();
    await cluster?.stop();
  });

  test("is made of a filled one, in one go, and again without doing anything", async () => {
    await service.pause();
    const outcomes = (steps: Step[]) => new Set(steps.filter(({ rows }) => rows !== null).map(({ outcome }) => outcome));
    expect(outcomes(await distribute(database, { ...asked, isDryRun: true }))).toEqual(new Set(["distributed"]));
    expect(outcomes(await distribute(database, asked))).toEqual(new Set(["distributed"]));
    const again = await distribute(database, asked);
    expect(outcomes(again)).toEqual(new Set(["distributed already"]));
    expect(again).toHaveLength(cluster.workers.length + BY_PART.length);
    await migrateDatabase(cluster.url);
    service.resume();
    expect(await backend.points("ann")).toMatchObject({ balance: 30 });
  }, 180_000);

  test("an event becomes points and a place there, a key is used once, and the audit finds nothing", async () => {
    await backend.missions("cid");
    await backend.play({ playerId: "ann" }, { playerId: "cid", idempotencyKey: "o1" }, { playerId: "cid", idempotencyKey: "o1" });
    await Promise.all(Array.from({ length: 6 }, () => backend.adjust("cid", 5, { idempotencyKey: "once" })));
    expect(await backend.points("cid")).toMatchObject({ balance: 35, totalGranted: 30 });
    expect(await backend.board("cid", "orders")).toMatchObject({ leaderboard: { participants: 3, me: { rank: 2, score: 1 } } });
    expect(await checkIntegrity(database, backend.environment)).toEqual([]);
  }, 180_000);

  test("sends no statement to several shards that is not on the list", () => {
    const found = fanOuts(cluster.log);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ reason }) => reason === null)).toEqual([]);
  });
});
