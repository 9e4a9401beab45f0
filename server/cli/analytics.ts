import type { Command } from "commander";
import { countAgain } from "../analytics/service/counting.ts";
import { environmentOf, inEnvironment, type Where, withDatabase } from "./context.ts";

/** `analytics recount` has the figures made anew from log and tables, by the workers, in the background. */
export function analyticsCommands(program: Command): void {
  inEnvironment(program.command("analytics").description("the figures of the dashboard's reports").command("recount"))
    .description("has all figures counted anew in the background; reports show the progress")
    .action((options: Where) =>
      withDatabase(async (database) => {
        await countAgain(database, await environmentOf(database, options));
        console.error("The workers count all figures anew.");
      }),
    );
}
