import { parseArgs } from "node:util";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { startDatabase, type BenchDatabase } from "./harness/database.ts";
import type { Context, Figure, Options } from "./harness/figure.ts";
import { resultOf, table, type Result } from "./harness/report.ts";
import { audience } from "./audience.ts";
import { boardRead } from "./board-read.ts";
import { dashboardList, dashboardScripts } from "./dashboard-list.ts";
import { ingest } from "./ingest.ts";
import { ingestFilled } from "./ingest-filled.ts";
import { feed } from "./feed.ts";
import { insight } from "./insight.ts";
import { lag } from "./lag.ts";
import { manyMissions } from "./many-missions.ts";
import { memory } from "./memory.ts";
import { purchases } from "./purchases.ts";
import { loggedEvents, loggedReads } from "./request-log.ts";
import { scoreUpdates } from "./score-updates.ts";
import { slices } from "./slices.ts";
import { smallRead } from "./small-read.ts";
import { sustained, sustainedInPlay } from "./sustained.ts";
import { webhooks } from "./webhooks.ts";

const FIGURES: readonly Figure[] = [
  ingest,
  ingestFilled,
  sustained,
  sustainedInPlay,
  slices,
  manyMissions,
  lag,
  smallRead,
  loggedReads,
  loggedEvents,
  feed,
  audience,
  purchases,
  boardRead,
  scoreUpdates,
  webhooks,
  memory,
  dashboardList,
  dashboardScripts,
  insight,
];

const MINUTE = 60_000;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    rounds: { type: "string", default: "5" },
    full: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    profiles: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const HELP = `npm run bench -- [options]
  --only a,b      these figures only: ${FIGURES.map(({ name }) => name).join(", ")}
  --rounds N      alternations of reference and ours (5)
  --full          the full sizes: 10M stored events, 1M players
  --json          the results as JSON on standard output
  --profiles dir  CPU profiles of the service's processes`;

const say = (words: string): void => void process.stderr.write(`${words}\n`);

function chosen(): readonly Figure[] {
  if (values.only === undefined) return FIGURES;
  const names = values.only.split(",");
  const unknown = names.filter((name) => !FIGURES.some((figure) => figure.name === name));
  if (unknown.length > 0) throw new Error(`There is no figure ${unknown.join(", ")}.\n${HELP}`);
  return FIGURES.filter(({ name }) => names.includes(name));
}

async function run(figure: Figure, server: BenchDatabase, options: Options, open: Set<() => Promise<unknown>>): Promise<Result> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (let next = closing.pop(); next !== undefined; next = closing.pop()) await next();
  };
  open.add(close);
  const context: Context = { ...options, server, atEnd: (one) => closing.push(one), say: (words) => say(`  ${words}`) };
  say(`${figure.name}: ${figure.title}`);
  const started = performance.now();
  try {
    return resultOf(figure, await figure.measure(context), (performance.now() - started) / 1000);
  } finally {
    await close();
    open.delete(close);
  }
}

async function main(): Promise<number> {
  if (values.help) return (say(HELP), 0);
  const figures = chosen();
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds must be a whole number from 1.");
  const profiles = values.profiles === undefined ? null : resolve(values.profiles);
  if (profiles !== null) mkdirSync(profiles, { recursive: true });
  const server = await startDatabase();
  const open = new Set<() => Promise<unknown>>();
  let isStopping = false;
  const stop = async (code: number) => {
    isStopping = true;
    for (const close of open) await close().catch(() => {});
    await server.close();
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop(130));
  setTimeout(() => (say("The benchmarks took too long and were ended."), void stop(1)), (values.full ? 180 : 45) * MINUTE).unref();
  const results: Result[] = [];
  let failed = 0;
  for (const figure of figures) {
    try {
      results.push(await run(figure, server, { rounds, full: values.full, profiles }, open));
      if (!values.json) console.log(table(results.slice(-1)));
    } catch (error) {
      // Errors during the stop are expected; `stop` ends the process.
      if (isStopping) return new Promise<never>(() => {});
      failed++;
      say(`${figure.name} failed: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  await server.close();
  if (values.json) console.log(JSON.stringify(results, null, 2));
  else if (results.length > 1) console.log(`\n${table(results)}`);
  return failed === 0 ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  },
);
