import { Command, CommanderError } from "commander";
import { Refused } from "../kernel/refused.ts";
import { apiKeyCommands } from "./api-keys.ts";
import { auditCommand } from "./audit.ts";
import { clockCommands } from "./clock.ts";
import { definitionsCommands } from "./definitions.ts";
import { projectCommands } from "./projects.ts";
import { userCommands } from "./users.ts";
import { webhookCommands } from "./webhooks.ts";

/**
 * The command line (operations.md). Data goes to standard output, words to standard error; a failure exits 1 with a line
 * for each problem.
 */
const program = new Command("cli").usage("<command> …").exitOverride().showSuggestionAfterError();
projectCommands(program);
userCommands(program);
apiKeyCommands(program);
webhookCommands(program);
definitionsCommands(program);
clockCommands(program);
auditCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  // Commander has said what is wrong with the arguments itself; asking for help is no failure.
  if (error instanceof CommanderError) return error.code === "commander.helpDisplayed" || error.code === "commander.version" ? 0 : 1;
  if (error instanceof Refused) console.error(error.problems.join("\n"));
  else console.error(`Something unforeseen went wrong: ${error instanceof Error ? error.message : String(error)}`);
  return 1;
}
