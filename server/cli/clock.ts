import type { Command } from "commander";
import { formatInstant } from "../kernel/time.ts";
import { moveClock } from "../sandbox/move-clock.ts";
import { environmentOf, inEnvironment, type Where, withDatabase } from "./context.ts";

/** `clock advance` prints the new time. */
export function clockCommands(program: Command): void {
  inEnvironment(program.command("clock").description("the clock of a Sandbox").command("advance"))
    .description("moves the clock forward, waits until scheduled work has run, and prints the new time")
    .requiredOption("--by <duration>", "an ISO 8601 duration in the project's time zone, such as P1D")
    .action((options: Where & { by: string }) =>
      withDatabase(async (database) => {
        console.log(formatInstant(await moveClock(database, await environmentOf(database, options), options.by)));
      }),
    );
}
