import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { WEBHOOK_EVENTS } from "../model/webhooks/subscriptions.ts";
import type { Cli } from "./context.ts";
import { note, type Output, print, printJson, styled } from "./output.ts";
import { isFinal, type Remote } from "./remote.ts";
import { eventsOf } from "./webhooks.ts";
import { inProject } from "./service.ts";

interface ListenOptions {
  project?: string;
  forwardTo?: string;
  events?: string;
  name: string;
  printSecret?: true;
}

/** `listen`: forwards a Sandbox's webhooks to a laptop, which needs no public address. */
export function listenCommand(program: Command, cli: Cli): void {
  inProject(program.command("listen"))
    .option("--forward-to <url>", "the address to post them to, such as http://localhost:4000/hooks; they are only printed if left out")
    .option("--events <events>", "comma-separated, such as mission.completed; all if left out")
    .option("--name <name>", "the name of this listener: deliveries wait under it for a day while the program is stopped", hostname())
    .option("--print-secret", "print the signing secret and exit; it stays the same for this name")
    .action(async ({ project, forwardTo, events: list, name, printSecret }: ListenOptions) => {
      const target = forwardTo === undefined ? null : targetOf(forwardTo);
      const events = list === undefined ? [...WEBHOOK_EVENTS] : eventsOf(list);
      const forward = async (remote: Remote) => {
        const listener = { ...(await remote.sandbox({ project })), name, session: randomUUID() };
        const asked = printSecret === true ? { isForSecret: true } : { start: { events } };
        const { secret } = await remote.rpc.webhooks.listen({ ...listener, ...asked });
        if (printSecret === true) return cli.output.data({ secret }, secret);
        note(`Listening to the Sandbox of ${listener.project} for ${events.join(", ")}.`);
        note(target === null ? "Signed with:" : `Forwarding to ${target.href}, signed with:`);
        note(`  ${secret}\n`);
        // Nothing reads on, as after `listen | head -1`. The copy that could not be printed is not acknowledged, so it comes again.
        process.stdout.once("error", () => process.exit(1));
        await forwardAll(remote, listener, target, cli.output);
      };
      await cli.over(forward, { isEndless: true });
    });
}

function targetOf(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new OperatorError(`--forward-to must be an http or https address such as http://localhost:4000/hooks, not "${text}".`);
  return url;
}

type Listener = { project: string; environment: "sandbox"; name: string; session: string };
type Copy = Awaited<ReturnType<Remote["rpc"]["webhooks"]["listen"]>>["copies"][number];

/** How long the service waits for an event before it answers that there is none. */
const WAIT_MS = 5_000;
/** Without an answer for this long the connection counts as lost: no error reports a laptop's sleep or a change of network. */
const GIVE_UP_MS = 20_000;
const MAX_PAUSE_MS = 15_000;

/**
 * Takes copies and posts them in order until the program is stopped. A copy is done once posted, whatever the response; otherwise it comes
 * again, here or in the next run: none is missed, and repeats have the same delivery id.
 */
async function forwardAll({ rpc }: Remote, listener: Listener, target: URL | null, output: Output): Promise<void> {
  let done: string[] = [];
  let failures = 0;
  for (;;) {
    let copies: Copy[];
    try {
      ({ copies } = await rpc.webhooks.listen({ ...listener, done, waitMs: WAIT_MS }, { signal: AbortSignal.timeout(GIVE_UP_MS) }));
    } catch (error) {
      if (isFinal(error)) throw error;
      if (failures++ === 0) note("The connection is lost; trying again …");
      await delay(Math.min(500 * 2 ** failures, MAX_PAUSE_MS));
      continue;
    }
    if (failures > 0) note("Connected again; nothing was missed.");
    failures = 0;
    done = [];
    for (const copy of copies) {
      tell(output, copy, target === null ? null : await post(target, copy));
      done.push(copy.id);
    }
    // An error of standard output comes a moment later: a copy that was not printed is not acknowledged.
    await delay(0);
  }
}

function tell(output: Output, { id, event, body }: Copy, answer: Answer | null): void {
  if (output.isJson) {
    printJson({ id, event, ...answer, body });
    return;
  }
  const at = styled("dim", new Date().toISOString());
  const result = answer === null ? "" : `  ${resultOf(answer)}`;
  print(`${at}  ${styled("bold", event)}${result}  ${styled("dim", id)}`);
  if (answer === null) print(`  ${body}`);
}

function resultOf({ status, durationMs, error }: Answer): string {
  if (status === null) return styled("red", `no answer: ${error}`);
  return `${styled(status >= 200 && status < 300 ? "green" : "red", `[${status}]`)} ${durationMs} ms`;
}

/** The response of the target address. */
interface Answer {
  /** Null if there was none. */
  status: number | null;
  durationMs: number;
  error: string | null;
}

/** The same timeout as a delivery's. */
const PATIENCE_MS = 15_000;

/** Posts a copy byte for byte, with its headers. Never rejects. */
async function post(target: URL, { headers, body }: { headers: Record<string, string>; body: string }): Promise<Answer> {
  const began = performance.now();
  const took = () => Math.round(performance.now() - began);
  try {
    const answer = await fetch(target, { method: "POST", headers, body, redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) });
    // Read to the end, so that the connection can be reused; not kept, since an answer may never end.
    await answer.body?.pipeTo(new WritableStream());
    return { status: answer.status, durationMs: took(), error: null };
  } catch (error) {
    return { status: null, durationMs: took(), error: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `nothing came within ${PATIENCE_MS / 1000} seconds`;
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? error.message;
}
