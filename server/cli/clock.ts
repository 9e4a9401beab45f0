import type { Command } from "commander";
import { formatInstant } from "../model/kernel/time.ts";
import type { Cli } from "./context.ts";
import { inEnvironment, type Where } from "./where.ts";

/** `clock advance` prints the new time. */
export function clockCommands(program: Command, cli: Cli): void {
  inEnvironment(program.command("clock").description("the clock of a Sandbox").command("advance"))
    .description("moves the clock forward, waits until scheduled work has run, and prints the new time")
    .requiredOption("--by <duration>", "an ISO 8601 duration in the project's time zone, such as P1D")
    .action(async ({ by, ...options }: Where & { by: string }) => {
      const now = await cli.reach({
        over: async (remote) => (await remote.rpc.work.moveClock({ ...(await remote.where(options)), by })).now,
        beside: async ({ database, verbs, environment }) => formatInstant(await verbs.moveClock(database, await environment(options), by)),
      });
      cli.output.data({ now }, now);
    });
}
