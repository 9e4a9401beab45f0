import { setTimeout as sleep } from "node:timers/promises";
import { ORPCError } from "@orpc/client";
import type { Command } from "commander";
import { ChangeRequested } from "../model/definitions/change-requests.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import type { Cli } from "./context.ts";
import { oneLine } from "./definition-changes.ts";
import { note } from "./output.ts";
import { isFinal } from "./remote.ts";
import type { Service, Where } from "./service.ts";

/** The title and reason of a change to Live that needs an approval, and whether the command waits for the decision. */
export interface RequestOptions {
  title?: string;
  reason?: string;
  wait?: true;
}

/** Adds the options of a command that may change Live. */
export const withRequest = (command: Command): Command =>
  command
    .option("--title <text>", "the title of the change request, where changes to Live need an approval")
    .option("--reason <text>", "its reason")
    .option("--wait", "wait until the change request is decided; fails if it is not applied");

export const textsOf = ({ title, reason }: RequestOptions) => ({ request: { title, reason } });

/** A change request that a call became. */
interface Requested {
  id: string;
  /** The URL of its page; beside the database, only the path. */
  address: string;
}

function requestedBy(error: unknown): Requested | null {
  if (error instanceof ChangeRequested) return { id: error.requestId, address: error.path };
  if (!(error instanceof ORPCError) || error.code !== "REQUESTED") return null;
  const { requestId } = error.data as { requestId: string };
  return { id: requestId, address: error.message.split(" ").at(-1)! };
}

const EVERY_MS = 2_000;
/** How long to wait while the service does not answer: longer than a deployment takes. */
const MAX_SILENCE_MS = 600_000;

/**
 * Runs a change. If it becomes a change request, prints the address of that and returns null; with `wait`, once it is applied. Throws
 * OperatorError if it was rejected or withdrawn.
 */
export async function orRequest<T>(
  cli: Cli,
  where: Pick<Where, "project">,
  { wait }: RequestOptions,
  change: () => Promise<T>,
): Promise<T | null> {
  let requested: Requested | null;
  try {
    return await change();
  } catch (error) {
    // A refusal over /rpc arrives as an OperatorError with its cause.
    requested = requestedBy(error) ?? requestedBy((error as Error).cause);
    if (requested === null) throw error;
  }
  const { id, address } = requested;
  cli.output.data({ request: { id, address } }, address);
  note("Changes to Live need an approval: this is now a change request.");
  if (wait !== true) return null;
  note("Waiting for the decision…");
  await cli.call(async (service) => untilDecided(service, await service.project(where), id));
  note("The request was approved and applied.");
  return null;
}

async function untilDecided({ rpc }: Service, project: string, id: string): Promise<void> {
  let noted = "";
  let answeredAt = performance.now();
  for (; ; await sleep(EVERY_MS)) {
    const found = await rpc.changeRequests.get({ project, environment: "live", id }).catch((error: unknown) => {
      if (isFinal(error) || performance.now() - answeredAt > MAX_SILENCE_MS) throw error;
      return null;
    });
    if (found === null) continue;
    answeredAt = performance.now();
    const { state, failure, approver, events } = found;
    if (state === "Applied") return;
    if (state === "Rejected" || state === "Withdrawn") {
      const { actor = "a person", text = null } = events.findLast(({ action }) => action === state) ?? {};
      const reason = text === null || text === "" ? [] : [oneLine(`Reason: ${text}`)];
      throw new OperatorError(`The change request was ${state.toLowerCase()} by ${actor}; Live is unchanged.`, ...reason);
    }
    const now = failure ?? (state === "Approved" ? `Approved by ${approver ?? "a person"}; it waits for its time.` : "");
    if (now !== "" && now !== noted) note(now);
    noted = now;
  }
}
