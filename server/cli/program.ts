import { Command, CommanderError, Option } from "commander";
import { COMMANDS } from "../model/command-line/commands.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { apiKeyCommands, tokenCommands, userCommands } from "./access.ts";
import { completionCommand } from "./completion.ts";
import { type ConnectionFlags, connectionOf, readLogins, variables } from "./connection.ts";
import { type Cli, type RunBeside, waysTo } from "./context.ts";
import { definitionsCommands } from "./definitions.ts";
import { listenCommand } from "./listen.ts";
import { loginCommands } from "./login.ts";
import { mcpCommand } from "./mcp-command.ts";
import { note, Output, printLine, styledNote } from "./output.ts";
import { scaleCommands, upkeepCommands } from "./operations.ts";
import { playerCommands } from "./players.ts";
import { projectCommands } from "./projects.ts";
import { type ServeEphemeral, serveCommand } from "./serve.ts";
import { testProjectCommands } from "./test-projects.ts";
import { triggerCommand } from "./trigger.ts";
import { webhookCommands } from "./webhooks.ts";

interface RunOptions {
  /**
   * Whether this is `engagement`, which runs anywhere and knows logins. `npm run cli`, beside the service, uses another service only by
   * --url or ENGAGEMENT_URL.
   */
  isAnywhere: boolean;
  /** What `--version` prints. */
  version: string;
  /** Both are null in a package that has no service. */
  runBeside: RunBeside | null;
  serve: ServeEphemeral | null;
}

interface GlobalOptions extends ConnectionFlags {
  json?: boolean;
}

/**
 * Runs one command line: data goes to standard output, messages to standard error. Returns the exit code: 1 on failure, with a line for
 * each problem; 2 for a plan with changes.
 */
export async function runCommand(args: readonly string[], { isAnywhere, version, runBeside, serve }: RunOptions): Promise<number> {
  const program = new Command("engagement")
    .usage("[options] <command> …")
    .version(version, "--version")
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: (text) => printLine(text.trimEnd()), writeErr: (text) => console.error(text.trimEnd()) });
  let given: GlobalOptions = {};
  const connection = () => connectionOf(given, variables(), isAnywhere ? readLogins() : null);
  const cli: Cli = { output: new Output({ isJson: false }), connection, ...waysTo(connection, runBeside), exitCode: 0 };
  loginCommands(program, cli);
  projectCommands(program, cli);
  userCommands(program, cli);
  apiKeyCommands(program, cli);
  tokenCommands(program, cli);
  webhookCommands(program, cli);
  playerCommands(program, cli);
  definitionsCommands(program, cli);
  upkeepCommands(program, cli);
  listenCommand(program, cli);
  triggerCommand(program, cli);
  mcpCommand(program, cli);
  scaleCommands(program, cli);
  testProjectCommands(program, cli);
  serveCommand(program, cli, serve);
  completionCommand(program);
  complete(program);
  program.hook("preAction", (_, command) => {
    given = globalOptionsOf(program, command);
    cli.output = new Output({ isJson: given.json === true });
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return cli.exitCode;
  } catch (error) {
    return explain(error);
  }
}

const GLOBAL = [
  ["--url <url>", "the service to call; ENGAGEMENT_URL if left out"],
  ["--token <token>", "the token to call it with; ENGAGEMENT_TOKEN, or the one of the login, if left out"],
  ["--json", "print data as JSON"],
] as const;

const DESCRIPTIONS = new Map(COMMANDS.flatMap(({ rows }) => rows));

/** Commands that use no given token: they accept the global option without listing it. */
const WITHOUT_TOKEN = new Set(["login", "logout"]);

/** Describes each command, and adds the global options, which may precede or follow it, unless it has its own option of that name. */
function complete(command: Command, path: readonly string[] = []): void {
  const isLeaf = command.commands.length === 0;
  if (isLeaf) command.description(DESCRIPTIONS.get(path.join(" ")) ?? "");
  if (isLeaf || command.parent === null) {
    for (const [flags, description] of GLOBAL) {
      const name = flags.split(" ", 1)[0];
      if (command.options.some(({ long }) => long === name)) continue;
      command.addOption(new Option(flags, description).hideHelp(name === "--token" && WITHOUT_TOKEN.has(command.name())));
    }
  }
  for (const inner of command.commands) complete(inner, [...path, inner.name()]);
}

/** These commands have their own `--url`: for them, the service is named before the command. */
const OWN_URL = new Set(["webhook create", "login", "logout"]);

function globalOptionsOf(program: Command, command: Command): GlobalOptions {
  const { url, ...own } = command.opts<GlobalOptions>();
  const path = command.parent === program ? command.name() : `${command.parent?.name()} ${command.name()}`;
  const given = OWN_URL.has(path) || url === undefined ? own : { ...own, url };
  return { ...program.opts<GlobalOptions>(), ...given };
}

function explain(error: unknown): number {
  // Commander has already reported wrong arguments, or printed the requested help or version, with code 0.
  if (error instanceof CommanderError) return error.exitCode;
  if (error instanceof OperatorError) note(error.problems.map((line) => styledNote("red", line)).join("\n"));
  else note(`Unexpected error: ${messageOf(error)}`);
  return 1;
}

/** The innermost cause, on one line: errors that wrap it repeat queries with their parameters. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? messageOf(error.cause) : error.message.replaceAll(/\s+/g, " ");
}
