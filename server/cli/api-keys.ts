import type { Command } from "commander";
import { createApiKey } from "../api-keys/create.ts";
import { revokeApiKey } from "../api-keys/revoke.ts";
import { environmentOf, inEnvironment, type Where, withDatabase } from "./context.ts";

type Named = Where & { name: string };

/** `api-key create|revoke`: `create` prints the key. */
export function apiKeyCommands(program: Command): void {
  const apiKey = program.command("api-key").description("keys of the public API, each bound to one environment");

  inEnvironment(apiKey.command("create"))
    .description("creates a key and prints it, once")
    .requiredOption("--name <name>", "its name")
    .action((options: Named) =>
      withDatabase(async (database) => {
        const key = await createApiKey(database, await environmentOf(database, options), options.name);
        console.error(`The API key "${options.name}" is created. It is shown only once:`);
        console.log(key);
      }),
    );

  inEnvironment(apiKey.command("revoke"))
    .description("revokes the keys of a name, from the next request on")
    .requiredOption("--name <name>", "as it was created")
    .action((options: Named) =>
      withDatabase(async (database) => {
        const revoked = await revokeApiKey(database, await environmentOf(database, options), options.name);
        console.error(revoked === 1 ? `The API key "${options.name}" is revoked.` : `${revoked} API keys "${options.name}" are revoked.`);
      }),
    );
}
