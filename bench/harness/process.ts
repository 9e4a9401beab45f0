import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import packageFile from "../../package.json" with { type: "json" };
import { endProcess, hasExited, QUICK_START, steadyPort } from "../../e2e/programs.ts";
import type { Context } from "./figure.ts";
import { Connection, requestOf } from "./http.ts";
import { SIZE } from "./size.ts";

/** A measured server, in its own process. */
export interface Server {
  port: number;
  pid: number;
  /** Resident memory, in bytes. */
  memory(): number;
  stop(): Promise<void>;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DIE_WITH_PARENT = fileURLToPath(new URL("./die-with-parent.ts", import.meta.url));
/** The Node options of `npm start`. */
const NODE_FLAGS = packageFile.scripts.start.split(" ").filter((word) => word.startsWith("--"));
/** Long, because the first start builds the pages. */
const PATIENCE_MS = 240_000;
const SMOKE_FLAGS = SIZE === "smoke" ? QUICK_START : [];

/** The `AUTH_SECRET` of all services started here. */
export const AUTH_SECRET = "only for this benchmark, gone with it";

let started = 0;

/** Starts the service as in production: one process with HTTP and worker, optionally without the worker or the pages. */
export const startService = (
  context: Context,
  url: string,
  {
    worker = true,
    pages = SIZE !== "smoke",
    environment = {},
  }: { worker?: boolean; pages?: boolean; environment?: Record<string, string> } = {},
): Promise<Server> =>
  // The pages load after the API, and would use CPU during the measurement.
  startServer(context, "server/process/main.ts", pages && process.env["PAGES"] !== "off" ? "/sign-in" : "/v1/openapi.json", {
    DATABASE_URL: url,
    AUTH_SECRET,
    DEMO: "off",
    OWNER_PASSWORD: "only for this benchmark",
    WORKER: worker ? "on" : "off",
    ...(!pages && { PAGES: "off" }),
    // A worker thread loads the whole service again, which in a smoke run takes longer than its work.
    ...(SIZE === "smoke" && { WORKER_THREADS: "0" }),
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true",
    ...environment,
  });

/** Starts a program that serves HTTP on `PORT`, and waits until `readyPath` answers 200. */
export async function startServer(
  { server: { files }, profiles, atEnd }: Context,
  program: string,
  readyPath: string,
  environment: Record<string, string>,
): Promise<Server> {
  const port = await steadyPort();
  const log = join(files, `process-${++started}.log`);
  const output = openSync(log, "w");
  const profile = profiles === null ? [] : ["--cpu-prof", `--cpu-prof-dir=${profiles}`];
  const child = spawn(process.execPath, [...profile, ...NODE_FLAGS, ...SMOKE_FLAGS, "--import", DIE_WITH_PARENT, program], {
    cwd: ROOT,
    // NODE_OPTIONS and WORKER_THREADS are passed on for experiments, the compile cache because it halves a start, and PAGES=off for
    // figures that request no page.
    env: {
      ...inherited("PATH", "HOME", "NODE_OPTIONS", "NODE_COMPILE_CACHE", "PAGES", "WORKER_THREADS"),
      NODE_ENV: "production",
      ...environment,
      PORT: String(port),
    },
    stdio: ["ignore", output, output, "ipc"],
    // Ctrl-C then reaches only the bench, which stops what it started.
    detached: true,
  });
  closeSync(output);
  const server = { port, pid: child.pid!, memory: () => memoryOf(child.pid!), stop: () => endProcess(child, "SIGTERM", 12_000) };
  atEnd(server.stop);
  await untilReady(child, port, readyPath, log);
  return server;
}

const inherited = (...names: string[]) =>
  Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));

async function untilReady(child: ChildProcess, port: number, path: string, log: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!hasExited(child) && performance.now() < deadline) {
    const connection = await Connection.open(port).catch(() => null);
    const answer = await connection?.request(requestOf("GET", path, { key: "" })).catch(() => null);
    connection?.close();
    if (answer?.status === 200) return;
    await sleep(50);
  }
  throw new Error(`A process of the benchmark did not become ready:\n${readFileSync(log, "utf8").slice(-2000)}`);
}

const memoryOf = (pid: number): number => 1024 * Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).trim());
