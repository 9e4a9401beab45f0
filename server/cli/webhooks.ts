import type { Command } from "commander";
import { formatInstant } from "../model/kernel/time.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import type { Beside } from "./beside.ts";
import type { Cli } from "./context.ts";
import { note } from "./output.ts";
import { inEnvironment, type Where } from "./where.ts";

type NewEndpoint = Where & { url: string; events: string };

/** `webhook create|list|delete|reencrypt`: data goes to standard output, messages to standard error. */
export function webhookCommands(program: Command, cli: Cli): void {
  const webhook = program.command("webhook").description("endpoints that webhooks are sent to");

  inEnvironment(webhook.command("create"))
    .description("registers an endpoint and prints its signing secret, once")
    .requiredOption("--url <url>", "an absolute http or https address")
    .requiredOption("--events <events>", "comma-separated, such as mission.completed")
    .action(async ({ url, events: list, ...options }: NewEndpoint) => {
      const wanted = { url, events: eventsOf(list) };
      const created = await cli.reach({
        over: async (remote) => {
          const made = await remote.rpc.webhooks.create({ ...(await remote.where(options)), ...wanted });
          if ("problems" in made) throw new OperatorError(...made.problems.map(({ message }) => message));
          return made;
        },
        beside: (beside) => createBeside(beside, options, wanted),
      });
      note(`Webhook endpoint ${created.id} is registered. Its signing secret is shown only once:`);
      cli.output.data({ id: created.id, secret: created.secret }, created.secret);
      if (!created.isResolved) note("Its host name is not known yet: deliveries will fail until it is.");
    });

  inEnvironment(webhook.command("list"))
    .description("prints the endpoints, a line for each: id, state, URL, events")
    .action(async (options: Where) => {
      const endpoints = await cli.reach<ShownEndpoint[]>({
        over: async (remote) => (await remote.rpc.webhooks.list(await remote.where(options))).endpoints,
        beside: async ({ database, verbs, environment }) =>
          (await verbs.listEndpoints(database, await environment(options))).map(({ disabledAt, disabledReason, failingSince, ...one }) => ({
            ...one,
            isOn: disabledAt === null,
            offReason: disabledReason === null ? null : `${formatInstant(disabledAt!)}: ${disabledReason}`,
            failingSince: failingSince === null ? null : formatInstant(failingSince),
          })),
      });
      const shown = endpoints.map(({ id, url, events, isOn, offReason, failingSince }) => ({
        id,
        url,
        events,
        isOn,
        offReason,
        failingSince,
      }));
      const rows = shown.map((one) => [one.id, stateOf(one), one.url, one.events.join(",")]);
      cli.output.rows(["ID", "STATE", "URL", "EVENTS"], rows, {
        json: shown,
        empty: "There are no webhook endpoints in this environment.",
      });
    });

  inEnvironment(webhook.command("delete"))
    .description("deletes an endpoint; its pending and held deliveries fail")
    .requiredOption("--id <id>", "as `webhook list` prints it")
    .action(async ({ id, ...options }: Where & { id: string }) => {
      await cli.reach<unknown>({
        over: async (remote) => remote.rpc.webhooks.delete({ ...(await remote.where(options)), id }),
        beside: async ({ database, verbs, environment }) => verbs.deleteEndpoint(database, await environment(options), id),
      });
      note(`Webhook endpoint ${id} is deleted.`);
    });

  webhook
    .command("reencrypt")
    .description("encrypts all signing secrets under AUTH_SECRET; AUTH_SECRET_PREVIOUS is the one before, and needed no more afterwards")
    .action(async () => {
      const { count, unreadable } = await cli.reach({
        beside: async ({ database, verbs, installation }) => verbs.reencryptSecrets(database, await installation.openCipher()),
      });
      note(count === 0 ? "There was nothing to encrypt anew." : `Encrypted anew: the secrets of ${count} webhook endpoints.`);
      if (unreadable.length > 0) throw new OperatorError(...unreadable.map(unreadableLine));
    });
}

/** The names in a comma-separated list. */
export const eventsOf = (list: string): string[] => list.split(",").map((event) => event.trim()).filter((event) => event !== ""); // oxfmt-ignore

async function createBeside(
  { database, verbs, installation, environment }: Beside,
  where: Where,
  wanted: { url: string; events: string[] },
) {
  const { allowPrivateAddresses } = installation;
  const cipher = await installation.openCipher();
  return verbs.createEndpoint(database, await environment(where), wanted, { allowPrivateAddresses, cipher });
}

const unreadableLine = (id: string): string =>
  `Webhook endpoint ${id}: its secret was encrypted under another AUTH_SECRET. Set AUTH_SECRET_PREVIOUS to that, or rotate the secret in the dashboard.`;

interface ShownEndpoint {
  id: string;
  url: string;
  events: string[];
  isOn: boolean;
  offReason: string | null;
  failingSince: string | null;
}

function stateOf({ isOn, offReason, failingSince }: ShownEndpoint): string {
  if (!isOn) return `switched off ${offReason ?? ""}`.trimEnd();
  return failingSince === null ? "active" : `failing since ${failingSince}`;
}
