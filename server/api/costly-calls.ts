import { ORPCError } from "@orpc/server";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";

/**
 * The most that a call can cost, with any stored data. `cheap`: reads or writes a bounded few rows. `costly`: may read or validate all
 * definitions of an environment, or long histories. `preview`: evaluates a caller's rule on thousands of players.
 */
export type Cost = "cheap" | "costly" | "preview";

interface Bounds {
  /** How many costly calls of a user may run concurrently, and how many may wait. */
  inFlight: number;
  waiting: number;
  /** The longest wait, in milliseconds. */
  waitMs: number;
}

/** A screen sends up to ten together. */
const BOUNDS: Bounds = { inFlight: 2, waiting: 20, waitMs: 30_000 };

/** A user's waiting previews: each takes seconds, and a screen requests one. */
const MAX_WAITING_PREVIEWS = 4;

/**
 * Limits each user's costly calls in this process, over all sessions and tokens: two run at a time, at most one of them a preview; the
 * others wait in order of arrival.
 */
export class CostlyCalls {
  readonly #calls: ConcurrencyLimiter;
  readonly #previews: ConcurrencyLimiter;
  readonly #waitMs: number;

  constructor({ inFlight, waiting, waitMs }: Bounds = BOUNDS) {
    this.#calls = new ConcurrencyLimiter({ inFlight, waiting });
    this.#previews = new ConcurrencyLimiter({ inFlight: 1, waiting: MAX_WAITING_PREVIEWS });
    this.#waitMs = waitMs;
  }

  /** Runs a user's call in turn. ORPCError TOO_MANY_REQUESTS: the queue is full, or the wait was too long. */
  async run<Result>(userId: string, cost: Cost, call: () => Promise<Result>): Promise<Result> {
    // A preview first waits for other previews, so that it takes no slot from other calls meanwhile.
    const limiters = { cheap: [], costly: [this.#calls], preview: [this.#previews, this.#calls] }[cost];
    const held: ConcurrencyLimiter[] = [];
    try {
      for (const limiter of limiters) {
        await acquire(limiter, userId, this.#waitMs);
        held.push(limiter);
      }
      return await call();
    } finally {
      for (const limiter of held) limiter.release(userId);
    }
  }
}

async function acquire(limiter: ConcurrencyLimiter, userId: string, waitMs: number): Promise<void> {
  try {
    await limiter.acquire(userId, { whenAbandoned: (leave) => void setTimeout(leave, waitMs).unref() });
  } catch {
    throw new ORPCError("TOO_MANY_REQUESTS", {
      message: "Too many of your requests that take long are under way. Send this one again when they are done.",
    });
  }
}
