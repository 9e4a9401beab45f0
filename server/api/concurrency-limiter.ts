import { type Problem, problem } from "../model/kernel/problem.ts";
import { Aborted } from "./body.ts";
import type { Quota } from "./quota-split.ts";

interface Waiting {
  admit(): void;
  refuse(): void;
}

/** An organization's requests in this process. */
interface InFlight {
  inFlight: number;
  /** Waiting requests in order of arrival. Live ones are admitted first. */
  live: Set<Waiting>;
  others: Set<Waiting>;
}

/** Calls back when the client disconnects; immediately if it already has. */
export type WhenAbandoned = (act: () => void) => void;

interface Acquiring {
  /** Goes before the Sandboxes' requests. */
  isLive?: boolean;
  whenAbandoned?: WhenAbandoned;
}

/**
 * Limits each organization's requests in this process: some run, some wait, Live before Sandbox, otherwise in order of arrival. A released
 * slot goes to the first in the queue.
 */
export class ConcurrencyLimiter {
  #quota: Quota;
  readonly #refusal: string;
  readonly #organizations = new Map<string, InFlight>();

  /** @param refusal The message when no slot is left. */
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
   * Acquires a slot, which must be released. Null, as nearly always: acquired without waiting, for the price of a count. Otherwise the
   * promise settles on acquisition; a client that disconnects first leaves the queue and has no slot (Aborted). Problem
   * rate_limit.concurrency_exceeded: the queue is full. A Live request may then replace the youngest Sandbox request, which is refused:
   * otherwise a busy Sandbox would keep Live out of the queue.
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

  /** Changes the limits. Running requests continue, and waiting ones keep waiting. */
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
