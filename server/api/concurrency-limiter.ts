import { problem } from "../kernel/problem.ts";
import { Aborted } from "./body.ts";
import type { Quota } from "./quota-split.ts";

/** The requests of an organization in this process. */
interface InFlight {
  inFlight: number;
  /** The waiting requests in the order they came; each can be admitted, or leave. */
  waiting: Set<() => void>;
}

/** Calls back once the client has gone away; at once if it has already. */
export type WhenAbandoned = (act: () => void) => void;

/**
 * Limits the requests of each organization in this process: so many run at once, so many wait, first come, first served. A released slot
 * goes to the first that waits.
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
   * rate_limit.concurrency_exceeded: too many wait already.
   */
  acquire(organizationId: string, whenAbandoned: WhenAbandoned = () => {}): Promise<void> | null {
    const organization = this.#organizations.get(organizationId);
    if (organization === undefined) this.#organizations.set(organizationId, { inFlight: 1, waiting: new Set() });
    else if (organization.inFlight < this.#quota.inFlight) organization.inFlight += 1;
    else return this.#wait(organization, whenAbandoned);
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

  #wait({ waiting }: InFlight, whenAbandoned: WhenAbandoned): Promise<void> {
    if (waiting.size >= this.#quota.waiting) {
      throw problem("rate_limit.concurrency_exceeded", this.#refusal);
    }
    return new Promise((resolve, reject) => {
      waiting.add(resolve);
      whenAbandoned(() => {
        if (waiting.delete(resolve)) reject(new Aborted());
      });
    });
  }

  #admit(organization: InFlight): void {
    for (const letIn of organization.waiting) {
      if (organization.inFlight >= this.#quota.inFlight) return;
      organization.waiting.delete(letIn);
      organization.inFlight += 1;
      letIn();
    }
  }
}
