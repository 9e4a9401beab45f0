import { ORPCError } from "@orpc/server";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import type { Cost } from "./costs.ts";

interface Bounds {
  /** Costly calls of a person that run at once, and that wait. */
  inFlight: number;
  waiting: number;
  /** How long one waits, in milliseconds. */
  waitMs: number;
}

/** A screen sends up to ten at once. */
const BOUNDS: Bounds = { inFlight: 2, waiting: 20, waitMs: 30_000 };

/** Previews of a person that wait: each takes seconds, and a screen asks for one. */
const MAX_WAITING_PREVIEWS = 4;

/**
 * The costly calls of each person in this process, by session and by tokens together: two run at a time, one of them a preview at most; the
 * others wait in the order they came.
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

  /** Runs a call of a person in its turn. ORPCError TOO_MANY_REQUESTS: too many wait already, or it has waited too long. */
  async run<Result>(userId: string, cost: Cost, call: () => Promise<Result>): Promise<Result> {
    // A preview waits for its own kind first, so that it takes no place from other calls meanwhile.
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
