import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { WEBHOOK_EVENTS } from "./definitions-file.ts";
import type { Scope } from "./definitions.ts";
import { KitError, request, type Rpc } from "./rpc.ts";
import { signatureProblem } from "./signature.ts";

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** A delivery with a verified signature. */
export interface WebhookMessage {
  /** The delivery's id. */
  id: string;
  event: WebhookEvent;
  /** The event's data, as documented for the webhook. */
  data: Record<string, any>;
  /** The raw body. */
  body: string;
}

export interface NextOptions {
  player?: string | { id: string };
  /** Only deliveries that satisfy this. */
  where?: (data: WebhookMessage["data"]) => boolean;
  /** 10,000 by default. */
  timeoutMs?: number;
}

/** The webhooks that the service sent. They arrive over the tests' own connection, so the machine needs no public address. */
export interface Webhooks {
  /**
   * The next webhook of that event, in the order of their events, not returned by an earlier call; waits for it. Throws KitError on a
   * timeout, with the webhooks that were sent, and if a signature is invalid.
   */
  next(event: WebhookEvent, options?: NextOptions): Promise<WebhookMessage>;
  /** All webhooks since the project was created or reset. */
  all(): Promise<readonly WebhookMessage[]>;
  /**
   * Posts every webhook from now on to the app under test as well, such as http://localhost:4000/hooks, byte for byte and signed with the
   * returned secret. They are posted whenever a test asks for webhooks, and by `settled({ deliveries: true })`.
   */
  forwardTo(url: string): string;
}

/** A copy of a webhook as the service would post it. */
interface Copy {
  id: string;
  headers: Record<string, string>;
  body: string;
}

/** How long one call lets the service wait for a copy, at most. */
const MAX_WAIT_MS = 5_000;
/** The least time to allow for the service's response. */
const MIN_WAIT_MS = 2_000;
/** The app under test has as long as for a real delivery. */
const FORWARD_MS = 15_000;

/** Listens to a Sandbox's webhooks, as `engagement listen` does. It polls only while a test waits. */
export class WebhookInbox implements Webhooks {
  readonly #all: WebhookMessage[] = [];
  readonly #taken = new Set<WebhookMessage>();
  readonly #rpc: Rpc;
  readonly #listener: object;
  readonly #secret: string;
  #target: string | null = null;
  /** The ids that the service need not send again. */
  #done: string[] = [];
  #pulling: Promise<void> | null = null;

  private constructor(rpc: Rpc, listener: object, secret: string) {
    this.#rpc = rpc;
    this.#listener = listener;
    this.#secret = secret;
  }

  /** Starts listening: webhooks sent from now on are kept until a test takes them. */
  static async open(rpc: Rpc, scope: Scope): Promise<WebhookInbox> {
    const listener = { ...scope, name: "tests", session: randomUUID() };
    const { secret } = await rpc<{ secret: string }>("webhooks/listen", { ...listener, start: { events: WEBHOOK_EVENTS } });
    return new WebhookInbox(rpc, listener, secret);
  }

  async next(event: WebhookEvent, { player, where, timeoutMs = 10_000 }: NextOptions = {}): Promise<WebhookMessage> {
    const id = typeof player === "object" ? player.id : player;
    const fits = (message: WebhookMessage) =>
      message.event === event && (id === undefined || message.data["playerExternalId"] === id) && (where?.(message.data) ?? true);
    const deadline = performance.now() + timeoutMs;
    // Deliveries already sent are returned without waiting.
    for (let waitMs = 0; ; waitMs = MAX_WAIT_MS) {
      const found = this.#all.find((message) => !this.#taken.has(message) && fits(message));
      if (found !== undefined) {
        this.#taken.add(found);
        return found;
      }
      const left = Math.max(0, Math.round(deadline - performance.now()));
      if (left === 0 && waitMs > 0) {
        const wanted = `${event}${id === undefined ? "" : ` about ${id}`}${where === undefined ? "" : " that satisfies `where`"}`;
        throw new KitError(this.#missing(`No ${wanted} arrived within ${timeoutMs} ms.`));
      }
      await Promise.race([this.#pull(Math.min(waitMs, left)), sleep(Math.max(left, MIN_WAIT_MS), null, { ref: false })]);
    }
  }

  async all(): Promise<readonly WebhookMessage[]> {
    for (let count = -1; count !== this.#all.length;) {
      count = this.#all.length;
      await this.#pull(0);
    }
    return this.#all;
  }

  forwardTo(url: string): string {
    this.#target = url;
    return this.#secret;
  }

  /** Forgets all webhooks so far: those from before a reset no longer concern any test. */
  async clear(): Promise<void> {
    await this.all();
    this.#all.length = 0;
    this.#taken.clear();
  }

  /** Takes the sent deliveries. Concurrent calls share one request. */
  #pull(waitMs: number): Promise<void> {
    return (this.#pulling ??= this.#take(waitMs).finally(() => (this.#pulling = null)));
  }

  async #take(waitMs: number): Promise<void> {
    const { copies } = await this.#rpc<{ copies: Copy[] }>("webhooks/listen", { ...this.#listener, done: this.#done, waitMs });
    this.#done = [];
    for (const copy of copies) {
      const problem = signatureProblem(copy, this.#secret, Date.now());
      if (problem !== null) throw new KitError(`A webhook cannot be trusted: ${problem}.`);
      this.#done.push(copy.id);
      // A copy whose response was lost is sent again.
      if (this.#all.some(({ id }) => id === copy.id)) continue;
      try {
        if (this.#target !== null) await forward(this.#target, copy);
      } finally {
        // A refusal fails one call; the webhook can still be read.
        this.#all.push(messageOf(copy));
      }
    }
  }

  #missing(wanted: string): string {
    if (this.#all.length === 0) return `${wanted} Nothing did.`;
    const lines = this.#all.map(
      (message) => `  ${message.event} ${JSON.stringify(message.data)}${this.#taken.has(message) ? " (taken already)" : ""}`,
    );
    return `${wanted} What did arrive:\n${lines.join("\n")}`;
  }
}

/** Posts a webhook to the app under test. Throws KitError unless it accepts it: a delivery would be retried, and the test would hang. */
async function forward(target: string, { id, headers, body }: Copy): Promise<void> {
  const init: RequestInit = { method: "POST", headers, body, redirect: "manual", signal: AbortSignal.timeout(FORWARD_MS) };
  const answer = await request(target, init, "The app under test");
  const said = await answer.text();
  if (!answer.ok) throw new KitError(`${target} answered ${answer.status} to the webhook ${id}: ${said.slice(0, 500)}`);
}

function messageOf({ id, body }: Copy): WebhookMessage {
  const { event, data } = JSON.parse(body) as { event: WebhookEvent; data: Record<string, unknown> };
  return { id, event, data, body };
}
