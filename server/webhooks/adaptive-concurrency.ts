/** At most this many attempts at one endpoint at a time. */
export const MAX_CONCURRENCY = 8;

/** With how many an endpoint starts that has not answered yet: one that never will holds no more than these. */
export const INITIAL_CONCURRENCY = 2;

/** An answer, whatever it says, opens one more place; an attempt that timed out leaves a single one. */
export const concurrencyAfter = (concurrency: number, timedOut: boolean): number =>
  timedOut ? 1 : Math.min(concurrency + 1, MAX_CONCURRENCY);

export const SMALLEST_BATCH = 8;
const LARGEST_BATCH = 1024;
const QUICK_MS = 500;

/**
 * How many deliveries to claim ahead for an endpoint that has worked off its last batch in `tookMs`: more for one that
 * answers fast, so that its places never wait for the database, and few for a slow one, so that no lease runs out waiting.
 */
export const batchAfter = (batch: number, tookMs: number): number =>
  tookMs < QUICK_MS ? Math.min(batch * 2, LARGEST_BATCH) : Math.max(Math.floor(batch / 2), SMALLEST_BATCH);
