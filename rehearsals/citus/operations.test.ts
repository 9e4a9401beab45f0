import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import postgres from "postgres";
import { type Database, openDatabase } from "../../db/client.ts";
import { databaseUrl } from "../../db/testing/database-url.ts";
import { migrateDatabase } from "../../db/migrate.ts";
import { distribute } from "../../db/scale/distribute.ts";
import { TEST_AUTH_SECRET } from "../../server/delivery/testing.ts";
import { hasWaiting } from "../../server/engine/store/queue.ts";
import type { Environment } from "../../server/model/kernel/environment.ts";
import { checkIntegrity } from "../../server/operations/integrity/check.ts";
import { chance } from "../crash/chance.ts";
import { openSandbox } from "../crash/chapter.ts";
import { compareAnswers, compareWithOracle } from "../crash/compare.ts";
import { type Acknowledged, Customer } from "../crash/customer.ts";
import { LISTINGS, MISSIONS, Oracle } from "../crash/oracle.ts";
import { board, boards } from "../../e2e/boards.ts";
import { measured } from "../../e2e/definitions.ts";
import { exchange } from "../../e2e/http.ts";
import { commandLine, type Program, program, steadyPort } from "../../e2e/programs.ts";
import { steadily, steadilyUntil } from "../crash/steadily.ts";
import { Traffic } from "../crash/traffic.ts";
import { findPgBouncer, startPgBouncer } from "../restore/pgbouncer.ts";
import { forgetLost } from "../restore/rehearse-restore.ts";
import { sendAgain } from "../restore/send-again.ts";
import { type Cluster, findCitus, startCluster } from "./cluster.ts";
import { untilRecovered } from "./durable.ts";
import type { Server } from "./server.ts";

/** Two minutes of both cores, so not a part of `npm test`: `npm run citus` sets this. */
const programs = process.env["REHEARSAL"] === "citus" ? findCitus() : null;
const pgBouncer = findPgBouncer();
const through = pgBouncer === null ? "; without PgBouncer, which is not on this machine" : " and PgBouncer in transaction mode";
const PATIENCE_MS = 600_000;
/** The settings of docs/scaling.md and docs/backup.md, without fsync, since no machine fails here. */
const SETTINGS = {
  fsync: "off",
  wal_level: "logical",
  max_worker_processes: "32",
  max_wal_size: "256MB",
  archive_mode: "on",
  archive_command: "cp %p ../archive/%f.part && mv ../archive/%f.part ../archive/%f",
  "citus.recover_2pc_interval": "1s",
};

/** Does everything that docs/scaling.md tells operators of several machines to do, while customers keep sending requests. */
describe.skipIf(programs === null)(`a cluster under load, through a web process, a worker${through}`, () => {
  const oracle = new Oracle();
  const journal: Acknowledged[] = [];
  const traffic = new Traffic();
  let cluster: Cluster;
  let database: Database;
  let pooler: Awaited<ReturnType<typeof startPgBouncer>> | null = null;
  let service: Program[];
  let sandbox: { environment: Environment; apiKey: string };
  let customers: Customer[];
  let running: Promise<unknown>;
  let longestMs = 0;

  beforeAll(async () => {
    cluster = await startCluster(programs!, SETTINGS);
    await migrateDatabase(cluster.url);
    database = openDatabase(cluster.url, { connections: 2 });
    await distribute(database, { coordinator: cluster.coordinator, workers: cluster.workers, shards: 8, isDryRun: false });
    if (pgBouncer !== null) pooler = await startPgBouncer(pgBouncer, cluster.url);
    await startPrograms();
    sandbox = await openSandbox(database, "operated", { version: 1, ...MISSIONS, marketplaceItems: LISTINGS });
    customers = Array.from({ length: 4 }, (_, index) => customerOf(index));
    running = Promise.all(customers.map((one) => one.run(traffic)));
    running.catch(() => {});
  }, PATIENCE_MS);
  afterAll(async () => {
    for (const one of service ?? []) await one.kill();
    await pooler?.close();
    await database?.close();
    await cluster?.stop();
  }, PATIENCE_MS);

  test(
    "a machine is added and shards move to it: nothing is lost or counted twice, and no read of a board is incomplete",
    async () => {
      const readers = await startReaders();
      await flow();
      const { host, port } = await cluster.add();
      await commandLine(["scale", "distribute", "--worker", `${host}:${port}`], {
        DATABASE_URL: cluster.url,
        AUTH_SECRET: TEST_AUTH_SECRET,
      });
      const shardsThere = async () =>
        (await database.sql.unsafe("select from citus_shards where nodeport = $1 and table_name = 'players'::regclass", [port])).length;
      expect(await shardsThere()).toBe(0);
      await database.sql.unsafe("select citus_rebalance_start()");
      await steadilyUntil(async () =>
        ((await Promise.race([jobs(), running, readers.running])) as { state: string }[]).every(({ state }) => state === "finished"),
      );
      expect(await shardsThere()).toBeGreaterThan(1);
      expect(await readers.stop()).toBeGreaterThan(20);
      await flow();
      await compare("shards moved");
    },
    PATIENCE_MS,
  );

  test(
    "a machine is lost and its standby takes over",
    async () => {
      const [lost, server] = [cluster.workers[0]!, cluster.servers[1]!];
      traffic.resume();
      const standby = await cluster.follow(1);
      await ask(server, "alter system set synchronous_standby_names = '*'");
      await ask(server, "select pg_reload_conf()");
      await until(server, "select exists (select from pg_stat_replication where sync_state = 'sync') as holds");
      await flow();
      await server.stop();
      const heir = cluster.servers.at(-1)!;
      await ask(heir, "select pg_promote()");
      await database.sql.unsafe("select citus_update_node(nodeid, $1, $2) from pg_dist_node where nodeport = $3", [
        standby.host,
        standby.port,
        lost.port,
      ]);
      await flow();
      await compare("a standby took over");
    },
    PATIENCE_MS,
  );

  test(
    "all machines are backed up and restored to one point: the audit finds no difference, and repeated requests count once",
    async () => {
      const servers = cluster.servers.filter((_, index) => index !== 1);
      traffic.resume();
      for (const server of servers) await server.backUp();
      await flow();
      await database.sql.unsafe("select citus_create_restore_point('agreed')");
      await flow();
      await traffic.pause();
      traffic.end();
      await running;
      expect(await Promise.all(service.map((one) => one.stop()))).toEqual([0, 0]);
      expect(service.flatMap((one) => one.faults())).toEqual([]);
      for (const server of servers) await archived(server);
      await database.close();
      await Promise.all(servers.map((server) => server.restore("agreed")));

      database = openDatabase(cluster.url, { connections: 2 });
      await untilRecovered(database);
      const waiting = expect.stringContaining("accepted facts are not applied");
      expect([[], [waiting]]).toContainEqual(await steadily(() => checkIntegrity(database, sandbox.environment)));
      expect(await forgetLost(database, oracle), "requests of after the point").toBeGreaterThan(0);
      await startPrograms();
      const settled = () => steadilyUntil(async () => !(await hasWaiting(database.sql, sandbox.environment.id)));
      const { apiKey } = sandbox;
      expect(await sendAgain({ port: service[0]!.port, apiKey, oracle, journal, settled })).toEqual([]);
      await compare("restored to one point");
      expect(await compareAnswers(customerOf(9), oracle, "Mission never")).toEqual([]);
      expect(service.flatMap((one) => one.faults())).toEqual([]);
    },
    PATIENCE_MS,
  );

  async function startPrograms(): Promise<void> {
    const settings = { DATABASE_URL: pooler?.url ?? cluster.url, AUTH_SECRET: TEST_AUTH_SECRET };
    const environment = { ...settings, DEMO: "off", PAGES: "off", WORKER: "off", OWNER_PASSWORD: "only for this test" };
    service = await Promise.all(
      (["server/process/main.ts", "server/process/worker.ts"] as const).map(async (file) =>
        program({ name: file, file, port: await steadyPort(), environment }),
      ),
    );
    for (const one of service) one.start();
    await Promise.all(service.map((one) => one.ready()));
  }

  function customerOf(index: number): Customer {
    const ports = [service[0]!.port];
    const customer = new Customer({ name: `c${index}`, ports, apiKey: sandbox.apiKey, oracle, journal, chance: chance(index), shared: [] });
    const say = customer.say.bind(customer);
    customer.say = async (...request) => {
      const began = performance.now();
      const reply = await say(...request);
      longestMs = Math.max(longestMs, performance.now() - began);
      return reply;
    };
    return customer;
  }

  /**
   * Two readers of a board whose scores no longer change, with players in all shards. They fail if an answer differs from the first one for
   * the same player; `stop` returns the number of answers. A read that finds a shard moved is repeated (`run_prepared` in
   * db/scale/functions/shards.sql).
   */
  async function startReaders() {
    const { environment, apiKey } = await openSandbox(database, "board", {
      version: 1,
      ...boards(board("spent", measured("Sum", "amount"))),
    });
    const send = (method: string, path: string, body?: object) =>
      exchange(service[0]!.port, method, path, { headers: { authorization: `Bearer ${apiKey}` }, ...(body && { body }) });
    const players = Array.from({ length: 64 }, (_, at) => `p${at}`);
    const events = players.map((playerId, at) => ({
      ...{ playerId, event: "order_placed", occurredAt: new Date().toISOString(), properties: { amount: at } },
    }));
    expect(await send("POST", "/v1/events", { events })).toMatchObject({ status: 200, json: { accepted: players.length } });
    await steadilyUntil(async () => !(await hasWaiting(database.sql, environment.id)));
    const read = async (playerId: string) => {
      const { status, text } = await send("GET", `/v1/leaderboards/spent?PlayerId=${playerId}&Top=64&Neighbours=3`);
      return { status, text };
    };
    const known: Awaited<ReturnType<typeof read>>[] = [];
    for (const playerId of players) {
      const { status, text } = await read(playerId);
      expect(status).toBe(200);
      expect(JSON.parse(text)).toMatchObject({ leaderboard: { participants: players.length } });
      known.push({ status, text });
    }
    let isReading = true;
    let reads = 0;
    const readOn = async (first: number) => {
      for (let at = first; isReading; at += 2) {
        const answer = await read(players[at % players.length]!);
        expect(answer).toEqual(known[at % players.length]);
        reads += 1;
      }
    };
    const both = Promise.all([readOn(0), readOn(1)]);
    both.catch(() => {});
    const stop = async () => {
      isReading = false;
      await both;
      return reads;
    };
    return { running: both, stop };
  }

  /** Lets the customers send until further requests were acknowledged. */
  async function flow(): Promise<void> {
    const before = oracle.answers;
    traffic.resume();
    while (oracle.answers < before + 60) await Promise.race([delay(50), running]);
  }

  /** Compares the service with the customers' books and audits it; prints the longest wait of a request since the last comparison. */
  async function compare(what: string): Promise<void> {
    await Promise.race([traffic.pause(), running]);
    const { environment } = sandbox;
    await steadilyUntil(async () => !(await hasWaiting(database.sql, environment.id)));
    await untilRecovered(database);
    const found = await steadily(() => compareWithOracle(database, environment, oracle));
    expect([...found, ...(await steadily(() => checkIntegrity(database, environment)))]).toEqual([]);
    console.log(
      `${what}: ${oracle.answers} requests so far, no difference; the longest took ${Math.round(longestMs)} ms until it was answered for good`,
    );
    longestMs = 0;
  }

  const jobs = () => database.sql.unsafe<{ state: string }[]>("select state from citus_rebalance_status()");

  /** Queries one server directly, in the service's database. */
  async function ask(server: Server, question: string): Promise<postgres.RowList<postgres.Row[]>> {
    const sql = postgres(databaseUrl(server.url(), "engagement"), { max: 1, onnotice: () => {} });
    try {
      return await sql.unsafe(question);
    } finally {
      await sql.end();
    }
  }

  const until = (server: Server, question: string) => steadilyUntil(async () => (await ask(server, question))[0]!["holds"] === true);

  /** Waits until everything that a server has written is in its archive. */
  async function archived(server: Server): Promise<void> {
    const [row] = await ask(server, "select pg_walfile_name(pg_switch_wal()) as file");
    await until(server, `select last_archived_wal >= '${row!["file"]}' as holds from pg_stat_archiver`);
  }
});
