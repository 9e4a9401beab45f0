import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Node's compile cache, kept for the next process: half of a start's processor time. */
export const COMPILE_CACHE = fileURLToPath(new URL("../node_modules/.cache/node", import.meta.url));
/** Node's options for a quick start of this code. */
export const QUICK_START = ["--import", fileURLToPath(new URL("quick-start.mjs", import.meta.url))];
const CLOCK_STEPS = fileURLToPath(new URL("clock-steps.mjs", import.meta.url));

/** A program of the service in a process of its own, which may be killed and restarted. */
export interface Program {
  name: string;
  port: number;
  clockFile: string | undefined;
  start(): void;
  /** Waits until it serves. */
  ready(): Promise<void>;
  /** `kill -9`; false where it was not running. */
  kill(): Promise<boolean>;
  /** Sends SIGTERM; returns the exit code, or the signal that ended it. */
  stop(): Promise<number | NodeJS.Signals | null>;
  pid(): number | undefined;
  /** The output since the first start. */
  printed(): string;
  /** Violations, one line each: the program ended by itself, or logged an error. */
  faults(): string[];
}

export interface ProgramOptions {
  name: string;
  file: "server/process/main.ts" | "server/process/worker.ts";
  /** The port that answers when it is ready: `PORT` of main.ts, `OPERATIONS_PORT` of worker.ts. */
  port: number;
  environment: Record<string, string>;
  /** The folder of the code; that of this code when left out. */
  root?: string;
  /** A file that shifts the clock that the program sees (clock-steps.mjs). */
  clockFile?: string;
}

export const hasExited = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Ends a process and waits until it has exited; after `hurryMs` it is killed. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals, hurryMs?: number): Promise<void> {
  if (hasExited(child)) return;
  const exited = once(child, "exit");
  child.kill(signal);
  const hurry = hurryMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), hurryMs);
  await exited;
  clearTimeout(hurry);
}

/** A program's path in a version's files. Earlier versions, which upgrade rehearsals also start, had it directly in `server/`. */
export const entryIn = (root: string, file: string): string => (existsSync(join(root, file)) ? file : file.replace("/process/", "/"));

export function program({ name, file, port, environment, clockFile, root = ROOT }: ProgramOptions): Program {
  const isWorker = file === "server/process/worker.ts";
  const ended: string[] = [];
  let child: ChildProcess | null = null;
  let printed = "";

  const start = () => {
    const options = [...(root === ROOT ? QUICK_START : []), ...(clockFile === undefined ? [] : ["--import", CLOCK_STEPS])];
    const started = spawn(process.execPath, [...options, entryIn(root, file)], {
      cwd: root,
      // Stops when its parent dies, as under npm, so that a killed test run leaves no process behind.
      env: {
        PATH: process.env["PATH"],
        NODE_ENV: "production",
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        npm_lifecycle_event: "start",
        LOG_LEVEL: "warn",
        DEMO: "short",
        CLOCK_STEPS: clockFile,
        [isWorker ? "OPERATIONS_PORT" : "PORT"]: String(port),
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [started.stdout, started.stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    // An intended stop removes the listener first.
    started.once("exit", (code, signal) => {
      if (child === started) ended.push(`${name} ended by itself (${code ?? signal}): ${printed.slice(-2000)}`);
    });
    child = started;
  };

  const end = async (signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> => {
    if (child === null || hasExited(child)) return null;
    const ending = child;
    child = null;
    const exited = once(ending, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
    ending.kill(signal);
    const [code, endedBy] = await exited;
    return code ?? endedBy;
  };

  return {
    name,
    port,
    clockFile,
    start,
    async ready() {
      while (!(await (isWorker ? isReady(port) : hasPages(port)))) {
        if (ended.length > 0) throw new Error(ended[0]);
        await delay(50);
      }
    },
    kill: async () => (await end("SIGKILL")) !== null,
    stop: () => end("SIGTERM"),
    pid: () => child?.pid,
    printed: () => printed,
    faults: () => [...ended, ...printed.split("\n").filter(isError)].map((line) => line.slice(0, 2000)),
  };
}

/** Runs the command line of this code, or of the code in another folder; returns its output. Throws if it fails. */
export async function commandLine(words: string[], environment: Record<string, string>, root = ROOT): Promise<string> {
  const env = { PATH: process.env["PATH"], NODE_ENV: "production" as const, NODE_COMPILE_CACHE: COMPILE_CACHE, ...environment };
  const args = [...(root === ROOT ? QUICK_START : []), entryIn(root, "server/process/cli.ts"), ...words];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
  return stdout.trim();
}

/** Whether a line of the log has the level error or fatal. */
const isError = (line: string): boolean => /^\{"level":[56]0,/.test(line);

/** Whether the service answers, with its pages built or switched off: their build would use the cores, and begin again after each kill. */
const hasPages = async (port: number): Promise<boolean> => [200, 404].includes(await statusOf(port, "/icon.svg"));

const isReady = async (port: number): Promise<boolean> => (await statusOf(port, "/ready")) === 200;

/** The status of an answer; 0 without one. */
const statusOf = (port: number, path: string): Promise<number> =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: "close" } }).then(
    ({ status }) => status,
    () => 0,
  );

const taken = new Set<number>();

/**
 * A free port that stays free while its process is down: below the ephemeral range, from which an outgoing connection could take it before
 * the process restarts.
 */
export async function steadyPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if (!taken.has(port) && (await isFree(port))) {
      taken.add(port);
      return port;
    }
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
      .once("error", () => resolve(false))
      .listen(port, () => probe.close(() => resolve(true)));
  });
