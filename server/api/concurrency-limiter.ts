import { type Problem, problem } from "../model/kernel/problem.ts";
import { Aborted } from "./body.ts";
import type { Quota } from "./quota-split.ts";

interface Waiting {
  admit(): void;
  refuse(): void;
}

/** The requests of an organization in this process. */
interface InFlight {
  inFlight: number;
  /** The waiting requests in the order they came. Those of Live are admitted before the others. */
  live: Set<Waiting>;
  others: Set<Waiting>;
}

/** Calls back once the client has gone away; at once if it has already. */
export type WhenAbandoned = (act: () => void) => void;

interface Acquiring {
  /** Waits before those of Sandboxes. */
  isLive?: boolean;
  whenAbandoned?: WhenAbandoned;
}

/**
 * Limits the requests of each organization in this process: so many run at once, so many wait, Live's before the Sandboxes', each first
 * come, first served. A released slot goes to the first that waits.
 */
export class ConcurrencyLimiter {
  #quota: Quota;
  readonly #refusal: string;
  readonly #organizations = new Map<string, InFlight>();

  /** @param refusal The message where no slot is left. */
  constructor(quota: Quota, refusal = "Your organization has too many requests in flight. Send this one again in a second.") {
    this.#quota = quota;
    this.#refusal = refusal;
  }

  get quota(): Quota {
    return this.#quota;
  }

  /** The most requests in flight of any organization. */
  get most(): number {
    let most = 0;
    for (const { inFlight } of this.#organizations.values()) most = Math.max(most, inFlight);
    return most;
  }

  /**
   * Acquires a slot, which has to be released. Null: acquired at once, as nearly always, for the price of a count. Otherwise the promise
   * settles once it is acquired; a client that goes away before leaves the queue at once and has no slot (Aborted). Problem
   * rate_limit.concurrency_exceeded: too many wait already. Where one too many waits, a request of Live is let in for the youngest of a
   * Sandbox, which is refused: otherwise a busy Sandbox would keep Live out of the queue.
   */
  acquire(organizationId: string, acquiring: Acquiring = {}): Promise<void> | null {
    const organization = this.#organizations.get(organizationId);
    if (organization === undefined) this.#organizations.set(organizationId, { inFlight: 1, live: new Set(), others: new Set() });
    else if (organization.inFlight < this.#quota.inFlight) organization.inFlight += 1;
    else return this.#wait(organization, acquiring);
    return null;
  }

  release(organizationId: string): void {
    const organization = this.#organizations.get(organizationId);
    if (organization === undefined) return;
    organization.inFlight -= 1;
    this.#admit(organization);
    if (organization.inFlight === 0) this.#organizations.delete(organizationId);
  }

  /** Changes the limits. Running requests go on, and waiting ones keep waiting. */
  resize(quota: Quota): void {
    this.#quota = quota;
    for (const organization of this.#organizations.values()) this.#admit(organization);
  }

  #wait({ live, others }: InFlight, { isLive = false, whenAbandoned = () => {} }: Acquiring): Promise<void> {
    if (live.size + others.size >= this.#quota.waiting) {
      const youngest = isLive ? [...others].at(-1) : undefined;
      if (youngest === undefined) throw this.#refused();
      others.delete(youngest);
      youngest.refuse();
    }
    const queue = isLive ? live : others;
    return new Promise((resolve, reject) => {
      const waiting = { admit: resolve, refuse: () => reject(this.#refused()) };
      queue.add(waiting);
      whenAbandoned(() => {
        if (queue.delete(waiting)) reject(new Aborted());
      });
    });
  }

  #refused(): Problem {
    return problem("rate_limit.concurrency_exceeded", this.#refusal);
  }

  #admit(organization: InFlight): void {
    for (const queue of [organization.live, organization.others]) {
      for (const waiting of queue) {
        if (organization.inFlight >= this.#quota.inFlight) return;
        queue.delete(waiting);
        organization.inFlight += 1;
        waiting.admit();
      }
    }
  }
}
