import type { Command } from "commander";
import { formatInstant } from "../kernel/time.ts";
import { readSettings } from "../settings.ts";
import { createEndpoint, deleteEndpoint, type Endpoint, listEndpoints } from "../webhooks/service.ts";
import { environmentOf, inEnvironment, type Where, withDatabase } from "./context.ts";

/** `webhook create|list|delete` of operations.md: data to standard output, words to standard error. */
export function webhookCommands(program: Command): void {
  const webhook = program.command("webhook").description("endpoints that webhooks are sent to");

  inEnvironment(webhook.command("create"))
    .description("registers an endpoint and prints its signing secret, once")
    .requiredOption("--url <url>", "an absolute http or https address")
    .requiredOption("--events <events>", "comma-separated, such as mission.completed")
    .action((options: Where & { url: string; events: string }) =>
      withDatabase(async (database) => {
        const environment = await environmentOf(database, options);
        const events = options.events.split(",").map((event) => event.trim()).filter((event) => event !== ""); // prettier-ignore
        const created = await createEndpoint(database, environment, { url: options.url, events }, readSettings());
        console.error(`Webhook endpoint ${created.id} is registered. Its signing secret is shown this once:`);
        console.log(created.secret);
        if (!created.isResolved) console.error("Its host name is not known yet: deliveries will fail until it is.");
      }),
    );

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
    .description("deletes an endpoint; what was still to be sent to it fails")
    .requiredOption("--id <id>", "as `webhook list` prints it")
    .action((options: Where & { id: string }) =>
      withDatabase(async (database) => {
        await deleteEndpoint(database, await environmentOf(database, options), options.id);
        console.error(`Webhook endpoint ${options.id} is deleted.`);
      }),
    );
}

function stateOf({ disabledAt, disabledReason, failingSince }: Endpoint): string {
  if (disabledAt !== null) return `switched off ${formatInstant(disabledAt)}: ${disabledReason ?? ""}`;
  return failingSince === null ? "active" : `failing since ${formatInstant(failingSince)}`;
}
