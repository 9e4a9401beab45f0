import { LRUCache } from "lru-cache";

/** Target duration of a slice: other environments wait meanwhile. */
const SLICE_MS = 500;
/** A slice that takes longer is rolled back, and its facts are retried in smaller ones. */
export const MAX_SLICE_MS = 2_000;
/** Facts in the first slice of an environment without measurements. */
const FIRST_SLICE = 32;
/** Fixed cost of a transaction. */
const OVERHEAD_MS = 10;

/** Maximum number of cached costs, by environment and version of definitions. */
const MAX_REMEMBERED = 1_000;

/** The environment of a slice. */
export interface Turn {
  id: number;
  organizationId: string;
  definitionsVersion: number;
}

/**
 * Fair scheduler and adaptive slice size. Organizations take turns by the time of their slices (start-time fair queueing): one that was
 * idle starts level with the others, so it is next, but accumulates no credit. The slice size follows from the measured cost of the
 * environment's facts.
 */
export class Pacing {
  readonly maxMs: number;
  readonly #costs = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  /** Virtual time: the start of the last slice, in seconds of slices; and the start of each organization that is ahead of it. */
  #start = 0;
  readonly #next = new Map<string, number>();

  constructor(maxMs = MAX_SLICE_MS) {
    this.maxMs = maxMs;
  }

  /** How many seconds organizations are ahead; those not listed are level. */
  leads(): { organizations: string[]; seconds: number[] } {
    const ahead = [...this.#next];
    return { organizations: ahead.map(([id]) => id), seconds: ahead.map(([, next]) => next - this.#start) };
  }

  /** The maximum number of facts in a slice. */
  sizeOf(turn: Turn): number {
    const cost = this.#costs.get(nameOf(turn));
    return cost === undefined ? FIRST_SLICE : Math.max(1, Math.floor(SLICE_MS / cost));
  }

  /** A slice has ended, whether or not its facts were applied. */
  hadTurn({ organizationId }: Turn, seconds: number): void {
    const start = Math.max(this.#next.get(organizationId) ?? 0, this.#start);
    this.#next.set(organizationId, start + seconds);
    this.#start = start;
    for (const [id, next] of this.#next) if (next <= start) this.#next.delete(id);
  }

  /** Records the measured time for a number of facts. */
  measured(turn: Turn, facts: number, ms: number): void {
    if (facts === 0) return;
    const cost = Math.max(0.001, (ms - OVERHEAD_MS) / facts);
    const before = this.#costs.get(nameOf(turn));
    this.#costs.set(nameOf(turn), before === undefined || cost > before ? cost : (before + cost) / 2);
  }

  /** A slice was given up after `applied` of its facts: the next one has at most a quarter. */
  gaveUp(turn: Turn, facts: number, applied: number): void {
    this.#costs.set(nameOf(turn), Math.max((4 * SLICE_MS) / facts, this.maxMs / Math.max(1, applied)));
  }
}

const nameOf = ({ id, definitionsVersion }: Turn): string => `${id}/${definitionsVersion}`;
