import type { Command } from "commander";
import type { Cli } from "./context.ts";
import { note } from "./output.ts";
import { inEnvironment, type Where } from "./where.ts";

/** `environment reset`. */
export function environmentCommands(program: Command, cli: Cli): void {
  inEnvironment(program.command("environment").description("Sandbox and Live of a project").command("reset"))
    .description(
      "resets a Sandbox: deletes players, events and everything that came from them; keeps definitions, keys, webhooks and the clock",
    )
    .action(async (options: Where) => {
      const { project, players } = await cli.reach({
        over: async (remote) => {
          const { project, environment } = await remote.where(options);
          return { project, ...(await remote.rpc.work.reset({ project, environment, confirmation: project })) };
        },
        beside: async ({ database, verbs, ...beside }) => {
          const environment = await beside.environment(options);
          return { project: environment.projectSlug, players: await verbs.resetSandbox(database, environment) };
        },
      });
      const gone = players === 0 ? "There were no players." : players === 1 ? "1 player deleted." : `${players} players deleted.`;
      note(`The Sandbox of ${project} is reset; definitions and keys are kept. ${gone}`);
    });
}
