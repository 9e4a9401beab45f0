import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { plural } from "../model/kernel/thousands.ts";
import type { Cli } from "./context.ts";
import { unreadable } from "./definition-files.ts";
import { note } from "./output.ts";
import { inEnvironment, type Where } from "./service.ts";

/** `player erase|erasures|repeat-erasures`, `purchase reverse`. */
export function playerCommands(program: Command, cli: Cli): void {
  const player = program.command("player").description("the stored data of players");

  inEnvironment(player.command("erase"))
    .requiredOption("--id <id>", "the player's external id")
    .requiredOption("--reason <reason>", "why, for the audit log")
    .action(async ({ id, reason, ...options }: Where & { id: string; reason: string }) => {
      const player = { externalId: id, reason, confirmation: id };
      await cli.call(async (service) => service.rpc.privacy.erase({ ...(await service.where(options)), ...player }));
      note("The player is erased.");
    });

  inEnvironment(player.command("erasures")).action(async (options: Where) => {
    const lines = await cli.beside(async ({ database, verbs, environment }) => verbs.listErasures(database, await environment(options)));
    const rows = lines.map((line): unknown => JSON.parse(line));
    cli.output.data(rows, lines.join("\n"));
    if (lines.length === 0 && !cli.output.isJson) note("There are no erasures.");
  });

  inEnvironment(player.command("repeat-erasures"))
    .requiredOption("--file <file>", 'the lines of "player erasures"')
    .action(async ({ file, ...options }: Where & { file: string }) => {
      const { read, erased } = await cli.beside(async ({ database, verbs, environment }) => {
        const text = await readFile(file, "utf8").catch((error: unknown) => {
          throw unreadable(file, error);
        });
        return verbs.repeatErasures(database, await environment(options), linesOf(text, file));
      });
      const outcome = erased === 0 ? "no player was back" : `${plural(erased, "player")} erased again`;
      note(`${plural(read, "erasure")} read: ${outcome}.`);
    });

  inEnvironment(program.command("purchase").description("purchases of players").command("reverse"))
    .requiredOption("--id <id>", "the purchase's id in the API")
    .requiredOption("--reason <reason>", "why, for the ledger")
    .action(async ({ id, reason, ...options }: Where & { id: string; reason: string }) => {
      const purchase = { purchaseId: id, reason };
      await cli.call(async (service) => service.rpc.marketplace.reverse({ ...(await service.where(options)), ...purchase }));
      note(`Purchase ${id} is reversed. Items already delivered stay with the player.`);
    });
}

/** The lines of "player erasures", also of a file with its JSON. Throws OperatorError. */
function linesOf(text: string, file: string): string[] {
  if (!text.trimStart().startsWith("[")) return text.split("\n");
  try {
    return (JSON.parse(text.trim()) as unknown[]).map((row) => JSON.stringify(row));
  } catch {
    throw new OperatorError(`${file} is not a list that "player erasures" has written.`);
  }
}
