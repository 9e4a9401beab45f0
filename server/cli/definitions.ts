import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { type Change, type DefinitionProblem, exportDefinitions, importDefinitions } from "../definitions/service.ts";
import { parseJson } from "../kernel/json.ts";
import { Refused } from "../kernel/refused.ts";
import { environmentOf, inEnvironment, type Where, withDatabase } from "./context.ts";

/** `definitions export|import` of operations.md: data to standard output, words to standard error. */
export function definitionsCommands(program: Command): void {
  const definitions = program.command("definitions").description("the definitions of an environment as a file");
  const command = (name: string, description: string) => inEnvironment(definitions.command(name).description(description));

  command("export", "prints the definitions file").action((options: Where) =>
    withDatabase(async (database) => {
      const document = await exportDefinitions(database, await environmentOf(database, options));
      console.log(JSON.stringify(document, null, 2));
    }),
  );

  command("import <file>", "imports a definitions file, all or nothing, and prints what changed")
    .option("--dry-run", "print what would change and write nothing")
    .option("--prune", "switch off what the file's lists leave out")
    .action((file: string, options: Where & { dryRun?: true; prune?: true }) =>
      withDatabase(async (database) => {
        const environment = await environmentOf(database, options);
        const result = await importDefinitions(database, environment, readDocument(file), options);
        if ("problems" in result) throw new Refused(...result.problems.map(problemLine));
        for (const change of result.changes) console.log(changeLine(change));
        console.error(summary(result.changes.length, options.dryRun === true));
      }),
    );
}

/** The JSON of a file, its numbers exact. Throws Refused. */
function readDocument(file: string): unknown {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refused(oneLine(error instanceof SyntaxError ? `${file} is not JSON: ${reason}` : `${file} cannot be read: ${reason}`));
  }
}

/** The pointer of the whole file is empty. */
const problemLine = ({ pointer, message }: DefinitionProblem): string => oneLine(`${pointer}: ${message}`);

/** A file may have anything in its names, and messages quote them. */
const oneLine = (text: string): string => text.replaceAll(/\p{Cc}/gu, escaped).toWellFormed();

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

const changeLine = ({ sign, kind, key, fields }: Change): string =>
  `${sign} ${kind} ${key}${fields === undefined ? "" : ` (${fields.join(", ")})`}`;

function summary(changes: number, isDryRun: boolean): string {
  if (changes === 0) return "Nothing changes: everything in the file is there already.";
  return isDryRun ? `${changes} definitions would change; nothing was written.` : `${changes} definitions changed.`;
}
