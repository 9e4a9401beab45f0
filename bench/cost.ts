import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openDatabase, type Database } from "../db/client.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { distribute } from "../db/scale/distribute.ts";
import { ON_WORKERS } from "../db/tables.ts";
import { findCitus, startCluster } from "../rehearsals/citus/cluster.ts";
import { setLanes } from "../server/engine/store/installation.ts";
import { untilSettled } from "../server/operations/worker/until-settled.ts";
import { startDatabase } from "./harness/database.ts";
import { boardsAndStreak, eventDefinition, twentyMissions } from "./harness/definitions.ts";
import { makeRequests, playerName, requestsForEveryone } from "./harness/events.ts";
import type { Context } from "./harness/figure.ts";
import { type Connection, expectOk, requestOf, withConnections } from "./harness/http.ts";
import { sendAll } from "./harness/load.ts";
import { cpuUsOf } from "./harness/proc.ts";
import { startService } from "./harness/process.ts";
import { makeProject, missionsRequest, pointsRequest, type Project } from "./harness/project.ts";

/**
 * `npm run cost`: measures the processor time, log and bytes of an event, a read, a purchase and a stored player, for docs/scaling.md.
 * Unlike durations, these do not depend on other load. With `--citus` on a coordinator and two workers; `--workers`, `--shards` and
 * `--lanes` set their numbers. Linux only.
 */
const { values } = parseArgs({
  options: {
    citus: { type: "boolean", default: false },
    players: { type: "string", default: "2000" },
    batches: { type: "string", default: "20" },
    workers: { type: "string", default: "2" },
    shards: { type: "string", default: "8" },
    lanes: { type: "string" },
  },
});
const PLAYERS = Number(values.players);
const BATCHES = Number(values.batches);
const READS = 1_000;
const PURCHASES = 500;
const CONNECTIONS = 8;

/** The servers of a database, the coordinator first. */
interface Servers {
  database: Database & { url: string };
  pids: readonly number[];
  /** The servers' addresses, for measuring their logs. */
  urls: readonly string[];
  close(): Promise<void>;
}

const closing: (() => Promise<unknown>)[] = [];
try {
  const servers = values.citus ? await citus() : await oneServer();
  closing.push(servers.close);
  console.log(JSON.stringify(await measure(servers), null, 2));
} finally {
  for (const close of closing.reverse()) await close();
}

async function measure(servers: Servers): Promise<object> {
  const { database } = servers;
  const project = await makeProject(database, "cost", {
    events: [eventDefinition("order_placed")],
    missions: twentyMissions(),
    ...boardsAndStreak(),
    catalogItems: [{ key: "free_coffee", name: "Free coffee", valueType: "Number" }],
    marketplaceItems: [
      { key: "voucher", name: "Voucher", priceInPoints: 1, stock: 1_000_000, contents: [{ catalogItem: "free_coffee", value: 1 }] },
    ],
  });
  const context = {
    server: { files: "/tmp" },
    profiles: null,
    atEnd: (close: () => Promise<unknown>) => closing.push(close),
  } as unknown as Context;
  const service = await startService(context, database.url, { pages: false });
  const cost = (times: number, work: () => Promise<unknown>) => costOf(servers, service.pid, times, work);
  const board = boardsAndStreak().leaderboards[0]!.key;

  await sendAll(service.port, requestsForEveryone(project.key, { count: PLAYERS }), { connections: 4 });
  await applied(database, project);
  // The first mission read enters a player into the twenty missions.
  const feed = () => inTurn(service.port, PLAYERS, (index) => missionsRequest(project.key, playerName(index)));
  await feed();
  const requests = makeRequests(project.key, BATCHES, { count: PLAYERS });
  const event = await cost(requests.length * 1_000, async () => {
    await sendAll(service.port, requests, { connections: 4 });
    await applied(database, project);
  });
  await inTurn(service.port, PURCHASES, (index) =>
    requestOf("POST", "/v1/points/adjustments", {
      key: project.key,
      body: JSON.stringify({ playerId: playerName(index), amount: 10, reason: "to spend" }),
    }),
  );
  const purchase = await cost(PURCHASES, () =>
    inTurn(service.port, PURCHASES, (index) =>
      requestOf("POST", "/v1/marketplace-items/voucher/purchases", {
        key: project.key,
        body: JSON.stringify({ playerId: playerName(index) }),
      }),
    ),
  );
  const read = await cost(READS, () => inTurn(service.port, READS, (index) => pointsRequest(project.key, playerName(index % PLAYERS))));
  const missions = await cost(PLAYERS, feed);
  const boardRead = await cost(READS, () =>
    inTurn(service.port, READS, (index) =>
      requestOf("GET", `/v1/leaderboards/${board}?PlayerId=${playerName(index % PLAYERS)}`, { key: project.key }),
    ),
  );
  return { players: PLAYERS, events: requests.length * 1_000, event, read, missions, boardRead, purchase, stored: await stored(database) };
}

/** CPU of a process and its descendants. */
function cpuUs(pid: number): number {
  const us = cpuUsOf(pid);
  if (us === null) throw new Error("The cost of an event can be measured on Linux only.");
  return us;
}

/** Processor time in microseconds and bytes of the log, per operation. */
async function costOf(servers: Servers, service: number, times: number, work: () => Promise<unknown>) {
  const look = async () => ({ service: cpuUs(service), servers: servers.pids.map(cpuUs), log: await logOf(servers.urls) });
  const before = await look();
  await work();
  const after = await look();
  const each = (now: number, then: number) => Math.round((now - then) / times);
  const [first = 0, ...workers] = after.servers.map((now, index) => each(now, before.servers[index]!));
  return {
    serviceMicros: each(after.service, before.service),
    databaseMicros: first,
    ...(workers.length > 0 && { workersMicros: workers }),
    logBytes: after.log.map((now, index) => each(now, before.log[index]!)),
  };
}

async function logOf(urls: readonly string[]): Promise<number[]> {
  const positions: number[] = [];
  for (const url of urls) {
    const { sql, close } = openDatabase(url, { connections: 1 });
    const [row] = await sql<{ position: number }[]>`select (pg_current_wal_insert_lsn() - '0/0')::float8 as position`;
    positions.push(row?.position ?? 0);
    await close();
  }
  return positions;
}

/** Bytes including indexes: of an event in the log, and of a player in all other tables. */
async function stored({ sql }: Database): Promise<{ eventBytes: number; playerBytes: number }> {
  const [installed] = await sql<{ isThere: boolean }[]>`select exists (select from pg_extension where extname = 'citus') as is_there`;
  const sizeOf = async (table: string) => {
    const of = installed?.isThere === true ? "citus_total_relation_size" : "pg_total_relation_size";
    const [row] = await sql.unsafe<{ size: number }[]>(`select ${of}('${table}')::float8 as size`);
    return row?.size ?? 0;
  };
  await sql`vacuum (analyze)`;
  const [rows] = await sql<{ events: number; players: number }[]>`
    select (select count(*) from events) as events, (select count(*) from players) as players`;
  let others = 0;
  for (const table of ON_WORKERS) if (table !== "events") others += await sizeOf(table);
  return { eventBytes: Math.round((await sizeOf("events")) / (rows?.events ?? 1)), playerBytes: Math.round(others / (rows?.players ?? 1)) };
}

async function applied(database: Database, { environment }: Project): Promise<void> {
  while (!(await untilSettled(database, environment, { player: null, deliveries: false, withinMs: 20_000 })).isSettled);
}

function inTurn(port: number, times: number, request: (index: number) => Buffer): Promise<void> {
  return withConnections(port, CONNECTIONS, async (open) => {
    let next = 0;
    const send = async (connection: Connection) => {
      for (let index = next++; index < times; index = next++) expectOk(await connection.request(request(index)));
    };
    await Promise.all(open.map(send));
  });
}

async function oneServer(): Promise<Servers> {
  const server = await startDatabase();
  const database = await server.create("bench_cost");
  const pid = Number(readFileSync(join(server.files, "../postgres/data/postmaster.pid"), "utf8").split("\n")[0]);
  return { database, pids: [pid], urls: [database.url], close: async () => void (await database.close(), await server.close()) };
}

async function citus(): Promise<Servers> {
  const programs = findCitus();
  if (programs === null) throw new Error("There is no PostgreSQL with Citus here. Install it where pg_config finds it, or set PG_CONFIG.");
  // The cluster ends with this process.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const cluster = await startCluster(programs, {}, { count: Number(values.workers) });
  closing.push(cluster.stop);
  await migrateDatabase(cluster.url);
  const database = openDatabase(cluster.url, { connections: 4 });
  await distribute(database, {
    coordinator: cluster.coordinator,
    workers: cluster.workers,
    shards: Number(values.shards),
    isDryRun: false,
  });
  if (values.lanes !== undefined) await setLanes(database, Number(values.lanes));
  const urls = [cluster.url, ...cluster.workers.map(({ port }) => `postgres://postgres@127.0.0.1:${port}/engagement`)];
  return { database: { ...database, url: cluster.url }, pids: cluster.pids, urls, close: database.close };
}
