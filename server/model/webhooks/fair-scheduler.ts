/** How many deliveries of an endpoint to claim. */
export interface ClaimQuota {
  endpointId: string;
  quota: number;
}

/** A claimed delivery is not started after `startBefore`: its lease could run out under the attempt. */
interface Waiting {
  endpointId: string;
  startBefore: number;
}

/** How an attempt ended. */
interface Result {
  timedOut: boolean;
  durationMs: number;
}

interface Lane<T> {
  endpointId: string;
  waiting: T[];
  inFlight: number;
  concurrency: number;
  /** The last attempt took long, whatever its result. */
  slow: boolean;
  batch: number;
  filledAt: number;
  /** Whether the database may hold more due deliveries. */
  more: boolean;
}

export interface Limits {
  /** Attempts under way in all. */
  inFlight: number;
  /** Deliveries claimed ahead in all; an endpoint can always claim up to its concurrency. */
  waiting: number;
}

/**
 * The fair scheduler of deliveries. Every endpoint has a lane; lanes with a waiting delivery and free concurrency take turns. Lanes whose
 * receivers are slow never fill more than half of all attempts together. Times are milliseconds on any clock that never goes back.
 */
export class FairScheduler<T extends Waiting> {
  readonly #limits: Limits;
  readonly #lanes = new Map<string, Lane<T>>();
  /** Lanes that could start an attempt, the next one first; the slow ones apart. */
  readonly #ready = { slow: new Set<Lane<T>>(), quick: new Set<Lane<T>>() };
  #inFlight = 0;
  #slowInFlight = 0;
  #waiting = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** The number of deliveries that are claimed and not started. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Remembers that these endpoints have due deliveries. */
  expect(endpointIds: readonly string[]): void {
    for (const endpointId of endpointIds) this.#laneOf(endpointId).more = true;
  }

  /** Endpoints that have claimed their maximum, and claim nothing now. */
  supplied(): string[] {
    return [...this.#lanes.values()].filter(isSupplied).map(({ endpointId }) => endpointId);
  }

  quotas(): ClaimQuota[] {
    let left = this.#limits.waiting - this.#waiting;
    const quotas: ClaimQuota[] = [];
    for (const lane of this.#lanes.values()) {
      if (!wantsMore(lane)) continue;
      const free = lane.concurrency - lane.inFlight - lane.waiting.length;
      const quota = lane.slow ? free : Math.max(free, Math.min(lane.batch - lane.waiting.length, left));
      if (quota <= 0) continue;
      left -= quota;
      quotas.push({ endpointId: lane.endpointId, quota });
    }
    return quotas;
  }

  /** Adds the deliveries that were claimed for `quotas`. */
  add(quotas: readonly ClaimQuota[], claimed: readonly T[], now: number): void {
    const counts = new Map<string, number>();
    for (const item of claimed) {
      const lane = this.#laneOf(item.endpointId);
      lane.waiting.push(item);
      counts.set(item.endpointId, (counts.get(item.endpointId) ?? 0) + 1);
    }
    this.#waiting += claimed.length;
    for (const { endpointId, quota } of quotas) {
      const lane = this.#laneOf(endpointId);
      lane.more = counts.get(endpointId) === quota;
      lane.batch = batchAfter(lane.batch, now - lane.filledAt);
      lane.filledAt = now;
      this.#settle(lane);
    }
  }

  /** The delivery to attempt now; undefined while none may start. */
  next(now: number): T | undefined {
    if (this.#inFlight >= this.#limits.inFlight) return undefined;
    const { slow, quick } = this.#ready;
    for (const lanes of this.#slowInFlight < this.#limits.inFlight / 2 ? [slow, quick] : [quick]) {
      for (const lane of lanes) {
        const item = this.#take(lane, now);
        if (item !== undefined) return item;
      }
    }
    return undefined;
  }

  /** An attempt has ended. Returns whether to claim more for its endpoint. */
  done(item: T, { timedOut, durationMs }: Result): boolean {
    const lane = this.#laneOf(item.endpointId);
    const slow = timedOut || durationMs > SLOW_MS;
    this.#count(lane, -1);
    if (lane.slow !== slow) {
      this.#rowOf(lane).delete(lane);
      lane.slow = slow;
      this.#slowInFlight += slow ? lane.inFlight : -lane.inFlight;
    }
    lane.concurrency = concurrencyAfter(lane.concurrency, timedOut);
    this.#settle(lane);
    return wantsMore(lane);
  }

  /** Drops and returns the waiting deliveries of these endpoints, which get nothing more. */
  drop(endpointIds: readonly string[]): T[] {
    return endpointIds.flatMap((endpointId) => {
      const lane = this.#lanes.get(endpointId);
      if (lane === undefined) return [];
      const left = lane.waiting.splice(0);
      this.#waiting -= left.length;
      lane.more = false;
      this.#settle(lane);
      return left;
    });
  }

  /** Drops and returns all waiting deliveries. */
  empty(): T[] {
    const left = [...this.#lanes.values()].flatMap((lane) => lane.waiting.splice(0));
    this.#waiting = 0;
    this.#ready.slow.clear();
    this.#ready.quick.clear();
    return left;
  }

  /** The first delivery of the lane whose lease still lasts; expired ones are dropped, to be claimed again. */
  #take(lane: Lane<T>, now: number): T | undefined {
    for (;;) {
      const item = lane.waiting.shift();
      if (item === undefined) {
        this.#settle(lane);
        return undefined;
      }
      this.#waiting -= 1;
      if (item.startBefore <= now) continue;
      this.#count(lane, 1);
      this.#rowOf(lane).delete(lane);
      this.#settle(lane);
      return item;
    }
  }

  #count(lane: Lane<T>, change: 1 | -1): void {
    this.#inFlight += change;
    lane.inFlight += change;
    if (lane.slow) this.#slowInFlight += change;
  }

  /** Adds the lane to the queue or removes it; an empty one is forgotten unless it is known to be slow. */
  #settle(lane: Lane<T>): void {
    if (lane.waiting.length > 0 && lane.inFlight < lane.concurrency) this.#rowOf(lane).add(lane);
    else this.#rowOf(lane).delete(lane);
    if (lane.waiting.length === 0 && lane.inFlight === 0 && !lane.more && !lane.slow) this.#lanes.delete(lane.endpointId);
  }

  #rowOf(lane: Lane<T>): Set<Lane<T>> {
    return lane.slow ? this.#ready.slow : this.#ready.quick;
  }

  #laneOf(endpointId: string): Lane<T> {
    const known = this.#lanes.get(endpointId);
    if (known !== undefined) return known;
    const lane: Lane<T> = {
      endpointId,
      waiting: [],
      inFlight: 0,
      concurrency: INITIAL_CONCURRENCY,
      slow: false,
      batch: SMALLEST_BATCH,
      filledAt: Number.NEGATIVE_INFINITY,
      more: false,
    };
    this.#lanes.set(endpointId, lane);
    return lane;
  }
}

const isSupplied = (lane: Lane<{ endpointId: string }>): boolean => lane.waiting.length > lane.batch / 2;
const wantsMore = (lane: Lane<{ endpointId: string }>): boolean => lane.more && !isSupplied(lane);

/** At most this many attempts at one endpoint at a time. */
export const MAX_CONCURRENCY = 8;

/** The initial concurrency of an endpoint that has not answered yet: one that never answers takes no more than this. */
const INITIAL_CONCURRENCY = 2;

/** A receiver that just keeps within the time-out holds as many attempts as one that never answers. */
export const SLOW_MS = 2000;

/** Any answer raises the limit by one; a timeout lowers it to one. */
const concurrencyAfter = (concurrency: number, timedOut: boolean): number => (timedOut ? 1 : Math.min(concurrency + 1, MAX_CONCURRENCY));

const SMALLEST_BATCH = 8;
const MAX_BATCH = 1024;
const QUICK_MS = 500;

/**
 * How many deliveries to claim ahead for an endpoint whose last batch took `tookMs`: more for a fast one, so that it never waits for the
 * database, and few for a slow one, so that no lease runs out waiting.
 */
const batchAfter = (batch: number, tookMs: number): number =>
  tookMs < QUICK_MS ? Math.min(batch * 2, MAX_BATCH) : Math.max(Math.floor(batch / 2), SMALLEST_BATCH);
