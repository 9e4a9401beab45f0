/** A bucket of a histogram: `from` inclusive, `to` exclusive, null for the last. */
export interface Bucket {
  from: number;
  to: number | null;
  count: number;
}

/** The bucket of a number, as `width_bucket` over the powers of two numbers it: 0 is 0, 1 is 1, 2 is 2 to 3, 3 is 4 to 7, … */
export const bucketOf = (number: number, count: number): Bucket => ({
  from: number === 0 ? 0 : 2 ** (number - 1),
  to: number >= LAST ? null : number === 0 ? 1 : 2 ** number,
  count,
});

/** The last bucket has no upper bound: in seconds it begins at 34 years. */
const LAST = 31;

/** A quantile, interpolated linearly within its bucket; null without counts. */
export function quantile(buckets: readonly Bucket[], part: number): number | null {
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  for (const { from, to, count } of [...buckets].sort((a, b) => a.from - b.from)) {
    if (count > 0 && below + count >= total * part) return from + ((to ?? from) - from) * ((total * part - below) / count);
    below += count;
  }
  return null;
}

/**
 * The bounds of latencies in milliseconds: each is the one before times the square root of two, rounded. `webhook_latency` in
 * db/functions/webhooks.sql numbers the ranges between them by the same list.
 */
const LATENCY_BOUNDS = [1, ...Array.from({ length: 31 }, (_, at) => Math.round(2 ** (at / 2 + 1)))];

/** The number of buckets, including the one below the first bound. */
export const LATENCY_BUCKETS = LATENCY_BOUNDS.length + 1;

/** Counts by bucket of latency, the first for less than a millisecond. */
export const latencyBuckets = (counts: readonly number[]): Bucket[] =>
  counts.map((count, at) => ({ from: LATENCY_BOUNDS[at - 1] ?? 0, to: LATENCY_BOUNDS[at] ?? null, count }));
