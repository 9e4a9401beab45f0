import type { Command } from "commander";
import { OperatorError } from "../kernel/operator-error.ts";
import { checkIntegrity } from "../integrity/check.ts";
import { environmentOf, inEnvironment, type Where, withDatabase } from "./context.ts";

/** `audit` prints a line for each invariant that is broken, and fails if there is one. */
export function auditCommand(program: Command): void {
  inEnvironment(program.command("audit"))
    .description("checks every invariant over all of an environment's data")
    .action((options: Where) =>
      withDatabase(async (database) => {
        const lines = await checkIntegrity(database, await environmentOf(database, options));
        for (const line of lines) console.log(line);
        if (lines.length > 0)
          throw new OperatorError(`The audit found ${lines.length === 1 ? "one problem" : `${lines.length} problems`}.`);
        console.error("Every invariant holds.");
      }),
    );
}
