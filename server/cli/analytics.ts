import type { Command } from "commander";
import type { Cli } from "./context.ts";
import { note } from "./output.ts";
import { inEnvironment, type Where } from "./where.ts";

/** `analytics recount` has the workers recompute the figures from log and tables, in the background. */
export function analyticsCommands(program: Command, cli: Cli): void {
  inEnvironment(program.command("analytics").description("the figures of the dashboard's reports").command("recount"))
    .description("has all figures counted anew in the background; reports show the progress")
    .action(async (options: Where) => {
      await cli.reach({
        beside: async ({ database, verbs, environment }) => verbs.countAgain(database, await environment(options)),
      });
      note("All figures are being counted again in the background.");
    });
}
