import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { parseJson, writeJson } from "../model/kernel/json.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { plural } from "../model/kernel/thousands.ts";
import { isJsonObject } from "../model/kernel/values.ts";
import { orRequest, type RequestOptions, textsOf, withRequest } from "./change-requests.ts";
import type { Cli } from "./context.ts";
import {
  changeLine,
  differenceLines,
  importSummary,
  oneLine,
  planHead,
  planLines,
  planSummary,
  type ShownChange,
} from "./definition-changes.ts";
import { filesOf, isAmong, otherFilesIn, problemLine, readSource, type Source, writeFiles } from "./definition-files.ts";
import type { FileImage } from "./definition-images.ts";
import { mustBeFor, notComparedLine, planMarkdown, readPlan, type Reverted, revertedBy, writePlan } from "./definition-plan.ts";
import { backtestCommand } from "./definitions-backtest.ts";
import { testCommand } from "./definitions-test.ts";
import { note, printJson } from "./output.ts";
import { inEnvironment, inProject, kindOf, type EnvironmentRef, type Service, type Where } from "./service.ts";

interface ImportOptions {
  dryRun?: boolean;
  prune?: boolean;
}

/** The exit code of a plan with changes. */
const HAS_CHANGES = 2;

/** `definitions plan|apply|pull|validate|test|backtest|export|import|promote`: data goes to standard output, messages to standard error. */
export function definitionsCommands(program: Command, cli: Cli): void {
  const definitions = program.command("definitions").description("the definitions of an environment as files");
  const command = (name: string) => definitions.command(name);

  withPrune(inEnvironment(command("plan <path>")), LEFT_OUT)
    .option("--out <file>", "write the plan, for `apply <file>`: refused once anything has changed since")
    .option("--markdown", "print it as Markdown, for a pull request")
    .action(async (path: string, { prune = false, out, markdown, ...where }: PlanOptions) => {
      if (out !== undefined && isAmong(path, out)) throw new OperatorError(`${out} is for a plan: choose a file outside of ${path}.`);
      const source = readSource(path);
      const { place, text: file, changes, version, ...found } = await planned(cli, where, source, prune);
      const summary = planSummary(changes);
      const text = changes.flatMap((change) => [planHead(change), ...planLines(change)]).join("\n");
      cli.output.data({ changes, ...found }, markdown === true ? planMarkdown(changes, summary, found) : text);
      if (markdown !== true) tell(summary, found);
      if (out !== undefined) writePlan(out, { url: cli.connection()?.url ?? null, ...place, version, prune, text: file, summary });
      if (changes.length > 0) cli.exitCode = HAS_CHANGES;
    });

  withRequest(withPrune(inEnvironment(command("apply <path>")), LEFT_OUT))
    .option("--yes", "apply without asking first")
    .action(
      async (
        path: string,
        { prune = false, yes, title, reason, wait, ...where }: Where & ImportOptions & RequestOptions & { yes?: true },
      ) => {
        const request = { title, reason, wait };
        const plan = readPlan(path);
        if (plan !== null) {
          mustBeFor(plan, cli.connection()?.url ?? null, where);
          if (prune && !plan.prune) throw new OperatorError("The plan was made without --prune. Plan again with it.");
          const { project, environment, version } = plan;
          const file = { path: null, document: parseJson(plan.text), locate: (pointer: string) => pointer };
          return importing(cli, { project, environment }, file, { prune: plan.prune, version, request });
        }
        const source = readSource(path);
        const { changes, version, ...found } = await planned(cli, where, source, prune);
        const asks = yes !== true && process.stdin.isTTY;
        if (asks) for (const change of changes) note([planHead(change), ...planLines(change)].join("\n"));
        tell(asks ? planSummary(changes) : null, found);
        if (asks && changes.length === 0) return;
        if (asks && !(await isConfirmed())) throw new OperatorError("Nothing was changed.");
        // The plan as shown is applied; without a terminal, the files are.
        await importing(cli, where, source, { prune, version: asks ? version : null, request });
      },
    );

  inEnvironment(command("pull <path>")).action(async (path: string, options: Where) => {
    const { images: uploaded, ...document } = (await exported(cli, options, { images: true })) as Record<string, unknown>;
    const images = (uploaded ?? []) as FileImage[];
    const { writeImages } = await import("./definition-images.ts");
    const files = filesOf(document, path);
    const count = writeFiles(files) + writeImages(path, images);
    const all = files.size + images.length;
    const others = otherFilesIn(path, files);
    cli.output.data({ written: count, files: all, others }, "");
    note(`${plural(all, "file")}, ${count === 0 ? "none" : count} of them changed.`);
    if (others.length > 0) note(`Not in the environment, and left as they are: ${others.join(", ")}.`);
  });

  command("validate <path>").action(async (path: string) => {
    const { document, locate } = readSource(path);
    // Validates as if for an empty environment, without knowing which images are uploaded and which members players have made immutable.
    const { Rules } = await import("../authoring/simulation/scenarios/rules.ts");
    const rules = Rules.of(document, Date.now());
    if ("problems" in rules) throw new OperatorError(...rules.problems.map((problem) => problemLine(problem, locate)));
    cli.output.data({ problems: [] }, "");
    note("No problems. An environment may still refuse it for its own definitions or players: `definitions plan` shows that.");
  });

  inEnvironment(command("types [path]")).action(async (path: string | undefined, options: Where) => {
    const source = path === undefined ? { document: await exported(cli, options), locate: (pointer: string) => pointer } : readSource(path);
    const { definitionTypes } = await import("./definition-types.ts");
    const types = definitionTypes(source);
    cli.output.data({ types }, types.trimEnd());
  });

  testCommand(command("test"), cli);

  backtestCommand(inEnvironment(command("backtest")), cli);

  inEnvironment(command("export").option("--images", "include the bytes of uploaded images, which another project does not have")).action(
    async ({ images, ...options }: Where & { images?: true }) => {
      printJson(await exported(cli, options, { images }), 2);
    },
  );

  withRequest(withImportOptions(inEnvironment(command("import <file>")), LEFT_OUT)).action(
    async (file: string, { dryRun, prune, title, reason, wait, ...options }: Where & ImportOptions & RequestOptions) => {
      await importing(cli, options, readSource(file), { dryRun, prune, request: { title, reason, wait } });
    },
  );

  withRequest(
    withImportOptions(
      inProject(command("promote"))
        .requiredOption("--from <environment>", "sandbox or live")
        .requiredOption("--to <environment>", "sandbox or live"),
      "the first one does not define",
    ),
  ).action(async (options: Promotion & RequestOptions) => {
    const changes = await orRequest(cli, options, options, () => promote(cli, options));
    if (changes !== null) printImport(cli, changes, options);
  });
}

interface PlanOptions extends Where, ImportOptions {
  out?: string;
  markdown?: true;
}

/** The changes that applying would make, and other people's edits that they revert. */
async function planned(cli: Cli, where: Where, source: Source, prune: boolean) {
  const found = await importSource(cli, where, source, { prune, dryRun: true });
  return { ...found, ...(await cli.call((service) => revertedBy(service, found.place, found.changes))) };
}

function tell(summary: string | null, { reverted, notCompared }: Reverted): void {
  if (summary !== null) note(summary);
  if (reverted.length > 0) note(["This reverts what others did:", ...reverted.map((line) => `  ${oneLine(line)}`)].join("\n"));
  if (notCompared > 0) note(notComparedLine(notCompared));
}

const LEFT_OUT = "the file's lists leave out";

const withPrune = (command: Command, pruned: string): Command => command.option("--prune", `switch off what ${pruned}`);

const withImportOptions = (command: Command, pruned: string): Command =>
  withPrune(command.option("--dry-run", "print what would change and write nothing"), pruned);

const exported = (cli: Cli, options: Where, { images = false }: { images?: boolean } = {}): Promise<unknown> =>
  cli.call(async (service) => service.definitions(await service.where(options), images));

interface SourceOptions {
  dryRun?: boolean | undefined;
  prune?: boolean | undefined;
  version?: number | null;
  request?: RequestOptions;
}

/** Imports and prints what changed, or the address of the change request that it became. */
async function importing(cli: Cli, where: Where, source: Parameters<typeof importSource>[2], options: SourceOptions): Promise<void> {
  const imported = await orRequest(cli, where, options.request ?? {}, () => importSource(cli, where, source, options));
  if (imported !== null) printImport(cli, imported.changes, { dryRun: options.dryRun });
}

/** The changes of an import, made or in a dry run, and the version that they are based on. Throws OperatorError with every problem. */
export async function importSource(
  cli: Cli,
  where: Where,
  { path, document, locate }: Omit<Source, "path"> & { path: string | null },
  { dryRun = false, prune = false, version = null, request = {} }: SourceOptions,
) {
  return cli.call(async (service) => {
    const place = await service.where(where);
    const whole = path === null ? document : await withLackingImages(service, place, path, document);
    const text = writeJson(whole);
    const { planFile, importFile } = service.rpc.definitions;
    const [rest, images] = imagesApart(whole, text);
    for (const [at, image] of images.entries()) {
      const one = { ...place, text: writeJson({ version: 1, images: [image] }) };
      changesOf(await (dryRun ? planFile(one) : importFile(one)), (pointer) => locate(pointer.replace("/images/0", `/images/${at}`)));
    }
    const file = { ...place, text: rest, prune, version };
    const result = await (dryRun
      ? planFile({ ...file, coming: images.map(({ id, bytes }) => ({ id, size: Buffer.byteLength(bytes, "base64") })) })
      : importFile({ ...file, ...textsOf(request) }));
    return { place, text, changes: changesOf(result, locate), version: result.version ?? 0 };
  });
}

/** The most bytes of a file in one call: a little less than the service accepts. */
const MAX_SENT = 4_000_000;

/** The text to send, and the images to send before it, each in a call of its own, where all together are too large for one. */
function imagesApart(document: unknown, text: string): [rest: string, images: FileImage[]] {
  if (Buffer.byteLength(JSON.stringify(text)) <= MAX_SENT || !isJsonObject(document) || !Array.isArray(document["images"]))
    return [text, []];
  const { images, ...rest } = document;
  return [writeJson(rest), images as FileImage[]];
}

/** Adds the images beside the definitions that the service lacks: most plans send none. */
async function withLackingImages({ rpc }: Service, place: EnvironmentRef, path: string, document: unknown): Promise<unknown> {
  // Loaded only here: other commands start without the shapes of definitions.
  const { withImages } = await import("./definition-images.ts");
  const named: string[] = [];
  withImages(document, path, (id) => named.push(id) > 0);
  const known = new Set<string>();
  for (let at = 0; at < named.length; at += MAX_ASKED) {
    const { images } = await rpc.definitions.images({ ...place, ids: named.slice(at, at + MAX_ASKED) });
    for (const { id } of images) known.add(id);
  }
  return withImages(document, path, (id) => known.has(id));
}

/** The most images that a call asks about. */
const MAX_ASKED = 1_000;

type Promotion = { project?: string; from: string; to: string } & ImportOptions;

async function promote(cli: Cli, { project, from, to, dryRun, prune, ...texts }: Promotion & RequestOptions): Promise<ShownChange[]> {
  const options = { dryRun: dryRun === true, prune: prune === true };
  if (kindOf(from, "--from") === kindOf(to, "--to"))
    throw new OperatorError("An environment cannot be promoted to itself; --from and --to must be two of them.");
  const result = await cli.call(async (service) =>
    service.rpc.definitions.promoteAll({ ...(await service.where({ project, environment: from })), ...options, ...textsOf(texts) }),
  );
  return changesOf(result);
}

interface Result {
  problems: { pointer: string; message: string }[];
  changes: ShownChange[];
}

/** Throws OperatorError with every problem. */
function changesOf({ problems, changes }: Result, locate: Source["locate"] = (pointer) => pointer): ShownChange[] {
  if (problems.length > 0) throw new OperatorError(...problems.map((problem) => problemLine(problem, locate)));
  return changes;
}

function printImport(cli: Cli, changes: readonly ShownChange[], { dryRun = false }: { dryRun?: boolean | undefined }): void {
  const lines = changes.flatMap((change) => [changeLine(change), ...(dryRun ? differenceLines(change) : [])]);
  cli.output.data({ changes }, lines.join("\n"));
  note(importSummary(changes.length, dryRun));
}

/** Asks at the terminal; only "yes" means yes. */
async function isConfirmed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and Ctrl-D close it: Node 24 then rejects the question, and older versions leave it open.
  const closed = once(terminal, "close").then(() => "");
  try {
    const answer = terminal.question("Apply these changes? Type yes to confirm: ").catch(() => "");
    return (await Promise.race([answer, closed])).trim() === "yes";
  } finally {
    terminal.close();
  }
}
