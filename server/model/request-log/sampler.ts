import type { Omitted } from "./entry.ts";

/**
 * The kinds of entries, each with its limit. Errors of revoked keys are one of them: requests with a leaked key then neither hide other errors
 * nor push older requests out of the log.
 */
export type Count = keyof Omitted | "ofRevokedKeys";

type Counts = Record<Count, number>;

/** The number of entries of an environment that the log keeps in each second; the others are counted. */
export const PER_SECOND: Counts = { successes: 50, errors: 100, ofRevokedKeys: 1, acceptedItems: 100, refusedItems: 500 };

/** The number that a process keeps in each second of all environments together: it bounds the cost in the database. */
const OF_ALL: Counts = { successes: 200, errors: 400, ofRevokedKeys: 20, acceptedItems: 400, refusedItems: 1_000 };

/** What each environment may always keep: other environments' traffic does not hide its first requests. */
const OF_EACH = 5;

/** Refused items that are kept of one request. */
export const REFUSED_OF_A_REQUEST = 100;

/** The environments of a second: beyond them nothing is kept. Only a flood reaches this limit. */
const MAX_ENVIRONMENTS = 10_000;

/** Decides what to keep of a busy second: the first ones of each kind. `now` is in milliseconds, on any clock that only rises. */
export class Sampler {
  #second = -1;
  #all = none();
  readonly #kept = new Map<number, Counts>();

  /** How many of `wanted` may be kept, and counts them as kept. */
  admit(environmentId: number, count: Count, wanted: number, now: number): number {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#all = none();
      this.#kept.clear();
    }
    let kept = this.#kept.get(environmentId);
    if (kept === undefined) {
      if (this.#kept.size >= MAX_ENVIRONMENTS) return 0;
      kept = none();
      this.#kept.set(environmentId, kept);
    }
    const room = Math.max(OF_ALL[count] - this.#all[count], OF_EACH - kept[count], 0);
    const admitted = Math.min(wanted, PER_SECOND[count] - kept[count], room);
    kept[count] += admitted;
    this.#all[count] += admitted;
    return admitted;
  }
}

const none = (): Counts => ({ successes: 0, errors: 0, ofRevokedKeys: 0, acceptedItems: 0, refusedItems: 0 });
