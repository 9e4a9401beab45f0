import type { Command } from "commander";
import { resetSandbox } from "../sandbox/reset.ts";
import { environmentOf, inEnvironment, type Where, withDatabase } from "./context.ts";

/** `environment reset`. */
export function environmentCommands(program: Command): void {
  inEnvironment(program.command("environment").description("Sandbox and Live of a project").command("reset"))
    .description(
      "resets a Sandbox: deletes players, events and everything that came from them; keeps definitions, keys, webhooks and the clock",
    )
    .action((options: Where) =>
      withDatabase(async (database) => {
        const environment = await environmentOf(database, options);
        const players = await resetSandbox(database, environment);
        const gone = players === 0 ? "There were no players." : players === 1 ? "1 player deleted." : `${players} players deleted.`;
        console.error(`The Sandbox of ${environment.projectSlug} is reset; definitions and keys are kept. ${gone}`);
      }),
    );
}
