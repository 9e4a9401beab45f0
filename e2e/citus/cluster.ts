import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { databaseUrl } from "../../db/testing/database-url.ts";
import { chooseLaunch, handOver, launchProgram } from "../../db/embedded/launch.ts";
import type { Node } from "../../db/scale/distribute.ts";

const DATABASE = "engagement";

/** A coordinator and its workers, each a PostgreSQL with Citus, in a folder of their own. */
export interface Cluster {
  /** The coordinator's database: the extension is there, the workers are not known yet. */
  url: string;
  coordinator: Node;
  workers: Node[];
  /** The coordinator's log in JSON, a line for each message. */
  log: string;
  /** The servers' process ids, the coordinator's first. */
  pids: number[];
  stop(): Promise<void>;
}

/** The folder of the programs of a PostgreSQL that has Citus (`pg_config` finds it, or PG_CONFIG); null without one. */
export function findCitus(): string | null {
  const ask = (what: string) => execFileSync(process.env["PG_CONFIG"] ?? "pg_config", [what], { encoding: "utf8", stdio: "pipe" }).trim();
  try {
    return existsSync(join(ask("--pkglibdir"), "citus.so")) ? ask("--bindir") : null;
  } catch {
    return null;
  }
}

/** Starts a coordinator and two workers. */
export async function startCluster(programs: string, settings: Record<string, string> = {}): Promise<Cluster> {
  const directory = mkdtempSync(join(tmpdir(), "engagement-citus-"));
  const servers = await Promise.all([0, 1, 2].map((index) => startServer(programs, join(directory, String(index)), settings)));
  const [coordinator, ...workers] = servers.map(({ port }) => ({ host: "127.0.0.1", port })) as [Node, ...Node[]];
  for (const { url } of servers) await createDatabase(url);
  return {
    url: databaseUrl(servers[0]!.url, DATABASE),
    coordinator,
    workers,
    log: join(directory, "0/data/log/server.json"),
    pids: servers.map(({ pid }) => pid),
    async stop() {
      await Promise.all(servers.map(({ stop }) => stop()));
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Server {
  url: string;
  port: number;
  pid: number;
  stop(): Promise<void>;
}

async function startServer(programs: string, directory: string, settings: Record<string, string>): Promise<Server> {
  const data = join(directory, "data");
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const launch = chooseLaunch(join(programs, "postgres"));
  handOver(launch, directory);
  const made = launchProgram(
    launch,
    join(programs, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"],
    "ignore",
  );
  const [code] = (await once(made, "exit")) as [number | null];
  if (code !== 0) throw new Error(`initdb ended with ${code}.`);
  const port = await freePort();
  const all = {
    ...settings,
    shared_preload_libraries: "citus",
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "400",
    max_prepared_transactions: "400",
    max_locks_per_transaction: "256",
    "citus.node_conninfo": "sslmode=disable",
    "citus.local_hostname": "127.0.0.1",
    "citus.enable_statistics_collection": "off",
    "citus.enable_create_database_propagation": "off",
    "citus.multi_task_query_log_level": "log",
    logging_collector: "on",
    log_destination: "jsonlog",
    log_filename: "server.log",
  };
  writeFileSync(
    join(data, "postgresql.auto.conf"),
    Object.entries(all)
      .map(([name, value]) => `${name} = '${value}'\n`)
      .join(""),
  );
  const server = launchProgram(launch, join(programs, "postgres"), ["-D", data], "ignore");
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await untilReady(url);
  const stop = async () => {
    const ended = server.exitCode === null ? once(server, "exit") : Promise.resolve();
    server.kill("SIGQUIT");
    await ended;
  };
  return { url, port, pid: server.pid!, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function untilReady(url: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const sql = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 2 });
    try {
      await sql`select 1`;
      return;
    } catch (error) {
      if (attempt === 300) throw error;
      await delay(200);
    } finally {
      await sql.end();
    }
  }
}

async function createDatabase(url: string): Promise<void> {
  const admin = postgres(url, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${DATABASE}`);
  await admin.end();
  const own = postgres(databaseUrl(url, DATABASE), { max: 1, onnotice: () => {} });
  await own`create extension citus`;
  await own.end();
}
