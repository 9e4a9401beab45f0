import type { Omitted } from "./entry.ts";

/** What the log keeps of an environment in each second; the rest is counted. */
export const PER_SECOND = { successes: 50, errors: 100, acceptedItems: 100, refusedItems: 500 } as const;

/** Refused items that are kept of one request. */
export const REFUSED_OF_A_REQUEST = 100;

/** The environments of a second: beyond them nothing is kept. Nobody reaches that but by a flood. */
const MOST_ENVIRONMENTS = 10_000;

export type Count = keyof Omitted;

/** Says what of a busy second is kept: the first ones of each kind. `now` is in milliseconds, on any clock that only rises. */
export class Sampler {
  #second = -1;
  readonly #kept = new Map<number, Omitted>();

  /** How many of `wanted` may be kept, and counts them as kept. */
  admit(environmentId: number, count: Count, wanted: number, now: number): number {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#kept.clear();
    }
    let kept = this.#kept.get(environmentId);
    if (kept === undefined) {
      if (this.#kept.size >= MOST_ENVIRONMENTS) return 0;
      kept = { successes: 0, errors: 0, acceptedItems: 0, refusedItems: 0 };
      this.#kept.set(environmentId, kept);
    }
    const admitted = Math.min(wanted, PER_SECOND[count] - kept[count]);
    kept[count] += admitted;
    return admitted;
  }
}
