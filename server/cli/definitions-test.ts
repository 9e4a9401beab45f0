import { watch } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { inspect } from "node:util";
import type { Command } from "commander";
import { OperatorError } from "../model/kernel/operator-error.ts";
import type { Cli } from "./context.ts";
import { isFolder, problemLine, readSource } from "./definition-files.ts";
import { note, styled } from "./output.ts";

interface TestOptions {
  scenarios?: string;
  watch?: true;
}

/** `definitions test`: runs scenarios by the rules of the service, without one and without a database. */
export function testCommand(command: Command, cli: Cli): void {
  command
    .argument("<path>", "a definitions file, or a folder of them")
    .option("--scenarios <path>", "a file of scenarios, or a folder with *.scenarios.yaml; beside the definitions if left out")
    .option("--watch", "run again whenever a file changes")
    .action(async (path: string, options: TestOptions) => {
      if (options.watch !== true) return run(cli, path, options);
      for await (const _ of changes([path, options.scenarios ?? path].map(besideDefinitions))) {
        const began = new Date().toLocaleTimeString();
        await run(cli, path, options).catch((error: unknown) => {
          if (!(error instanceof OperatorError)) throw error;
          note(error.problems.join("\n"));
        });
        note(`${began}; waiting for changes …`);
      }
    });
}

/** Where scenarios are looked for: beside the definitions, unless another place is named. */
const besideDefinitions = (path: string): string => (isFolder(path) ? path : dirname(path));

/** Prints every scenario and its unmet expectations. Throws OperatorError if there are any, or if a scenario could not be run. */
async function run(cli: Cli, path: string, { scenarios: place }: TestOptions): Promise<void> {
  // Loaded only here: other commands start without the rules.
  const [{ readScenarioFiles }, { Rules }, { readScenarios, runScenarios }] = await Promise.all([
    import("./scenario-files.ts"),
    import("../authoring/simulation/scenarios/rules.ts"),
    import("../authoring/simulation/scenarios/run.ts"),
  ]);
  const { document, locate } = readSource(path);
  const rules = Rules.of(document, Date.now());
  if ("problems" in rules) throw new OperatorError(...rules.problems.map((problem) => problemLine(problem, locate)));
  const began = performance.now();
  const problems: string[] = [];
  const scenarios = readScenarioFiles(place ?? besideDefinitions(path)).flatMap(({ file, document: read, lineOf }) => {
    const found = readScenarios(read);
    const ran = "file" in found ? runScenarios(rules, found.file) : { results: [], problems: found.problems };
    problems.push(
      ...ran.problems.map((one) =>
        [`${file}:${lineOf(one.path)}`, whereIn(one.path), one.message].filter((part) => part !== "").join(": "),
      ),
    );
    return ran.results.map(({ name, path: at, passed, failures }) => ({
      name,
      file,
      line: lineOf(at),
      passed,
      failures: failures.map((one) => ({ ...one, path: whereIn(one.path), line: lineOf(one.path) })),
    }));
  });
  const ms = Math.round(performance.now() - began);
  cli.output.data({ scenarios, problems, ms }, scenarios.map(resultText).join("\n"));
  const failed = scenarios.filter(({ passed }) => !passed).length;
  if (problems.length > 0) throw new OperatorError(...problems);
  if (failed > 0) throw new OperatorError(`${failed} of ${scenarios.length} scenarios failed (${ms} ms).`);
  note(`${scenarios.length === 1 ? "1 scenario" : `${scenarios.length} scenarios`} passed (${ms} ms).`);
}

/** The path within its scenario; the line number identifies the scenario. */
const whereIn = (path: readonly (string | number)[]): string => path.slice(path[0] === "scenarios" ? 2 : 0).join("/");

interface Shown {
  name: string;
  file: string;
  passed: boolean;
  failures: { step: number; path: string; line: number; expected: unknown; actual: unknown; why: string[] }[];
}

const resultText = ({ name, file, passed, failures }: Shown): string =>
  [
    `${passed ? styled("green", "✓") : styled("red", "✗")} ${name}`,
    ...failures.flatMap(({ step, path, line, expected, actual, why }) => [
      `    ${styled("dim", `${file}:${line}`)}  step ${step}: ${path.split("/").slice(2).join("/")}`,
      `      ${styled("green", `expected ${valueText(expected)}`)}`,
      `      ${styled("red", `actual   ${valueText(actual)}`)}`,
      ...why.map((reason) => `        ${reason}`),
    ]),
  ].join("\n");

const valueText = (value: unknown): string =>
  typeof value === "object" ? inspect(value, { breakLength: Infinity, depth: 5 }) : JSON.stringify(value);

/** Calls back at the start and after every change below the folders; changes within a moment are one. */
async function* changes(folders: readonly string[]): AsyncGenerator<void> {
  let changed = Promise.withResolvers<void>();
  const gone = folders.find((folder) => !isFolder(folder));
  if (gone !== undefined) throw new OperatorError(`There is no folder ${resolve(gone)}.`);
  for (const folder of new Set(folders)) watch(folder, { recursive: true }, () => changed.resolve());
  for (;;) {
    yield;
    await changed.promise;
    await delay(50);
    changed = Promise.withResolvers();
  }
}
