import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { OperatorError } from "../kernel/operator-error.ts";
import { erasePlayer } from "../privacy/erase.ts";
import { listErasures, repeatErasures } from "../privacy/repeat.ts";
import { environmentOf, inEnvironment, type Where, withDatabase } from "./context.ts";

/** `player erase`, `player erasures`, `player repeat-erasures`. */
export function playerCommands(program: Command): void {
  const player = program.command("player").description("what is kept of players");

  inEnvironment(player.command("erase"))
    .description("erases a player for good: points and purchases stay without a name, all else goes")
    .requiredOption("--id <id>", "the player's external id")
    .requiredOption("--reason <reason>", "why, for the audit log")
    .action((options: Where & { id: string; reason: string }) =>
      withDatabase(async (database) => {
        await erasePlayer(database, await environmentOf(database, options), options.id, options.reason);
        console.error("The player is erased.");
      }),
    );

  inEnvironment(player.command("erasures"))
    .description("prints the erasures, a line of JSON each, without names: keep them apart from your backups")
    .action((options: Where) =>
      withDatabase(async (database) => {
        for (const line of await listErasures(database, await environmentOf(database, options))) console.log(line);
      }),
    );

  inEnvironment(player.command("repeat-erasures"))
    .description("after a backup was restored: erases again whom it brought back")
    .requiredOption("--file <file>", 'the lines of "player erasures"')
    .action((options: Where & { file: string }) =>
      withDatabase(async (database) => {
        const text = await readFile(options.file, "utf8").catch((error: Error) => {
          throw new OperatorError(`${options.file} cannot be read: ${error.message}`);
        });
        const count = await repeatErasures(database, await environmentOf(database, options), text.split("\n"));
        console.error(count === 1 ? "1 player erased again." : `${count} players erased again.`);
      }),
    );
}
