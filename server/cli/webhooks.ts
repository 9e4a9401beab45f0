import type { Command } from "commander";
import { formatInstant } from "../kernel/time.ts";
import { openCipher } from "../auth-secret.ts";
import { OperatorError } from "../kernel/operator-error.ts";
import { readSettings } from "../settings.ts";
import { createEndpoint, deleteEndpoint, type Endpoint, listEndpoints } from "../webhooks/service/endpoints.ts";
import { reencryptSecrets } from "../webhooks/service/secrets.ts";
import { environmentOf, inEnvironment, type Where, withDatabase } from "./context.ts";

/** `webhook create|list|delete`: data goes to standard output, messages to standard error. */
export function webhookCommands(program: Command): void {
  const webhook = program.command("webhook").description("endpoints that webhooks are sent to");

  inEnvironment(webhook.command("create"))
    .description("registers an endpoint and prints its signing secret, once")
    .requiredOption("--url <url>", "an absolute http or https address")
    .requiredOption("--events <events>", "comma-separated, such as mission.completed")
    .action(async (options: Where & { url: string; events: string }) => {
      const settings = readSettings();
      const cipher = await openCipher(settings);
      const { allowPrivateAddresses } = settings;
      await withDatabase(async (database) => {
        const environment = await environmentOf(database, options);
        const events = options.events.split(",").map((event) => event.trim()).filter((event) => event !== ""); // oxfmt-ignore
        const created = await createEndpoint(database, environment, { url: options.url, events }, { allowPrivateAddresses, cipher });
        console.error(`Webhook endpoint ${created.id} is registered. Its signing secret is shown only once:`);
        console.log(created.secret);
        if (!created.isResolved) console.error("Its host name is not known yet: deliveries will fail until it is.");
      });
    });

  inEnvironment(webhook.command("list"))
    .description("prints the endpoints, a line for each: id, state, URL, events")
    .action((options: Where) =>
      withDatabase(async (database) => {
        const endpoints = await listEndpoints(database, await environmentOf(database, options));
        for (const endpoint of endpoints) console.log([endpoint.id, stateOf(endpoint), endpoint.url, endpoint.events.join(",")].join("\t"));
        if (endpoints.length === 0) console.error("There are no webhook endpoints in this environment.");
      }),
    );

  inEnvironment(webhook.command("delete"))
    .description("deletes an endpoint; its pending and held deliveries fail")
    .requiredOption("--id <id>", "as `webhook list` prints it")
    .action((options: Where & { id: string }) =>
      withDatabase(async (database) => {
        await deleteEndpoint(database, await environmentOf(database, options), options.id);
        console.error(`Webhook endpoint ${options.id} is deleted.`);
      }),
    );

  webhook
    .command("reencrypt")
    .description("encrypts all signing secrets under AUTH_SECRET; AUTH_SECRET_PREVIOUS is the one before, and needed no more afterwards")
    .action(async () => {
      const cipher = await openCipher(readSettings());
      await withDatabase(async (database) => {
        const { count, unreadable } = await reencryptSecrets(database, cipher);
        console.error(count === 0 ? "There was nothing to encrypt anew." : `Encrypted anew: the secrets of ${count} webhook endpoints.`);
        if (unreadable.length > 0) throw new OperatorError(...unreadable.map(unreadableLine));
      });
    });
}

const unreadableLine = (id: string): string =>
  `Webhook endpoint ${id}: its secret was encrypted under another AUTH_SECRET. Set AUTH_SECRET_PREVIOUS to that, or rotate the secret in the dashboard.`;

function stateOf({ disabledAt, disabledReason, failingSince }: Endpoint): string {
  if (disabledAt !== null) return `switched off ${formatInstant(disabledAt)}: ${disabledReason ?? ""}`;
  return failingSince === null ? "active" : `failing since ${formatInstant(failingSince)}`;
}
