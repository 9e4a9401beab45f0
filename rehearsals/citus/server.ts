import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { chooseLaunch, handOver, launchProgram } from "../../db/embedded/launch.ts";
import { steadyPort } from "../../e2e/programs.ts";

/** A PostgreSQL with Citus, with its files in its own folder. */
export interface Server {
  /** The URL of its database `postgres`. */
  url(): string;
  port(): number;
  /** Initializes and starts it. Throws if it does not start. */
  start(): Promise<void>;
  /** As `start`, but as a standby of another server. */
  follow(primary: Server): Promise<void>;
  /** Takes a base backup while it runs. Its log is archived in its folder from the start. */
  backUp(): Promise<void>;
  /** Deletes its files and restores them from the backup and the archive, up to a named restore point. */
  restore(point: string): Promise<void>;
  pid(): number;
  kill(): boolean;
  /** Kills it without waiting. It does not restart. */
  end(): void;
  stop(): Promise<void>;
}

/** A server that, once started, is restarted whenever it ends. */
export function serverIn(programs: string, directory: string, settings: Record<string, string>): Server {
  const [data, backup] = [join(directory, "data"), join(directory, "backup")];
  const launch = chooseLaunch(join(programs, "postgres"));
  let server: ChildProcess | null = null;
  let port = 0;
  let isUp = false;
  let isStopping = false;
  const url = () => `postgres://postgres@127.0.0.1:${port}/postgres`;
  const isRunning = () => server !== null && server.exitCode === null && server.signalCode === null;
  const startAgain = async () => {
    if (!isUp) return;
    // After a kill the first starts may fail while processes of the old server still exit.
    await delay(200);
    if (!isStopping) run();
  };
  const run = () => {
    server = launchProgram(launch, join(programs, "postgres"), ["-D", data], "ignore").once("exit", () => void startAgain());
  };
  const start = async (query = "select") => {
    if (!isStopping) run();
    await untilReady(url(), query, isRunning);
    isUp = true;
  };
  const end = () => {
    isStopping = true;
    if (isRunning()) server!.kill("SIGQUIT");
  };
  const stop = async () => {
    const ended = isRunning() ? once(server!, "exit") : Promise.resolve();
    end();
    await ended;
  };
  /** Runs a program of PostgreSQL to its end. */
  const runProgram = async (name: string, ...args: string[]) => {
    const [code] = (await once(launchProgram(launch, join(programs, name), args, "ignore"), "exit")) as [number | null];
    if (code !== 0) throw new Error(`${name} ended with ${code}.`);
  };
  const configure = (lines: Record<string, string>) =>
    appendFileSync(join(data, "postgresql.auto.conf"), Object.entries(lines).map(([name, value]) => `${name} = '${value}'\n`).join("")); // oxfmt-ignore
  const prepare = async () => {
    mkdirSync(join(directory, "archive"), { recursive: true, mode: 0o700 });
    handOver(launch, directory);
    port = await steadyPort();
  };
  return {
    url,
    port: () => port,
    async start() {
      await prepare();
      await runProgram("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C");
      configure({ ...settings, ...SETTINGS, port: String(port) });
      await start();
    },
    async follow(primary) {
      await prepare();
      await runProgram("pg_basebackup", "-D", data, "-d", primary.url(), "--checkpoint=fast", "--write-recovery-conf");
      configure({ port: String(port) });
      await start();
    },
    backUp: () => runProgram("pg_basebackup", "-D", backup, "-d", url(), "--checkpoint=fast"),
    async restore(point) {
      // Set before it stops, so that it is not restarted automatically.
      isUp = false;
      await stop();
      rmSync(data, { recursive: true });
      renameSync(backup, data);
      writeFileSync(join(data, "recovery.signal"), "");
      configure({ restore_command: "cp ../archive/%f %p", recovery_target_name: point, recovery_target_action: "promote" });
      isStopping = false;
      await start("select 1 / (not pg_is_in_recovery())::int");
    },
    pid: () => server!.pid!,
    kill: () => server!.kill("SIGKILL"),
    end,
    stop,
  };
}

const SETTINGS = {
  shared_preload_libraries: "citus",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "400",
  // `distribute` sets this for the database, but not for sessions that are already open.
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

/** Waits until a query succeeds. */
async function untilReady(url: string, query: string, isRunning: () => boolean): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const sql = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 2 });
    try {
      await sql.unsafe(query);
      return;
    } catch (error) {
      if (!isRunning()) throw new Error("PostgreSQL ended before it was ready.", { cause: error });
      if (attempt === 300) throw error;
      await delay(200);
    } finally {
      await sql.end();
    }
  }
}
