import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { endProcess } from "../e2e/programs.ts";
import { FIGURES } from "./figures.ts";
import { comparison, type Run } from "./harness/compare.ts";
import { removeAbandonedDatabases, SHARED_VARIABLE, startDatabase } from "./harness/database.ts";
import { describeMachine, isBusy, type Machine, readMachine } from "./harness/machine.ts";
import { type Result, table } from "./harness/report.ts";
import { type Size, SIZE_VARIABLE } from "./harness/size.ts";
import { round } from "./harness/statistics.ts";
import type { Order } from "./run-figure.ts";

const MINUTE = 60_000;
/** Longer than a figure's services and database need to stop. */
const STOP_MS = 40_000;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    rounds: { type: "string", default: "5" },
    full: { type: "boolean", default: false },
    smoke: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    compare: { type: "string" },
    profiles: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const HELP = `npm run bench -- [options]
  --only a,b      only these figures: ${Object.keys(FIGURES).join(", ")}
  --rounds N      alternations of reference and ours (5)
  --full          the full sizes: 10M stored events, 1M players
  --smoke         every figure once with small sizes, to see that it works; its values mean nothing
  --json          the results as JSON on standard output (npm run --silent bench -- --json > run.json)
  --compare file  compares this run with an earlier one, whose --json output is in the file
  --profiles dir  CPU profiles of the service's processes, PostgreSQL's time, WAL and plans by statement, WAL by table and index
npm run bench:beside measures the same work on other systems (docs/benchmarks.md).`;

const say = (words: string): void => void process.stderr.write(`${words}\n`);

function chosen(): string[] {
  const all = Object.keys(FIGURES);
  if (values.only === undefined) return all;
  const names = values.only.split(",");
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`There is no figure ${unknown.join(", ")}.\n${HELP}`);
  return all.filter((name) => names.includes(name));
}

const SIZE: Size = values.smoke ? "smoke" : values.full ? "full" : "usual";
/** Figures are measured one after the other. Smoke runs mostly wait, so two run at the same time. */
const CONCURRENCY = values.smoke ? 2 : 1;
const PATIENCE_MS = { smoke: 5 * MINUTE, usual: 15 * MINUTE, full: 120 * MINUTE };

const running = new Set<ChildProcess>();
let isStopping = false;

/** Stops the running figures, waits for their cleanup, and exits. */
async function stop(code: number): Promise<never> {
  isStopping = true;
  await Promise.all([...running].map(end));
  removeAbandonedDatabases();
  process.exit(code);
}

const end = (child: ChildProcess) => endProcess(child, "SIGTERM", STOP_MS);

/** Measures a figure in a process; null if it failed, in which case that process has printed the reason. */
async function run(order: Order): Promise<Result | null> {
  const child = fork(fileURLToPath(new URL("./run-figure.ts", import.meta.url)), [JSON.stringify(order)], {
    env: { ...process.env, [SIZE_VARIABLE]: SIZE },
    execArgv: ["--import", fileURLToPath(new URL("./harness/die-with-parent.ts", import.meta.url))],
    // Ctrl-C then reaches only this process, which stops the child itself.
    detached: true,
    stdio: ["ignore", 2, 2, "ipc"],
  });
  running.add(child);
  let result: Result | null = null;
  child.on("message", (message) => (result = message as Result));
  const timeout = setTimeout(() => (say(`${order.figure} took too long and was stopped.`), void end(child)), PATIENCE_MS[SIZE]);
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  clearTimeout(timeout);
  running.delete(child);
  // `stop` exits the process: nothing may continue until then.
  if (isStopping) return new Promise<never>(() => {});
  if (signal !== null) say(`${order.figure} was ended by ${signal}.`);
  if (code !== 0) removeAbandonedDatabases();
  return code === 0 ? result : null;
}

function earlierRun(file: string): Run {
  const run = JSON.parse(readFileSync(file, "utf8")) as Partial<Run>;
  if (!Array.isArray(run.results)) throw new Error(`${file} is no output of --json.`);
  return run as Run;
}

async function machineNow(): Promise<Machine> {
  const server = await startDatabase();
  try {
    return await readMachine(server);
  } finally {
    await server.close();
  }
}

async function main(): Promise<number> {
  if (values.help) return (say(HELP), 0);
  const names = chosen();
  if (values.smoke) return tryAll(names);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds must be a whole number from 1.");
  const profiles = values.profiles === undefined ? null : resolve(values.profiles);
  if (profiles !== null) mkdirSync(profiles, { recursive: true });
  const earlier = values.compare === undefined ? null : earlierRun(values.compare);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop(130));
  const machine = await machineNow();
  say(`${describeMachine(machine)}\n`);
  const results: Result[] = [];
  const failed: string[] = [];
  for (const figure of names) {
    say(figure);
    const result = await run({ figure, rounds, profiles });
    if (result === null) {
      failed.push(figure);
      continue;
    }
    results.push(result);
    if (!values.json) console.log(table([result]));
    if (isBusy(result.othersCores, machine.cores))
      say(
        `Other programs used ${round(result.othersCores!)} of ${machine.cores} cores during ${figure}: measure again on an idle machine.`,
      );
  }
  const now: Run = { machine, results };
  if (values.json) console.log(JSON.stringify(now, null, 2));
  else if (results.length > 1) console.log(`\n${table(results)}`);
  if (earlier !== null) (values.json ? say : console.log)(`\n${comparison(earlier, now)}`);
  if (failed.length > 0) say(`\nFailed: ${failed.join(", ")}`);
  return failed.length === 0 ? 0 : 1;
}

/** Runs each figure once with small sizes. The exit code is 1 if any failed. */
async function tryAll(names: readonly string[]): Promise<number> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop(130));
  const server = await startDatabase({ fsync: "off", full_page_writes: "off" });
  process.env[SHARED_VARIABLE] = server.directory;
  const failed: string[] = [];
  const left = [...names];
  const tryNext = async () => {
    for (let figure = left.shift(); figure !== undefined; figure = left.shift()) {
      const result = await run({ figure, rounds: 1, profiles: null });
      say(`${figure} ${result === null ? "failed" : `works: ${result.checks.length} checks`}`);
      if (result === null) failed.push(figure);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, tryNext));
  delete process.env[SHARED_VARIABLE];
  await server.close();
  if (failed.length > 0) say(`\nFailed: ${failed.join(", ")}`);
  return failed.length === 0 ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  },
);
