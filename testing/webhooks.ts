import type { Scope } from "./definitions.ts";
import { type Received, type Receiver, startReceiver } from "./receiver.ts";
import { KitError, type Rpc } from "./rpc.ts";
import { signatureProblem } from "./signature.ts";

/** The events that the service tells of. */
export const WEBHOOK_EVENTS = [
  "mission.completed",
  "catalog_item.fulfillment_requested",
  "streak.milestone_reached",
  "leaderboard.period_closed",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** A delivery whose signature was verified. */
export interface WebhookMessage {
  /** The delivery's id. */
  id: string;
  event: WebhookEvent;
  /** What the event is about, with the fields of the webhook's documentation. */
  data: Record<string, any>;
  /** The whole body as it came. */
  body: string;
}

export interface NextOptions {
  /** Only one about this player. */
  player?: string | { id: string };
  /** Only one that this is true of. */
  where?: (data: WebhookMessage["data"]) => boolean;
  /** 10,000 unless given. */
  timeoutMs?: number;
}

/** Where the service's deliveries arrive. A test takes them one by one. */
export interface Webhooks {
  /**
   * The next delivery of that event, in the order of arrival, which no earlier call was given; waits for it. Throws KitError with what did
   * arrive when none comes in time, and where a delivery's signature does not fit.
   */
  next(event: WebhookEvent, options?: NextOptions): Promise<WebhookMessage>;
  /** Everything that has arrived since the project was made or reset. */
  readonly all: readonly WebhookMessage[];
}

export interface WebhookOptions {
  /**
   * The public address that leads to `port` of this machine, for a service elsewhere. Without it the service has to reach this machine's
   * loopback address, which it does where it runs here with WEBHOOK_ALLOW_PRIVATE_ADDRESSES=true.
   */
  publicUrl?: string;
  /** The port to listen on; a free one unless given. */
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
  /** Why nothing can arrive, or a delivery could not be trusted. */
  #fault: string | null = null;
  #receiver: Receiver | null = null;

  get all(): readonly WebhookMessage[] {
    return this.#all;
  }

  /** Starts to listen, and subscribes to every event. Where the service refuses the address, `next` says so. */
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

  /** Forgets what has arrived: what comes of the time before is nobody's any more. */
  clear(): void {
    this.#all.length = 0;
    this.#taken.clear();
  }

  async close(): Promise<void> {
    for (const { reject } of this.#waiters) reject(new KitError("The project was removed while a test waited for a webhook."));
    await this.#receiver?.close();
  }

  #take(request: Received): { status: number } {
    // A delivery may come before its endpoint's secret has: it is sent again a few seconds later.
    if (this.#secret === null) return { status: 503 };
    const problem = signatureProblem(request, this.#secret, Date.now());
    if (problem !== null) {
      this.#fault = `A delivery cannot be trusted: ${problem}.`;
      for (const { reject } of this.#waiters) reject(new KitError(this.#fault));
      return { status: 401 };
    }
    const message = messageOf(request);
    // A delivery whose answer was lost comes once more.
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
