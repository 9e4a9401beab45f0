/** At most this many attempts at one endpoint at a time. */
export const MAX_CONCURRENCY = 8;

/** The initial concurrency of an endpoint that has not answered yet: one that never answers takes no more than this. */
export const INITIAL_CONCURRENCY = 2;

/** Any answer raises the limit by one; a timeout lowers it to one. */
export const concurrencyAfter = (concurrency: number, timedOut: boolean): number =>
  timedOut ? 1 : Math.min(concurrency + 1, MAX_CONCURRENCY);

export const SMALLEST_BATCH = 8;
const MAX_BATCH = 1024;
const QUICK_MS = 500;

/**
 * How many deliveries to claim ahead for an endpoint that has sent its last batch in `tookMs`: more for a fast one, so that it never waits
 * for the database, and few for a slow one, so that no lease runs out waiting.
 */
export const batchAfter = (batch: number, tookMs: number): number =>
  tookMs < QUICK_MS ? Math.min(batch * 2, MAX_BATCH) : Math.max(Math.floor(batch / 2), SMALLEST_BATCH);
