import type { Command } from "commander";
import { resetSandbox } from "../sandbox/reset.ts";
import { environmentOf, inEnvironment, type Where, withDatabase } from "./context.ts";

/** `environment reset`. */
export function environmentCommands(program: Command): void {
  inEnvironment(program.command("environment").description("Sandbox and Live of a project").command("reset"))
    .description("empties a Sandbox: players, events and everything that came of them; definitions, keys, webhooks and the clock stay")
    .action((options: Where) =>
      withDatabase(async (database) => {
        const environment = await environmentOf(database, options);
        const players = await resetSandbox(database, environment);
        const gone = players === 0 ? "There were no players." : players === 1 ? "One player is gone." : `${players} players are gone.`;
        console.error(`The Sandbox of ${environment.projectSlug} is empty; definitions and keys are as they were. ${gone}`);
      }),
    );
}
