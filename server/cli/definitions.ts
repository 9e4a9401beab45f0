import type { Command } from "commander";
import { parseJson, writeJson } from "../model/kernel/json.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import type { Cli } from "./context.ts";
import { confirmed } from "./confirm.ts";
import {
  changeLine,
  differenceLines,
  importSummary,
  oneLine,
  planHead,
  planLines,
  planSummary,
  type ShownChange,
  shownChange,
} from "./definition-changes.ts";
import { filesOf, otherFilesIn, readSource, type Source, writeFiles } from "./definition-files.ts";
import { note, printJson } from "./output.ts";
import { inEnvironment, inProject, kindOf, type Where } from "./where.ts";
import type { ImportResult } from "../authoring/definitions/service/import.ts";

interface ImportOptions {
  dryRun?: true;
  prune?: true;
}

/** The exit code of a plan with changes. */
const HAS_CHANGES = 2;

/** `definitions plan|apply|pull|validate|export|import|promote`: data goes to standard output, messages to standard error. */
export function definitionsCommands(program: Command, cli: Cli): void {
  const definitions = program.command("definitions").description("the definitions of an environment as files");
  const command = (name: string, description: string) => definitions.command(name).description(description);

  withPrune(
    inEnvironment(command("plan <path>", "shows what applying a file, or a folder of files, would change; exits 2 if anything would")),
    LEFT_OUT,
  ).action(async (path: string, { prune, ...options }: Where & ImportOptions) => {
    const changes = await importSource(cli, options, readSource(path), { prune, dryRun: true });
    cli.output.data({ changes }, changes.flatMap((change) => [planHead(change), ...planLines(change)]).join("\n"));
    note(planSummary(changes));
    if (changes.length > 0) cli.exitCode = HAS_CHANGES;
  });

  withPrune(
    inEnvironment(command("apply <path>", "applies a file, or a folder of files, all or nothing, and prints what changed")),
    LEFT_OUT,
  )
    .option("--yes", "apply without asking first")
    .action(async (path: string, { prune, yes, ...options }: Where & ImportOptions & { yes?: true }) => {
      const source = readSource(path);
      if (yes !== true && process.stdin.isTTY) {
        const planned = await importSource(cli, options, source, { prune, dryRun: true });
        for (const change of planned) note([planHead(change), ...planLines(change)].join("\n"));
        note(planSummary(planned));
        if (planned.length === 0) return;
        if (!(await confirmed("Apply these changes?"))) throw new OperatorError("Nothing was changed.");
      }
      printImport(cli, await importSource(cli, options, source, { prune }), {});
    });

  inEnvironment(command("pull <path>", "writes the definitions into a file (*.json), or into a folder with a file for each")).action(
    async (path: string, options: Where) => {
      const files = filesOf((await exported(cli, options)) as Record<string, unknown>, path);
      const count = writeFiles(files);
      const others = otherFilesIn(path, files);
      cli.output.data({ written: count, files: files.size, others }, "");
      note(`${files.size === 1 ? "1 file" : `${files.size} files`}, ${count === 0 ? "none" : count} of them changed.`);
      if (others.length > 0) note(`Not in the environment, and left as they are: ${others.join(", ")}.`);
    },
  );

  command("validate <path>", "checks a file, or a folder of files, without a service: shapes, references and rules").action(
    async (path: string) => {
      const { document, locate } = readSource(path);
      const { problemsOf } = await import("./validate.ts");
      const problems = problemsOf(document, Date.now());
      if (problems.length > 0) throw new OperatorError(...problems.map((problem) => problemLine(problem, locate)));
      cli.output.data({ problems }, "");
      note("No problems. An environment may still refuse it for its own definitions or players: `definitions plan` shows that.");
    },
  );

  inEnvironment(
    command("export", "prints the definitions file").option(
      "--images",
      "put the bytes of uploaded images in, which another project does not have",
    ),
  ).action(async ({ images, ...options }: Where & { images?: true }) => {
    printJson(await exported(cli, options, { images }), 2);
  });

  withImportOptions(
    inEnvironment(command("import <file>", "imports a definitions file, all or nothing, and prints what changed")),
    LEFT_OUT,
  ).action(async (file: string, { dryRun, prune, ...options }: Where & ImportOptions) => {
    printImport(cli, await importSource(cli, options, readSource(file), { dryRun, prune }), { dryRun });
  });

  withImportOptions(
    inProject(command("promote", "imports all that one environment defines into the other, all or nothing"))
      .requiredOption("--from <environment>", "sandbox or live")
      .requiredOption("--to <environment>", "sandbox or live"),
    "the first one does not define",
  ).action(async (options: Promotion) => {
    printImport(cli, await promote(cli, options), options);
  });
}

const LEFT_OUT = "the file's lists leave out";

const withPrune = (command: Command, pruned: string): Command => command.option("--prune", `switch off what ${pruned}`);

const withImportOptions = (command: Command, pruned: string): Command =>
  withPrune(command.option("--dry-run", "print what would change and write nothing"), pruned);

const exported = (cli: Cli, options: Where, { images = false }: { images?: boolean } = {}): Promise<unknown> =>
  cli.reach<unknown>({
    over: async (remote) =>
      parseJson(await remote.download("definitions.json", { ...(await remote.where(options)), images: String(images) })),
    beside: async ({ database, verbs, environment }) => verbs.exportDefinitions(database, await environment(options), { images }),
  });

/** What an import changes, or would change. Throws OperatorError with every problem. */
async function importSource(
  cli: Cli,
  where: Where,
  { document, locate }: Source,
  { dryRun = false, prune = false }: { dryRun?: boolean; prune?: boolean },
) {
  const result = await cli.reach<Result>({
    over: async (remote) => remote.rpc.definitions.importFile({ ...(await remote.where(where)), text: writeJson(document), dryRun, prune }),
    beside: async ({ database, verbs, environment }) =>
      shownResult(await verbs.importDefinitions(database, await environment(where), document, { dryRun, prune })),
  });
  return changesOf(result, locate);
}

type Promotion = { project?: string; from: string; to: string } & ImportOptions;

async function promote(cli: Cli, { project, from, to, dryRun, prune }: Promotion): Promise<ShownChange[]> {
  const options = { dryRun: dryRun === true, prune: prune === true };
  const result = await cli.reach<Result>({
    over: async (remote) => {
      if (kindOf(from, "--from") === kindOf(to, "--to"))
        throw new OperatorError("An environment cannot be promoted to itself; --from and --to must be two of them.");
      return remote.rpc.definitions.promoteAll({ ...(await remote.where({ project, environment: from })), ...options });
    },
    beside: async ({ database, verbs, environment }) => {
      const source = await environment({ project, environment: from }, "--from");
      const target = await environment({ project, environment: to }, "--to");
      return shownResult(await verbs.promoteDefinitions(database, source, target, options));
    },
  });
  return changesOf(result);
}

type Result = { problems: { pointer: string; message: string }[] } | { changes: ShownChange[] };

/** A verb's changes, in the form in which a service sends them. */
const shownResult = (result: ImportResult): Result => ("problems" in result ? result : { changes: result.changes.map(shownChange) });

/** Throws OperatorError with every problem. */
function changesOf(result: Result, locate: Source["locate"] = (pointer) => pointer): ShownChange[] {
  const problems = "problems" in result ? result.problems : [];
  if (problems.length > 0) throw new OperatorError(...problems.map((problem) => problemLine(problem, locate)));
  return "changes" in result ? result.changes : [];
}

function printImport(cli: Cli, changes: readonly ShownChange[], { dryRun = false }: { dryRun?: boolean }): void {
  const lines = changes.flatMap((change) => [changeLine(change), ...(dryRun ? differenceLines(change) : [])]);
  cli.output.data({ changes }, lines.join("\n"));
  note(importSummary(changes.length, dryRun));
}

/** An empty pointer means the whole file. */
const problemLine = ({ pointer, message }: { pointer: string; message: string }, locate: Source["locate"]): string =>
  oneLine(`${locate(pointer)}: ${message}`);
