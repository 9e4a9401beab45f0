import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { databaseUrl } from "../../db/harness/database-url.ts";
import { chooseLaunch, handOver, type Launch, launchProgram } from "../../db/embedded/launch.ts";
import type { Node } from "../../db/scale/distribute.ts";
import { steadyPort } from "../crash/programs.ts";

const DATABASE = "engagement";

/** A coordinator and its workers, each a PostgreSQL with Citus, in a folder of their own. */
export interface Cluster {
  /** The coordinator's database: with the extension, without workers yet. */
  url: string;
  coordinator: Node;
  workers: Node[];
  /** The coordinator's log in JSON, one line per message. */
  log: string;
  /** The servers' process ids, the coordinator's first. */
  pids: number[];
  /** `kill -9` of a server; 0 is the coordinator. It restarts at once. */
  kill(index: number): boolean;
  stop(): Promise<void>;
}

/** The programs' folder of a PostgreSQL with Citus (found by `pg_config` or PG_CONFIG); null without one. */
export function findCitus(): string | null {
  const ask = (what: string) => execFileSync(process.env["PG_CONFIG"] ?? "pg_config", [what], { encoding: "utf8", stdio: "pipe" }).trim();
  try {
    return existsSync(join(ask("--pkglibdir"), "citus.so")) ? ask("--bindir") : null;
  } catch {
    return null;
  }
}

/** Starts a coordinator and two workers. They end with this process, except on `kill -9`. */
export async function startCluster(programs: string, settings: Record<string, string> = {}): Promise<Cluster> {
  const directory = mkdtempSync(join(tmpdir(), "engagement-citus-"));
  const servers = [0, 1, 2].map((index) => serverIn(programs, join(directory, String(index)), settings));
  const removeAll = () => {
    for (const server of servers) server.end();
    removeSoon(directory);
  };
  process.once("exit", removeAll);
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    removeAll();
    process.off("exit", removeAll);
  };
  try {
    const nodes: Node[] = [];
    for (const { url, port } of await Promise.all(servers.map((server) => server.start()))) {
      await createDatabase(url);
      nodes.push({ host: "127.0.0.1", port });
    }
    const [coordinator, ...workers] = nodes as [Node, ...Node[]];
    return {
      url: `postgres://postgres@127.0.0.1:${coordinator.port}/${DATABASE}`,
      coordinator,
      workers,
      log: join(directory, "0/data/log/server.json"),
      pids: servers.map((server) => server.pid()),
      kill: (index) => servers[index]!.kill(),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Removes a folder in which ending processes may still write. When this process exits, nothing else can wait for them. */
function removeSoon(folder: string): void {
  for (let attempt = 0; attempt < 50 && existsSync(folder); attempt++) {
    if (attempt > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    try {
      // It may also return early without an error: a file that a server removes meanwhile counts as a missing folder.
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // A file was added meanwhile.
    }
  }
}

interface Server {
  /** Throws if it does not start. */
  start(): Promise<{ url: string; port: number }>;
  pid(): number;
  kill(): boolean;
  /** Kills it without waiting. It does not restart. */
  end(): void;
  stop(): Promise<void>;
}

/** A server on files in a folder of its own. Once started, it restarts whenever it ends. */
function serverIn(programs: string, directory: string, settings: Record<string, string>): Server {
  const data = join(directory, "data");
  let server: ChildProcess | null = null;
  let isUp = false;
  let isStopping = false;
  const isRunning = () => server !== null && server.exitCode === null && server.signalCode === null;
  const end = () => {
    isStopping = true;
    if (isRunning()) server!.kill("SIGQUIT");
  };
  return {
    async start() {
      const { launch, port } = await initialize(programs, data, settings);
      const startAgain = async () => {
        if (!isUp) return;
        // After a kill the first starts may fail while processes of the old server still exit.
        await delay(200);
        if (!isStopping) run();
      };
      const run = () => {
        server = launchProgram(launch, join(programs, "postgres"), ["-D", data], "ignore").once("exit", () => void startAgain());
      };
      if (!isStopping) run();
      const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
      await untilReady(url, isRunning);
      isUp = true;
      return { url, port };
    },
    pid: () => server!.pid!,
    kill: () => server!.kill("SIGKILL"),
    end,
    async stop() {
      const ended = isRunning() ? once(server!, "exit") : Promise.resolve();
      end();
      await ended;
    },
  };
}

/** Makes the files of a server. */
async function initialize(programs: string, data: string, settings: Record<string, string>): Promise<{ launch: Launch; port: number }> {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const launch = chooseLaunch(join(programs, "postgres"));
  handOver(launch, dirname(data));
  const made = launchProgram(
    launch,
    join(programs, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"],
    "ignore",
  );
  const [code] = (await once(made, "exit")) as [number | null];
  if (code !== 0) throw new Error(`initdb ended with ${code}.`);
  const port = await steadyPort();
  const all = {
    ...settings,
    shared_preload_libraries: "citus",
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "400",
    // Also for sessions older than the distribution, which sets it for the database.
    jit: "off",
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
  return { launch, port };
}

async function untilReady(url: string, isRunning: () => boolean): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const sql = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 2 });
    try {
      await sql`select 1`;
      return;
    } catch (error) {
      if (!isRunning()) throw new Error("PostgreSQL ended instead of coming up.", { cause: error });
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
