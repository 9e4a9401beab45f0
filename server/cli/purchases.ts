import type { Command } from "commander";
import { reversePurchase } from "../marketplace/service/reversal.ts";
import { environmentOf, inEnvironment, type Where, withDatabase } from "./context.ts";

/** `purchase reverse`. */
export function purchaseCommands(program: Command): void {
  const purchase = program.command("purchase").description("what players have bought");

  inEnvironment(purchase.command("reverse"))
    .description("reverses a purchase: refunds its price, returns the unit to stock and frees the player's limit")
    .requiredOption("--id <id>", "of the purchase, as the API gives it")
    .requiredOption("--reason <reason>", "why, for the ledger")
    .action((options: Where & { id: string; reason: string }) =>
      withDatabase(async (database) => {
        await reversePurchase(database, await environmentOf(database, options), options.id, options.reason);
        console.error(`Purchase ${options.id} is reversed. What was already handed over stays with the player.`);
      }),
    );
}
