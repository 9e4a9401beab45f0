import { Command, CommanderError } from "commander";
import { OperatorError } from "../kernel/operator-error.ts";
import { analyticsCommands } from "./analytics.ts";
import { apiKeyCommands } from "./api-keys.ts";
import { auditCommand } from "./audit.ts";
import { clockCommands } from "./clock.ts";
import { definitionsCommands } from "./definitions.ts";
import { environmentCommands } from "./environments.ts";
import { projectCommands } from "./projects.ts";
import { purchaseCommands } from "./purchases.ts";
import { tokenCommands } from "./tokens.ts";
import { userCommands } from "./users.ts";
import { webhookCommands } from "./webhooks.ts";

/**
 * Runs one command line: data goes to standard output, words to standard error. Answers the exit code,
 * which is 1 where something failed; then there is a line for each problem.
 */
export async function run(args: readonly string[]): Promise<number> {
  const program = new Command("cli")
    .usage("<command> …")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => console.log(text.trimEnd()),
      writeErr: (text) => console.error(text.trimEnd()),
    });
  projectCommands(program);
  environmentCommands(program);
  userCommands(program);
  apiKeyCommands(program);
  tokenCommands(program);
  webhookCommands(program);
  purchaseCommands(program);
  definitionsCommands(program);
  clockCommands(program);
  auditCommand(program);
  analyticsCommands(program);
  try {
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): number {
  // Commander has said what is wrong with the arguments itself; asking for help is no failure.
  if (error instanceof CommanderError) return error.code === "commander.helpDisplayed" || error.code === "commander.help" ? 0 : 1;
  if (error instanceof OperatorError) console.error(error.problems.join("\n"));
  else console.error(`Unexpected error: ${messageOf(error)}`);
  return 1;
}

/** The innermost reason, on one line: what wraps it repeats queries with their parameters. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? messageOf(error.cause) : error.message.replaceAll(/\s+/g, " ");
}
