import { spawnSync } from "node:child_process";
import { closeSync, existsSync, fstatSync, openSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Binaries, refusal } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { launchProgram, type Launch } from "./launch.ts";

export interface Running {
  pid: number;
  port: number;
  /** The folder of its Unix socket; empty without one. */
  socket: string;
}

export type ServerSettings = Readonly<Record<string, string>>;

/** Durable (fsync and synchronous_commit stay on) and sized for one machine that also runs the service. */
const SETTINGS: ServerSettings = {
  listen_addresses: "127.0.0.1",
  // A small statement costs a quarter less CPU than over the loopback address. The socket has no file: a crash leaves none behind, and the
  // 107 bytes of a path are enough. Linux alone has such sockets.
  unix_socket_directories: process.platform === "linux" ? "@engagement" : "",
  timezone: "UTC",
  log_timezone: "UTC",
  max_connections: "200",
  shared_buffers: "256MB",
  effective_cache_size: "1GB",
  maintenance_work_mem: "128MB",
  work_mem: "8MB",
  max_wal_size: "4GB",
  // Compressing full-page writes took a third of the server's time while events were applied.
  wal_compression: "off",
  checkpoint_completion_target: "0.9",
  random_page_cost: "1.1",
  // Short statements: JIT and parallel workers cost more than they save (and containers have little /dev/shm).
  jit: "off",
  max_parallel_workers_per_gather: "0",
  // Releases the locks of a client whose machine is gone.
  tcp_keepalives_idle: "60",
};

/** The time that the children of a killed server may take to exit, and another process to start the server. */
export const PATIENCE_MS = 30_000;
const MAX_LOG = 10_000_000;

/** Returns the server that runs on these files, or starts one. The caller holds the database's file lock. */
export async function ensureServer(cluster: Cluster, binaries: Binaries, launch: Launch, settings: ServerSettings): Promise<Running> {
  let deadline = performance.now() + PATIENCE_MS;
  let said = "";
  while (performance.now() < deadline) {
    const found = readPidFile(cluster);
    if (found && isServerOf(cluster.data, found.pid)) {
      if (found.status === "ready") return found;
      said = `the server with process id ${found.pid} does not get ready`;
      // After a crash it first replays its log, which has no time limit.
      if (found.status === "starting") deadline = performance.now() + PATIENCE_MS;
    } else {
      // PostgreSQL would take the dead server for a live one: its process id belongs to another process.
      if (found && isRunning(found.pid)) await disownPidFile(cluster);
      const started = await startServer(cluster, binaries, launch, settings);
      if (typeof started !== "string") return started;
      said = started;
      if (!isTransient(said)) break;
    }
    await sleep(50);
  }
  throw refusal(`PostgreSQL on ${cluster.data} says:\n${said}\n`);
}

/** Starts a server; if it exits before it is ready, returns its output. */
async function startServer(cluster: Cluster, binaries: Binaries, launch: Launch, settings: ServerSettings): Promise<Running | string> {
  const port = await choosePort(cluster);
  const log = openLog(cluster);
  const before = fstatSync(log).size;
  const options = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = launchProgram(launch, binaries.postgres, ["-D", cluster.data, "-p", String(port), ...options], ["ignore", log, log]);
  closeSync(log);
  let ended = false;
  child.once("error", () => (ended = true)).once("exit", () => (ended = true));
  child.unref();
  for (;;) {
    const found = readPidFile(cluster);
    if (found?.pid === child.pid && found?.status === "ready") return found;
    if (ended) return readFileSync(cluster.log).subarray(before).toString().trim();
    await sleep(20);
  }
}

/** Ends the server: its clients' transactions are rolled back, a checkpoint is written. */
export async function stopServer(cluster: Cluster, pid: number): Promise<void> {
  if (!signal(pid, "SIGINT")) return;
  const deadline = performance.now() + PATIENCE_MS;
  while (isServerOf(cluster.data, pid)) {
    if (performance.now() > deadline) return void signal(pid, "SIGQUIT");
    await sleep(10);
  }
}

/**
 * Whether the process of this id is a server on these files. False for a zombie, and if the id now belongs to another process, even another
 * PostgreSQL.
 */
export function isServerOf(data: string, pid: number): boolean {
  return commandLine(pid).includes(` -D ${data} `);
}

function commandLine(pid: number): string {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout ?? "";
  } catch {
    return "";
  }
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/**
 * Whether another try may succeed: another process is starting the server, children of a killed one still hold its shared memory, or the
 * port is taken.
 */
const isTransient = (said: string) => /lock file "postmaster\.pid"|shared memory block|in use|could not create any TCP/i.test(said);

const pidFile = (cluster: Cluster) => join(cluster.data, "postmaster.pid");

/**
 * PostgreSQL's postmaster.pid: line 1 the process id, 4 the port, 5 the socket's folder, 8 the state. Null without one, or while it is
 * being written.
 */
function readPidFile(cluster: Cluster): (Running & { status: string }) | null {
  let lines: string[];
  try {
    lines = readFileSync(pidFile(cluster), "utf8").split("\n");
  } catch {
    return null;
  }
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, port: Number(lines[3]), socket: lines[4] ?? "", status: (lines[7] ?? "starting").trim() } : null;
}

/** Whether a process has this id: any user's, or a zombie. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/**
 * Replaces the process id in a dead server's postmaster.pid with an unused one. PostgreSQL then checks the shared memory that children of
 * the dead server may still use. It waits a second first: a server whose starter was killed may be writing its own file right now.
 */
async function disownPidFile(cluster: Cluster): Promise<void> {
  const before = readFileSync(pidFile(cluster), "utf8");
  await sleep(1000);
  if (!existsSync(pidFile(cluster)) || readFileSync(pidFile(cluster), "utf8") !== before) return;
  writeFileSync(pidFile(cluster), before.replace(/^.*/, "2147483647"));
}

/** The previous port, which other processes may still use, unless it is taken. */
async function choosePort(cluster: Cluster): Promise<number> {
  const file = join(cluster.directory, "port");
  const before = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
  const port = (before && (await probe(before))) || (await probe(0));
  if (port !== before) writeFileSync(file, `${port}\n`);
  return port;
}

/** The port if it is free, otherwise 0. Port 0 asks for any free one. */
function probe(port: number): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
      .once("error", () => resolve(0))
      .listen(port, "127.0.0.1", () => {
        const { port: free } = server.address() as AddressInfo;
        server.close(() => resolve(free));
      });
  });
}

function openLog(cluster: Cluster): number {
  const descriptor = openSync(cluster.log, "a", 0o600);
  if (fstatSync(descriptor).size > MAX_LOG) truncateSync(cluster.log);
  return descriptor;
}
