import { LRUCache } from "lru-cache";

/** How long a slice should take: others wait for one that runs. */
const SLICE_MS = 500;
/** A slice that takes longer is given up, and its facts are taken again in smaller ones. */
export const MAX_SLICE_MS = 2_000;
/** Facts in the first slice of an environment whose facts nobody has measured. */
const FIRST_SLICE = 32;
/** What a transaction costs however many facts it has. */
const OVERHEAD_MS = 10;

/** Environments, each in one version of its definitions, whose cost is remembered. */
const MAX_REMEMBERED = 1_000;

/** The environment of a slice. */
export interface Turn {
  id: number;
  organizationId: string;
  definitionsVersion: number;
}

/**
 * Who has the next slice, and how many facts it has. Organizations take turns by the time that their slices took (start-time fair
 * queueing): one that was idle starts where the others are, so it is next, and saves up nothing. The number of facts follows from what those
 * of the environment have cost so far.
 */
export class Pacing {
  readonly maxMs: number;
  readonly #costs = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  /** The start of the last slice, in seconds of slices; and where each organization that had more than that would start. */
  #start = 0;
  readonly #next = new Map<string, number>();

  constructor(maxMs = MAX_SLICE_MS) {
    this.maxMs = maxMs;
  }

  /** How many seconds organizations are ahead of the others; those that are not named are level. */
  leads(): { organizations: string[]; seconds: number[] } {
    const ahead = [...this.#next];
    return { organizations: ahead.map(([id]) => id), seconds: ahead.map(([, next]) => next - this.#start) };
  }

  /** How many facts a slice may have. */
  sizeOf(turn: Turn): number {
    const cost = this.#costs.get(nameOf(turn));
    return cost === undefined ? FIRST_SLICE : Math.max(1, Math.floor(SLICE_MS / cost));
  }

  /** A slice is over, whether or not its facts were applied. */
  hadTurn({ organizationId }: Turn, seconds: number): void {
    const start = Math.max(this.#next.get(organizationId) ?? 0, this.#start);
    this.#next.set(organizationId, start + seconds);
    this.#start = start;
    for (const [id, next] of this.#next) if (next <= start) this.#next.delete(id);
  }

  /** So many facts took so long. */
  measured(turn: Turn, facts: number, ms: number): void {
    if (facts === 0) return;
    const cost = Math.max(0.001, (ms - OVERHEAD_MS) / facts);
    const before = this.#costs.get(nameOf(turn));
    this.#costs.set(nameOf(turn), before === undefined || cost > before ? cost : (before + cost) / 2);
  }

  /** A slice of so many facts was given up after `applied` of them: the next one has a quarter at most. */
  gaveUp(turn: Turn, facts: number, applied: number): void {
    this.#costs.set(nameOf(turn), Math.max((4 * SLICE_MS) / facts, this.maxMs / Math.max(1, applied)));
  }
}

const nameOf = ({ id, definitionsVersion }: Turn): string => `${id}/${definitionsVersion}`;
