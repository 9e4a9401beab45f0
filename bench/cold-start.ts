// npm run cold-start: measures the time from `git clone` to the first response and to the first page, and how much of it a second start
// repeats. It clones the last commit. On a busy machine the CPU seconds are more reliable than the elapsed time.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeMachine, readMachine } from "./harness/machine.ts";
import { startDatabase } from "./harness/database.ts";
import { cpuUsOf, Others } from "./harness/proc.ts";
import { round } from "./harness/statistics.ts";
import { steadyPort } from "../e2e/programs.ts";

const { values } = parseArgs({
  options: {
    "empty-cache": { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const HELP = `npm run cold-start -- [options]
  --empty-cache  npm downloads everything, as on a machine without its cache
  --keep         keeps the clone and prints its path`;

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PATIENCE_MS = 600_000;
const EVERY_MS = 20;

const FOR_NPM = /^(HOME|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|npm_config_(registry|cache))$/i;

const folder = mkdtempSync(join(tmpdir(), "engagement-cold-start-"));
const clone = join(folder, "clone");
const PORT = await steadyPort();
const environment = {
  PATH: process.env["PATH"]!.split(":")
    // npm puts the programs of this checkout on the path; the clone has its own.
    .filter((entry) => !entry.startsWith(ROOT))
    .join(":"),
  // Only what npm needs to reach its registry; no settings of the service.
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => FOR_NPM.test(name))),
  NODE_ENV: process.env.NODE_ENV,
  PORT: String(PORT),
  ...(values["empty-cache"] && { npm_config_cache: join(folder, "cache") }),
};

interface Started {
  child: ChildProcess;
  /** Its output so far. */
  output(): string;
}

/** The running program, in a process group of its own. */
let running: Started | null = null;

function start(command: string, args: readonly string[], cwd: string): Started {
  const child = spawn(command, args, { cwd, env: environment, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  return (running = { child, output: () => output });
}

async function end({ child }: Started): Promise<void> {
  running = null;
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  process.kill(-child.pid!, "SIGTERM");
  await ended;
}

async function run(command: string, args: readonly string[], cwd = clone): Promise<void> {
  const { child, output } = start(command, args, cwd);
  const [code] = (await once(child, "exit")) as [number | null];
  running = null;
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${output().slice(-2_000)}`);
}

const rows: { stage: string; seconds: number; cpu: number | null; others: number | null }[] = [];

/** Times a stage. Its CPU is that of its own processes; PostgreSQL outlives them and counts as other load. */
async function stage(name: string, work: () => Promise<unknown>): Promise<void> {
  const others = new Others(() => [process.pid]);
  const [begun, before] = [performance.now(), cpuUsOf(process.pid)];
  await work();
  const after = cpuUsOf(process.pid);
  const row = {
    stage: name,
    seconds: (performance.now() - begun) / 1_000,
    cpu: before === null || after === null ? null : (after - before) / 1e6,
    others: others.cores(),
  };
  rows.push(row);
  process.stderr.write(`${name}: ${round(row.seconds)} s\n`);
}

async function until(what: string, isReady: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isReady().catch(() => false))) {
    if (running!.child.exitCode !== null || performance.now() > deadline)
      throw new Error(`${what} was not ready in time:\n${running!.output().slice(-2_000)}`);
    await sleep(EVERY_MS);
  }
}

const isOk = async (path: string, options?: RequestInit): Promise<boolean> => {
  const answer = await fetch(`http://127.0.0.1:${PORT}${path}`, { ...options, redirect: "manual" });
  await answer.arrayBuffer();
  return answer.status === 200;
};

/** The demo project's API key, which the first start prints. */
const keyIn = (output: string): string | undefined => /svc_sbox_[0-9a-f]{64}/.exec(output)?.[0];

async function starts(which: string): Promise<void> {
  const service = start("npm", ["start"], clone);
  await stage(`${which}: until an event is accepted`, () =>
    until("The API", async () => {
      key ??= keyIn(service.output());
      if (key === undefined) return false;
      const event = { playerId: "ann", event: "order_placed", occurredAt: new Date().toISOString(), properties: { amount: 4.5 } };
      return isOk("/v1/events", { method: "POST", headers: { Authorization: `Bearer ${key}` }, body: JSON.stringify({ events: [event] }) });
    }),
  );
  // A page that is still being built answers 503.
  await stage(`${which}: from then until the dashboard answers`, () =>
    until("The sign-in page", () => isOk("/sign-in", { headers: { Accept: "text/html" } })),
  );
  await end(service);
}

let key: string | undefined;

async function main(): Promise<void> {
  const server = await startDatabase();
  const machine = await readMachine(server);
  await server.close();
  const machineLine = describeMachine(machine);
  process.stderr.write(`${machineLine}\n`);
  await stage("git clone", () => run("git", ["clone", "--quiet", ROOT, clone], folder));
  // `npm start` would do this first; here it is timed separately.
  await stage("npm ci", () => run("node", ["scripts/prepare.mjs"]));
  await starts("first start");
  await starts("second start");
  const cell = (value: number | null): string => (value === null ? "unknown" : String(round(value)));
  console.log(
    [
      `${machineLine}${values["empty-cache"] ? ", npm's cache empty" : ""}`,
      "",
      "| stage | s | CPU s without PostgreSQL | cores used by PostgreSQL and other programs |",
      "| --- | --- | --- | --- |",
      ...rows.map(({ stage: name, seconds, cpu, others }) => `| ${name} | ${cell(seconds)} | ${cell(cpu)} | ${cell(others)} |`),
    ].join("\n"),
  );
}

async function leave(code: number): Promise<never> {
  if (running !== null) await end(running);
  if (values.keep) process.stderr.write(`The clone stays at ${clone}.\n`);
  else rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}

if (values.help) {
  process.stderr.write(`${HELP}\n`);
  await leave(0);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void leave(130));
await main().then(
  () => leave(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return leave(1);
  },
);
