// Measures one figure. bench/main.ts starts it in a process of its own, so that no cache, compiled code or connection of another figure
// exists. It reports by a message, and exits 1 on failure.
import { FIGURES } from "./figures.ts";
import { startDatabase } from "./harness/database.ts";
import type { Options } from "./harness/figure.ts";
import { Outcome, WrongOutcome } from "./harness/outcome.ts";
import { Others } from "./harness/proc.ts";
import { resultOf, type Result } from "./harness/report.ts";
import { STATEMENTS_KEPT } from "./harness/statements.ts";

/** The argument, as JSON. */
export interface Order extends Options {
  figure: string;
}

const { figure: name, ...options } = JSON.parse(process.argv[2]!) as Order;
const say = (words: string): void => void process.stderr.write(`  ${words}\n`);
const closing: (() => Promise<unknown>)[] = [];
let isStopping = false;

async function closeAll(): Promise<void> {
  for (let next = closing.pop(); next !== undefined; next = closing.pop()) await next();
}

async function measure(): Promise<Result> {
  const figure = await FIGURES[name]!();
  const server = await startDatabase(options.profiles === null ? {} : STATEMENTS_KEPT);
  closing.push(server.close);
  const others = new Others(() => [process.pid, server.pid()]);
  const outcome = new Outcome();
  const started = performance.now();
  const measured = await figure.measure({ ...options, server, outcome, atEnd: (close) => closing.push(close), say });
  if (outcome.checks.length === 0) throw new WrongOutcome("it checks none of its work");
  const seconds = (performance.now() - started) / 1000;
  return { ...resultOf(figure, measured, seconds), checks: outcome.checks, othersCores: others.cores() };
}

async function stop(code: number): Promise<never> {
  isStopping = true;
  await closeAll().catch(() => {});
  process.exit(code);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop(130));

try {
  const result = await measure();
  process.send!(result, () => void stop(0));
} catch (error) {
  // Errors during the stop are expected.
  if (!isStopping) {
    const words =
      error instanceof WrongOutcome ? `is wrong: ${error.message}` : `failed: ${error instanceof Error ? error.stack : String(error)}`;
    process.stderr.write(`${name} ${words}\n`);
    await stop(1);
  }
}
