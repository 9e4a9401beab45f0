import type { Command } from "commander";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { plural } from "../model/kernel/thousands.ts";
import type { Cli } from "./context.ts";
import { note } from "./output.ts";
import { inEnvironment, type Where } from "./service.ts";

type NewEndpoint = Where & { url: string; events: string };

/** `webhook create|list|delete|reencrypt`: data goes to standard output, messages to standard error. */
export function webhookCommands(program: Command, cli: Cli): void {
  const webhook = program.command("webhook").description("endpoints that receive webhooks");

  inEnvironment(webhook.command("create"))
    .requiredOption("--url <url>", "an absolute http or https address")
    .requiredOption("--events <events>", "comma-separated, such as mission.completed")
    .action(async ({ url, events: list, ...options }: NewEndpoint) => {
      const wanted = { url, events: eventsOf(list) };
      const created = await cli.call(async (service) => service.rpc.webhooks.create({ ...(await service.where(options)), ...wanted }));
      if ("problems" in created) throw new OperatorError(...created.problems.map(({ message }) => message));
      note(`Webhook endpoint ${created.id} is registered. Its signing secret is shown only once:`);
      cli.output.data({ id: created.id, secret: created.secret }, created.secret);
      if (!created.isResolved) note("Its host name is not known yet: deliveries will fail until it is.");
    });

  inEnvironment(webhook.command("list")).action(async (options: Where) => {
    const { endpoints } = await cli.call(async (service) => service.rpc.webhooks.list(await service.where(options)));
    const shown = endpoints.map(({ id, url, events, isOn, offSince, offReason, failingSince }) => {
      const reason = offReason === null ? null : `${offSince}: ${offReason}`;
      return { id, url, events, isOn, offReason: reason, failingSince };
    });
    const rows = shown.map((one) => [one.id, stateOf(one), one.url, one.events.join(",")]);
    cli.output.rows(["ID", "STATE", "URL", "EVENTS"], rows, {
      json: shown,
      empty: "There are no webhook endpoints in this environment.",
    });
  });

  inEnvironment(webhook.command("delete"))
    .requiredOption("--id <id>", "as `webhook list` prints it")
    .action(async ({ id, ...options }: Where & { id: string }) => {
      await cli.call(async (service) => service.rpc.webhooks.delete({ ...(await service.where(options)), id }));
      note(`Webhook endpoint ${id} is deleted.`);
    });

  webhook.command("reencrypt").action(async () => {
    const { secrets, factors } = await cli.beside(async ({ database, verbs, installation }) => {
      const cipher = await installation.openCipher();
      return { secrets: await verbs.reencryptSecrets(database, cipher), factors: await verbs.reencryptFactors(database, cipher) };
    });
    if (secrets.count + factors.count === 0) note("There was nothing to re-encrypt.");
    if (secrets.count > 0) note(`Re-encrypted: the secrets of ${plural(secrets.count, "webhook endpoint")}.`);
    if (factors.count > 0) note(`Re-encrypted: the second factors of ${plural(factors.count, "person", "people")}.`);
    const lost = [...secrets.unreadable.map(unreadableLine), ...factors.unreadable.map(unreadableFactor)];
    if (lost.length > 0) throw new OperatorError(...lost);
  });
}

/** The names in a comma-separated list. */
export const eventsOf = (list: string): string[] => list.split(",").map((event) => event.trim()).filter((event) => event !== ""); // oxfmt-ignore

const unreadableLine = (id: string): string =>
  `Webhook endpoint ${id}: its secret was encrypted under another AUTH_SECRET. Set AUTH_SECRET_PREVIOUS to that, or rotate the secret in the dashboard.`;

const unreadableFactor = (email: string): string =>
  `${email}: the second factor was encrypted under another AUTH_SECRET. Set AUTH_SECRET_PREVIOUS to that, or remove it with \`user reset-second-factor\`.`;

interface State {
  isOn: boolean;
  offReason: string | null;
  failingSince: string | null;
}

function stateOf({ isOn, offReason, failingSince }: State): string {
  if (!isOn) return `switched off ${offReason ?? ""}`.trimEnd();
  return failingSince === null ? "active" : `failing since ${failingSince}`;
}
