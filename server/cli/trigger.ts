import { Argument, type Command } from "commander";
import { plural } from "../model/kernel/thousands.ts";
import { NOUNS } from "../model/rules/nouns.ts";
import type { WebhookEvent } from "../model/webhooks/contract.ts";
import { SAMPLED } from "../model/webhooks/sample.ts";
import { WEBHOOK_EVENTS } from "../model/webhooks/subscriptions.ts";
import type { Cli } from "./context.ts";
import { note } from "./output.ts";
import { isRefusal, type Remote } from "./remote.ts";
import { inProject } from "./service.ts";

interface TriggerOptions {
  project?: string;
  player: string;
  about?: string;
}

/** `trigger <event>`: sends a real delivery of an invented event, to test a receiver. */
export function triggerCommand(program: Command, cli: Cli): void {
  inProject(program.command("trigger"))
    .addArgument(new Argument("<event>").choices(WEBHOOK_EVENTS))
    .option("--player <id>", "the external id of its player", "customer-1042")
    .option("--about <key>", "its mission, catalog item, streak or leaderboard; by default the first active one")
    .action(async (event: WebhookEvent, { project, player, about }: TriggerOptions) => {
      const receivers = await cli.over(async (remote) => {
        const where = await remote.sandbox({ project });
        const key = about ?? (await firstOf(remote, where, event));
        const sent = await remote.rpc.webhooks.trigger({ ...where, event, about: key, forPlayer: player });
        // The key may be invented, and is more often misspelt.
        if (about !== undefined && !(await isThere(remote, where, event, about)))
          note(
            `The Sandbox has no ${NOUNS[SAMPLED[event].kind]} ${about}; the delivery names it all the same. Without --about, it names the first active one.`,
          );
        return sent;
      });
      cli.output.data(receivers, "");
      const { endpoints, listeners, endpointsOff, listenersGone } = receivers;
      note(`${event} goes to ${plural(endpoints, "endpoint")} and ${plural(listeners, "listening program")}.`);
      if (endpointsOff > 0) note(`It is held for ${plural(endpointsOff, "endpoint")} switched off, until switched on again.`);
      if (listenersGone > 0) note(`It waits a day for ${plural(listenersGone, "program")} that listened before and has stopped.`);
    });
}

const isThere = ({ rpc }: Remote, where: { project: string; environment: "sandbox" }, event: WebhookEvent, key: string): Promise<boolean> =>
  rpc.definitions.get({ ...where, kind: SAMPLED[event].kind, key }).then(
    () => true,
    (error: unknown) => {
      if (isRefusal(error) && error.code === "NOT_FOUND") return false;
      throw error;
    },
  );

async function firstOf({ rpc }: Remote, where: { project: string; environment: "sandbox" }, event: WebhookEvent): Promise<string> {
  const { kind, example } = SAMPLED[event];
  const { rows } = await rpc.definitions.list({ ...where, kind, status: "active", direction: "ascending", limit: 1 });
  return rows[0]?.key ?? example;
}
