import type { Command } from "commander";
import { OperatorError } from "../model/kernel/operator-error.ts";
import type { Cli } from "./context.ts";
import { note } from "./output.ts";
import { inEnvironment, type Where } from "./where.ts";

/** `audit` prints a line for each broken invariant, and fails if there is one. */
export function auditCommand(program: Command, cli: Cli): void {
  inEnvironment(program.command("audit"))
    .description("checks every invariant over all of an environment's data")
    .action(async (options: Where) => {
      const lines = await cli.reach({
        beside: async ({ database, verbs, environment }) => verbs.checkIntegrity(database, await environment(options)),
      });
      cli.output.data(lines, lines.join("\n"));
      if (lines.length > 0) throw new OperatorError(`The audit found ${lines.length === 1 ? "one problem" : `${lines.length} problems`}.`);
      note("Every invariant holds.");
    });
}
