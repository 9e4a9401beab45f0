import { LRUCache } from "lru-cache";

/** Target duration of a slice: other environments wait meanwhile. */
const SLICE_MS = 500;
/** A slice that takes longer is rolled back, and its facts are retried in smaller ones. */
const MAX_SLICE_MS = 2_000;
/** Facts in the first slice of an environment without measurements. */
const FIRST_SLICE = 32;
/** The fixed cost of a transaction, unless a larger one was measured. */
const OVERHEAD_MS = 10;
/**
 * If one fact alone takes the time of a slice, either the fact is slow or the transaction; a slice of two shows which. It is tried after
 * this many slices of one, and after twice as many each time that the fact was slow.
 */
const FIRST_PROBE = 8;
const MAX_PROBE = 512;

/** Maximum number of cached costs, by environment and version of definitions. */
const MAX_REMEMBERED = 1_000;

/** What an environment's slices have cost. */
interface Costs {
  /** Per fact. */
  factMs: number;
  overheadMs: number;
  /** Of the last slice of one fact. */
  singleMs: number;
  untilProbe: number;
  probeAfter: number;
}

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
  readonly #costs = new LRUCache<string, Costs>({ max: MAX_REMEMBERED });
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
    const costs = this.#costs.get(nameOf(turn));
    if (costs === undefined) return FIRST_SLICE;
    const size = Math.floor(SLICE_MS / costs.factMs);
    return size > 1 ? size : costs.untilProbe > 0 ? 1 : 2;
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
    const costs = this.#costs.get(nameOf(turn));
    const { factMs = 0, singleMs = 0, untilProbe = FIRST_PROBE, probeAfter = FIRST_PROBE } = costs ?? {};
    const isProbe = facts === 2 && untilProbe <= 0;
    const isSlowAlone = isProbe && ms < singleMs * 1.25;
    // The time of a slice bounds its overhead. The margin keeps the noise of measurements out of the facts' cost.
    const overheadMs = Math.max(OVERHEAD_MS, Math.min(isSlowAlone ? singleMs : (costs?.overheadMs ?? 0), 0.9 * ms));
    const cost = Math.max(0.001, (ms - overheadMs) / facts);
    this.#costs.set(nameOf(turn), {
      factMs: costs === undefined || cost > factMs ? cost : (factMs + cost) / 2,
      overheadMs,
      singleMs: facts === 1 ? ms : singleMs,
      ...probing(isProbe, isSlowAlone, { untilProbe: facts === 1 ? untilProbe - 1 : untilProbe, probeAfter }),
    });
  }

  /** A slice was given up after `applied` of its facts: the next one has at most a quarter. */
  gaveUp(turn: Turn, facts: number, applied: number): void {
    const { singleMs = 0, untilProbe = FIRST_PROBE, probeAfter = FIRST_PROBE } = this.#costs.get(nameOf(turn)) ?? {};
    this.#costs.set(nameOf(turn), {
      factMs: Math.max((4 * SLICE_MS) / facts, this.maxMs / Math.max(1, applied)),
      overheadMs: OVERHEAD_MS,
      singleMs,
      ...probing(true, false, { untilProbe, probeAfter }),
    });
  }
}

/** How many slices of one fact come before the next probe, a slice of two. */
function probing(isOver: boolean, hasFound: boolean, { untilProbe, probeAfter }: Pick<Costs, "untilProbe" | "probeAfter">) {
  if (!isOver) return { untilProbe, probeAfter };
  const next = hasFound ? FIRST_PROBE : Math.min(MAX_PROBE, 2 * probeAfter);
  return { untilProbe: next, probeAfter: next };
}

const nameOf = ({ id, definitionsVersion }: Turn): string => `${id}/${definitionsVersion}`;
