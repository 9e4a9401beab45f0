import type { Command } from "commander";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { formatInstant } from "../model/kernel/time.ts";
import type { Remote } from "./remote.ts";
import type { Cli } from "./context.ts";
import { note } from "./output.ts";
import { inEnvironment, type Where } from "./where.ts";

type Named = Where & { name: string };

/** `api-key create|list|revoke`: `create` prints the key. */
export function apiKeyCommands(program: Command, cli: Cli): void {
  const apiKey = program.command("api-key").description("keys of the public API, each bound to one environment");

  inEnvironment(apiKey.command("create"))
    .description("creates a key and prints it, once")
    .requiredOption("--name <name>", "its name")
    .action(async (options: Named) => {
      const { name } = options;
      const key = await cli.reach({
        over: async (remote) => (await remote.rpc.keys.create({ ...(await remote.where(options)), name })).key,
        beside: async ({ database, verbs, environment }) => verbs.createApiKey(database, await environment(options), name),
      });
      note(`The API key "${name}" is created. It is shown only once:`);
      cli.output.data({ key }, key);
    });

  inEnvironment(apiKey.command("list"))
    .description("prints the keys, a line for each: name, hint, when it was created and last used, whether it was revoked")
    .action(async (options: Where) => {
      const keys = await cli.reach({
        over: async (remote) => remote.rpc.keys.list(await remote.where(options)),
        beside: async ({ database, verbs, environment }) =>
          (await verbs.listKeys(database.sql, (await environment(options)).id)).map(
            ({ id, name, hint, createdAt, lastUsedAt, revokedAt }) => ({
              ...{ id, name, hint },
              createdAt: formatInstant(createdAt),
              lastUsedAt: instantOf(lastUsedAt),
              revokedAt: instantOf(revokedAt),
            }),
          ),
      });
      const rows = keys.map(({ name, hint, createdAt, lastUsedAt, revokedAt }) => [
        ...[name, hint, `created ${createdAt}`],
        lastUsedAt === null ? "never used" : `last used ${lastUsedAt}`,
        revokedAt === null ? "active" : `revoked ${revokedAt}`,
      ]);
      cli.output.rows(["NAME", "KEY", "CREATED", "USED", "STATE"], rows, {
        json: keys,
        empty: "There are no API keys in this environment.",
      });
    });

  inEnvironment(apiKey.command("revoke"))
    .description("revokes the keys of a name, from the next request on")
    .requiredOption("--name <name>", "as it was created")
    .action(async (options: Named) => {
      const { name } = options;
      const revoked = await cli.reach({
        over: async (remote) => revokeNamed(remote, options),
        beside: async ({ database, verbs, environment }) => verbs.revokeApiKey(database, await environment(options), name),
      });
      note(revoked === 1 ? `The API key "${name}" is revoked.` : `${revoked} API keys "${name}" are revoked.`);
    });
}

const instantOf = (at: number | null): string | null => (at === null ? null : formatInstant(at));

/** Several keys may share a name. */
async function revokeNamed(remote: Remote, { name, ...options }: Named): Promise<number> {
  const where = await remote.where(options);
  const inForce = (await remote.rpc.keys.list(where)).filter((key) => key.name === name.trim() && key.revokedAt === null);
  if (inForce.length === 0) throw new OperatorError(`There is no API key "${name}" in force.`);
  for (const { id } of inForce) await remote.rpc.keys.revoke({ ...where, id });
  return inForce.length;
}
