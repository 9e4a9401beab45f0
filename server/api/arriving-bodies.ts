import { problem } from "../model/kernel/problem.ts";
import { type Arrival, Crowded, TooSlow } from "./body.ts";

/** How long a body may take to arrive, once it is waited for. */
const MAX_ARRIVAL_MS = 10_000;

/** Limits of one group's arriving bodies. A backend's bodies take milliseconds, so a group reaches them only if bodies stall. */
const MAX_ARRIVING = 64;
const MAX_ARRIVING_BYTES = 64 * 1024 * 1024;

interface Arriving {
  count: number;
  bytes: number;
}

/**
 * The public API's request bodies that are still arriving, by group: an organization's Live environments, and all its others. Each group
 * has its own limit, so stalled bodies block only their own group.
 */
export class ArrivingBodies {
  readonly #groups = new Map<string, Arriving>();
  readonly #maxMs: number;

  constructor(maxMs = MAX_ARRIVAL_MS) {
    this.#maxMs = maxMs;
  }

  /**
   * Waits for a body. Problems: request.timeout (too slow), rate_limit.concurrency_exceeded (too many arriving in the group). Other errors
   * of `read` are passed on.
   */
  async wait(groupName: string, read: (arrival: Arrival) => Promise<void>): Promise<void> {
    const group = this.#groups.get(groupName) ?? { count: 0, bytes: 0 };
    if (group.count >= MAX_ARRIVING) throw tooMany();
    group.count += 1;
    this.#groups.set(groupName, group);
    let own = 0;
    const take = (bytes: number) => {
      own += bytes;
      group.bytes += bytes;
      return group.bytes <= MAX_ARRIVING_BYTES;
    };
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#maxMs);
    try {
      await read({ late: late.signal, take });
    } catch (error) {
      if (error instanceof TooSlow) throw problem("request.timeout", `The body did not arrive within ${this.#maxMs / 1000} seconds.`);
      throw error instanceof Crowded ? tooMany() : error;
    } finally {
      clearTimeout(timer);
      group.bytes -= own;
      group.count -= 1;
      if (group.count === 0) this.#groups.delete(groupName);
    }
  }
}

const tooMany = () =>
  problem(
    "rate_limit.concurrency_exceeded",
    "Your organization has too many requests whose bodies are still arriving. Send this one again in a second.",
  );
