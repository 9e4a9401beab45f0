import type { Command } from "commander";
import type { Cli } from "./context.ts";
import { note } from "./output.ts";
import { inEnvironment, type Where } from "./where.ts";

/** `purchase reverse`. */
export function purchaseCommands(program: Command, cli: Cli): void {
  const purchase = program.command("purchase").description("what players have bought");

  inEnvironment(purchase.command("reverse"))
    .description("reverses a purchase: refunds its price, returns the unit to stock and frees the player's limit")
    .requiredOption("--id <id>", "of the purchase, as the API gives it")
    .requiredOption("--reason <reason>", "why, for the ledger")
    .action(async ({ id, reason, ...options }: Where & { id: string; reason: string }) => {
      await cli.reach<unknown>({
        over: async (remote) => remote.rpc.marketplace.reverse({ ...(await remote.where(options)), purchaseId: id, reason }),
        beside: async ({ database, verbs, environment }) => verbs.reversePurchase(database, await environment(options), id, reason),
      });
      note(`Purchase ${id} is reversed. What was already handed over stays with the player.`);
    });
}
