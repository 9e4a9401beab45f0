import { readFileSync } from "node:fs";
import type { Command } from "commander";
import {
  type Change,
  type DefinitionProblem,
  exportDefinitions,
  importDefinitions,
  type ImportResult,
  promoteDefinitions,
} from "../definitions/service.ts";
import { parseJson, writeJson } from "../kernel/json.ts";
import { OperatorError } from "../kernel/operator-error.ts";
import { environmentOf, inEnvironment, inProject, type Where, withDatabase } from "./context.ts";

interface ImportOptions {
  dryRun?: true;
  prune?: true;
}

/** `definitions export|import|promote`: data goes to standard output, messages to standard error. */
export function definitionsCommands(program: Command): void {
  const definitions = program.command("definitions").description("the definitions of an environment as a file");
  const command = (name: string, description: string) => definitions.command(name).description(description);

  inEnvironment(
    command("export", "prints the definitions file").option(
      "--images",
      "put the bytes of uploaded images in, which another project does not have",
    ),
  ).action((options: Where & { images?: true }) =>
    withDatabase(async (database) => {
      const document = await exportDefinitions(database, await environmentOf(database, options), options);
      console.log(JSON.stringify(document, null, 2));
    }),
  );

  withImportOptions(
    inEnvironment(command("import <file>", "imports a definitions file, all or nothing, and prints what changed")),
    "the file's lists leave out",
  ).action((file: string, options: Where & ImportOptions) =>
    withDatabase(async (database) => {
      const environment = await environmentOf(database, options);
      print(await importDefinitions(database, environment, readDocument(file), options), options);
    }),
  );

  withImportOptions(
    inProject(command("promote", "imports all that one environment defines into the other, all or nothing"))
      .requiredOption("--from <environment>", "sandbox or live")
      .requiredOption("--to <environment>", "sandbox or live"),
    "the first one does not define",
  ).action(({ project, from, to, ...options }: { project?: string; from: string; to: string } & ImportOptions) =>
    withDatabase(async (database) => {
      const where = (environment: string): Where => ({ ...(project === undefined ? {} : { project }), environment });
      const source = await environmentOf(database, where(from), "--from");
      const target = await environmentOf(database, where(to), "--to");
      print(await promoteDefinitions(database, source, target, options), options);
    }),
  );
}

const withImportOptions = (command: Command, pruned: string): Command =>
  command.option("--dry-run", "print what would change and write nothing").option("--prune", `switch off what ${pruned}`);

/** The difference, or every problem. Throws OperatorError. */
function print(result: ImportResult, { dryRun = false }: { dryRun?: boolean }): void {
  if ("problems" in result) throw new OperatorError(...result.problems.map(problemLine));
  const lines = result.changes.flatMap((change) => [changeLine(change), ...(dryRun ? differenceLines(change) : [])]);
  if (lines.length > 0) console.log(lines.join("\n"));
  console.error(summary(result.changes.length, dryRun));
}

/** The JSON of a file, its numbers exact. Throws OperatorError. */
function readDocument(file: string): unknown {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(oneLine(error instanceof SyntaxError ? `${file} is not JSON: ${reason}` : `${file} cannot be read: ${reason}`));
  }
}

/** The pointer of the whole file is empty. */
const problemLine = ({ pointer, message }: DefinitionProblem): string => oneLine(`${pointer}: ${message}`);

/** A file may have anything in its names, and messages quote them. */
const oneLine = (text: string): string => text.replaceAll(/\p{Cc}/gu, escaped).toWellFormed();

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

const changeLine = ({ sign, kind, key, fields }: Change): string =>
  `${sign} ${kind} ${key}${fields === undefined ? "" : ` (${fields.join(", ")})`}`;

/** One change a line: `    rewards/0/points: 5 → 6`. */
const differenceLines = ({ differences = [] }: Change): string[] =>
  differences.map(({ path, before, after }) => {
    const [was, is] = [before, after].map((value) => (value === undefined ? "(nothing)" : writeJson(value))) as [string, string];
    const apart = firstDifference(was, is);
    return oneLine(`    ${path.join("/")}: ${cut(was, apart)} → ${cut(is, apart)}`);
  });

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

const SHOWN = 80;
/** The length of a long text that is shown before the change. */
const BEFORE = 20;

function cut(text: string, index: number): string {
  if (text.length <= SHOWN) return text;
  const start = Math.max(0, Math.min(index - BEFORE, text.length - SHOWN));
  return `${start > 0 ? "…" : ""}${text.slice(start, start + SHOWN)}${start + SHOWN < text.length ? "…" : ""}`;
}

function summary(changes: number, isDryRun: boolean): string {
  if (changes === 0) return "No changes: everything in the file is there already.";
  const definitions = `${changes} definition${changes === 1 ? "" : "s"}`;
  return isDryRun ? `${definitions} would change; nothing was written.` : `${definitions} changed.`;
}
