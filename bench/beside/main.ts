// npm run bench:beside: does the same work on other systems. docs/benchmarks.md says what each of them gives up.
import { parseArgs } from "node:util";
import { startDatabase } from "../harness/database.ts";
import { describeMachine, isBusy, readMachine } from "../harness/machine.ts";
import { Outcome } from "../harness/outcome.ts";
import { Others } from "../harness/proc.ts";
import { round } from "../harness/statistics.ts";
import { type BesideContext, type Contest, markdown } from "./contest.ts";

const CONTESTS: Record<string, () => Promise<(context: BesideContext) => Promise<Contest>>> = {
  leaderboards: async () => (await import("./leaderboards.ts")).leaderboards,
  events: async () => (await import("./events.ts")).events,
  purchases: async () => (await import("./purchases.ts")).purchases,
};

const { values } = parseArgs({
  options: {
    only: { type: "string", default: Object.keys(CONTESTS).join(",") },
    rounds: { type: "string", default: "5" },
    players: { type: "string", default: "1000000" },
    help: { type: "boolean", default: false },
  },
});

const HELP = `npm run bench:beside -- [options]
  --only a,b   only these: ${Object.keys(CONTESTS).join(", ")}
  --rounds N   turns of each system (5)
  --players N  players of the leaderboard (1000000)
Prints the tables as Markdown on standard output, and progress on standard error.`;

const say = (words: string): void => void process.stderr.write(`${words}\n`);
const closing: (() => Promise<unknown>)[] = [];

async function closeAll(): Promise<void> {
  for (let next = closing.pop(); next !== undefined; next = closing.pop()) await next().catch(() => {});
}

async function main(): Promise<void> {
  if (values.help) return say(HELP);
  const [rounds, players] = [Number(values.rounds), Number(values.players)];
  const names = values.only.split(",");
  if (![rounds, players].every((value) => Number.isInteger(value) && value > 0) || !names.every((name) => name in CONTESTS))
    throw new Error(HELP);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void closeAll().then(() => process.exit(130)));
  const server = await startDatabase();
  closing.push(server.close);
  const machine = await readMachine(server);
  const machineLine = describeMachine(machine);
  say(machineLine);
  console.log(`${machineLine}\n`);
  for (const name of names) {
    const contest = await CONTESTS[name]!();
    const outcome = new Outcome();
    const closingOfContest: (() => Promise<unknown>)[] = [];
    const others = new Others(() => [process.pid, server.pid()]);
    closing.push(async () => {
      for (let next = closingOfContest.pop(); next !== undefined; next = closingOfContest.pop()) await next();
    });
    const base = { rounds, players, profiles: null, server, outcome };
    const measured = await contest({ ...base, atEnd: (close) => closingOfContest.push(close), say: (line) => say(`  ${line}`) });
    const cores = others.cores();
    await closing.pop()!();
    const isQuiet = !isBusy(cores, machine.cores);
    const load = `Other programs used ${cores === null ? "an unknown number" : round(cores)} of ${machine.cores} cores meanwhile${isQuiet ? "." : ": measure again on an idle machine."}`;
    console.log(markdown({ ...measured, notes: [...measured.notes, load] }));
  }
}

main().then(
  () => closeAll().then(() => process.exit(0)),
  (error: unknown) => {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    void closeAll().then(() => process.exit(1));
  },
);
