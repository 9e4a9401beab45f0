import type { Scope } from "./definitions.ts";
import { type Received, type Receiver, startReceiver } from "./receiver.ts";
import { KitError, type Rpc } from "./rpc.ts";
import { signatureProblem } from "./signature.ts";

/** The webhook events. */
export const WEBHOOK_EVENTS = [
  "mission.completed",
  "catalog_item.fulfillment_requested",
  "streak.milestone_reached",
  "leaderboard.period_closed",
] as const;
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
  /** Only deliveries about this player. */
  player?: string | { id: string };
  /** Only deliveries that satisfy this. */
  where?: (data: WebhookMessage["data"]) => boolean;
  /** 10,000 by default. */
  timeoutMs?: number;
}

/** Receives the service's deliveries. A test takes them one by one. */
export interface Webhooks {
  /**
   * The next delivery of that event, in order of arrival, not returned by an earlier call; waits for it. Throws KitError on a timeout, with
   * the deliveries that did arrive, and if a signature is invalid.
   */
  next(event: WebhookEvent, options?: NextOptions): Promise<WebhookMessage>;
  /** All deliveries since the project was created or reset. */
  readonly all: readonly WebhookMessage[];
}

export interface WebhookOptions {
  /**
   * The public address that leads to `port` of this machine, for a remote service. Without it the service must reach this machine's
   * loopback address, as it does when run here with WEBHOOK_ALLOW_PRIVATE_ADDRESSES=true.
   */
  publicUrl?: string;
  /** The port to listen on; a free one by default. */
  port?: number;
}

interface Waiter {
  fits(message: WebhookMessage): boolean;
  resolve(message: WebhookMessage): void;
  reject(error: Error): void;
}

/** Receives a Sandbox's webhooks in this process. */
export class WebhookInbox implements Webhooks {
  readonly #all: WebhookMessage[] = [];
  readonly #taken = new Set<WebhookMessage>();
  readonly #waiters = new Set<Waiter>();
  #secret: string | null = null;
  /** Why nothing can arrive, or why a delivery is not authentic. */
  #fault: string | null = null;
  #receiver: Receiver | null = null;

  get all(): readonly WebhookMessage[] {
    return this.#all;
  }

  /** Listens, and subscribes to every event. If the service refuses the address, `next` reports it. */
  async open(rpc: Rpc, scope: Scope, { publicUrl, port }: WebhookOptions): Promise<void> {
    this.#receiver = await startReceiver((request) => this.#take(request), port);
    try {
      const url = publicUrl ?? this.#receiver.url;
      const answer = await rpc<{ secret?: string; problems?: { message: string }[] }>("webhooks/create", {
        ...scope,
        url,
        events: WEBHOOK_EVENTS,
      });
      this.#secret = answer.secret ?? null;
      if (answer.problems) this.#fault = `The service sends nothing to ${url}: ${answer.problems.map(({ message }) => message).join(" ")}`;
    } catch (error) {
      this.#fault = (error as Error).message;
    }
  }

  next(event: WebhookEvent, { player, where = () => true, timeoutMs = 10_000 }: NextOptions = {}): Promise<WebhookMessage> {
    const id = typeof player === "object" ? player.id : player;
    const fits = (message: WebhookMessage) =>
      message.event === event && (id === undefined || message.data["playerExternalId"] === id) && where(message.data);
    const there = this.#all.find((message) => !this.#taken.has(message) && fits(message));
    if (there !== undefined) {
      this.#taken.add(there);
      return Promise.resolve(there);
    }
    if (this.#fault !== null) return Promise.reject(new KitError(this.#fault));
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { fits, resolve, reject };
      const timer = setTimeout(() => end(() => reject(new KitError(this.#missing(event, id, timeoutMs)))), timeoutMs);
      const end = (act: () => void) => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        act();
      };
      waiter.resolve = (message) => end(() => resolve(message));
      waiter.reject = (error) => end(() => reject(error));
      this.#waiters.add(waiter);
    });
  }

  /** Forgets all deliveries so far: those from before a reset no longer concern any test. */
  clear(): void {
    this.#all.length = 0;
    this.#taken.clear();
  }

  async close(): Promise<void> {
    for (const { reject } of this.#waiters) reject(new KitError("The project was removed while a test waited for a webhook."));
    await this.#receiver?.close();
  }

  #take(request: Received): { status: number } {
    // A delivery may arrive before its endpoint's secret: it is retried a few seconds later.
    if (this.#secret === null) return { status: 503 };
    const problem = signatureProblem(request, this.#secret, Date.now());
    if (problem !== null) {
      this.#fault = `A delivery cannot be trusted: ${problem}.`;
      for (const { reject } of this.#waiters) reject(new KitError(this.#fault));
      return { status: 401 };
    }
    const message = messageOf(request);
    // A delivery whose response was lost is sent again.
    if (this.#all.some(({ id }) => id === message.id)) return { status: 204 };
    this.#all.push(message);
    const waiter = [...this.#waiters].find(({ fits }) => fits(message));
    if (waiter !== undefined) {
      this.#taken.add(message);
      waiter.resolve(message);
    }
    return { status: 204 };
  }

  #missing(event: string, player: string | undefined, timeoutMs: number): string {
    const wanted = `No ${event}${player === undefined ? "" : ` about ${player}`} arrived within ${timeoutMs} ms.`;
    if (this.#all.length === 0) return `${wanted} Nothing did.`;
    const lines = this.#all.map((message) => {
      const about = (message.data["playerExternalId"] as string | undefined) ?? JSON.stringify(message.data);
      return `  ${message.event} about ${about}${this.#taken.has(message) ? " (taken already)" : ""}`;
    });
    return `${wanted} What did arrive:\n${lines.join("\n")}`;
  }
}

function messageOf({ headers, body }: Received): WebhookMessage {
  const { event, data } = JSON.parse(body) as { event: WebhookEvent; data: Record<string, unknown> };
  return { id: String(headers["webhook-id"]), event, data, body };
}
