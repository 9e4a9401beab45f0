import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { KitError } from "./rpc.ts";

/** A service that was started for tests, with an embedded database of its own. */
export interface OwnService {
  url: string;
  /** Its output so far. */
  printed(): string;
  /** Runs the command line on its database; returns standard output. */
  cli(...args: string[]): Promise<string>;
  /** A token for tests, in a project created for it. */
  testToken(): Promise<string>;
  /** Stops it, and deletes its data. */
  stop(): Promise<void>;
}

export interface OwnServiceOptions {
  /** Whether it serves the dashboard, which a first start builds; by default only the API. Only in a checkout: the package has no pages. */
  pages?: boolean;
  /** Whether its log goes to standard error. */
  isShown?: boolean;
  /** Further settings of the service (docs/settings.md). */
  settings?: Record<string, string>;
  /** 120,000 by default. */
  timeoutMs?: number;
}

/** The prefix of a service's data folder; the id of the process that started it follows. */
export const DATA_FOLDER = "engagement-e2e-";

/** The first owner of such a service. */
const OWNER = "owner@example.com";
const PROJECT = "tests";

/** Starts this package's service on a free port, and waits until it is ready. Throws KitError with its output if it fails. */
export async function startService({
  pages = false,
  isShown = false,
  settings = {},
  timeoutMs = 120_000,
}: OwnServiceOptions = {}): Promise<OwnService> {
  const root = packageRoot();
  if (pages && !existsSync(join(root, "app"))) throw new KitError("This package has no pages: start the service of a checkout instead.");
  const dataDir = mkdtempSync(join(tmpdir(), `${DATA_FOLDER}${process.pid}-`));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = {
    ...process.env,
    ...blanks(),
    ...{ PORT: String(port), BASE_URL: url, DATA_DIR: dataDir, WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true" },
    ...(pages ? {} : { PAGES: "off", DEMO: "off", LOG_LEVEL: "warn" }),
    ...settings,
  };
  const program = (file: string) => ["--import", pathToFileURL(join(root, "testing/typescript.mjs")).href, join(root, file)];
  const child = spawn(process.execPath, program("server/process/main.ts"), { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said.err += chunk.toString()));
  if (isShown) child.stderr.pipe(process.stderr, { end: false });
  const stop = async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    rmSync(dataDir, { recursive: true, force: true });
  };
  const cli = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [...program("server/process/cli.ts"), ...args], { cwd: root, env })).stdout.trim();
  try {
    await untilReady(url, child, timeoutMs);
  } catch (error) {
    await stop();
    throw new KitError(`${(error as Error).message}\n${said.err}${said.out}`.trim());
  }
  return {
    url,
    printed: () => said.out + said.err,
    cli,
    async testToken() {
      await cli("project", "create", "--slug", PROJECT, "--name", "Tests", "--language", "en", "--time-zone", "UTC");
      const owner = settings["OWNER_EMAIL"] ?? OWNER;
      const bounds = ["--role", "Editor", "--environment", "tests", "--days", "2"];
      return cli("token", "create", "--project", PROJECT, "--email", owner, "--name", "tests", ...bounds);
    },
    stop,
  };
}

/** Settings that the environment may contain for another program, above all a database. Empty ones count as unset. */
const SETTINGS =
  /^(DATABASE_URL|AUTH_.*|OWNER_.*|SMTP_URL|OPERATIONS_PORT|WORKER(_THREADS)?|CRON_SECRET|TRUST_PROXY|POOL_.*|OTEL_.*|ENGAGEMENT_.*)$/;
const blanks = () => Object.fromEntries(Object.keys(process.env).flatMap((name) => (SETTINGS.test(name) ? [[name, ""]] : [])));

async function untilReady(url: string, child: ChildProcess, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await answers(`${url}/v1/openapi.json`)) || !(await hasPages(url))) {
    if (child.exitCode !== null) throw new Error(`The engagement service ended with ${child.exitCode} before it was ready.`);
    // Shorter than the runner's own timeout, which would leave the service running.
    if (performance.now() > deadline) throw new Error(`The engagement service was not ready within ${timeoutMs} ms.`);
    await sleep(100);
  }
}

const answers = async (address: string): Promise<boolean> => {
  try {
    return (await fetch(address)).ok;
  } catch {
    return false;
  }
};

/** Whether the pages are built, or switched off. The API is ready earlier; a failed request means neither. */
async function hasPages(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/icon.svg`)).status !== 503;
  } catch {
    return false;
  }
}

/** A free port below the ephemeral range, from which an outgoing connection could take it before the service does. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
      .once("error", () => resolve(false))
      .listen(port, () => probe.close(() => resolve(true)));
  });

/** The service's folder: this file is below it, both in source and when built. */
function packageRoot(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (existsSync(file) && (JSON.parse(readFileSync(file, "utf8")) as { name?: string }).name === "engagement-service") return folder;
    if (folder === dirname(folder)) throw new KitError("The testing kit does not find the engagement service that it belongs to.");
  }
}
