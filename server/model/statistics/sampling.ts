/**
 * Totals of a population from a stratified sample, with their 95 % interval. The sizes of the strata are known, or estimated by a first,
 * larger sample (double sampling). After Cochran, Sampling Techniques (3rd ed.), 5.3, 5.6 and 12.2.
 */

/** The quantile of the normal distribution for a two-sided interval of 95 %. */
export const Z_95 = 1.959964;

/** One stratum: the numbers of its members and of those measured, and the sums of the measured values and of their squares. */
export interface Measured {
  size: number;
  sampled: number;
  sum: number;
  squares: number;
}

export interface Estimate {
  value: number;
  /** The bounds of the 95 % interval; both equal the value if all players were measured. */
  low: number;
  high: number;
}

export const scaled = ({ value, low, high }: Estimate, by: number): Estimate => ({ value: value * by, low: low * by, high: high * by });

/** The first sample, which estimated the sizes of the strata. */
export interface FirstSample {
  players: number;
}

/** The variance within a stratum, from its sample; 0 for fewer than two members. */
export const varianceOf = ({ sampled, sum, squares }: Pick<Measured, "sampled" | "sum" | "squares">): number =>
  sampled < 2 ? 0 : Math.max(0, (squares - (sum * sum) / sampled) / (sampled - 1));

/** The standard error of the total of strata with these variances (Cochran 5.3). */
export const standardErrorOfTotal = (strata: readonly { size: number; sampled: number; variance: number }[]): number =>
  Math.sqrt(
    strata.reduce(
      (sum, { size, sampled, variance }) => (sampled === 0 ? sum : sum + size * Math.max(0, size - sampled) * (variance / sampled)),
      0,
    ),
  );

/**
 * The total over all strata. A stratum without a sample adds nothing. Where the sizes are estimated, the variance between the strata adds
 * to the error (Cochran 12.2). Unless `isSigned`, measured values are not negative, so the lower bound is not either.
 */
export function estimateTotal(strata: readonly Measured[], first: FirstSample | null = null, isSigned = false): Estimate {
  const sampled = strata.filter((one) => one.sampled > 0);
  const population = sampled.reduce((sum, { size }) => sum + size, 0);
  const value = sampled.reduce((sum, one) => sum + (one.size * one.sum) / one.sampled, 0);
  const within = standardErrorOfTotal(sampled.map((one) => ({ ...one, variance: varianceOf(one) })));
  const mean = population === 0 ? 0 : value / population;
  const between =
    first === null
      ? 0
      : sampled.reduce((sum, one) => sum + (one.size / population) * (one.sum / one.sampled - mean) ** 2, 0) *
        ((population * Math.max(0, population - first.players)) / first.players);
  const margin = Z_95 * Math.sqrt(within ** 2 + between);
  return { value, low: isSigned ? value - margin : Math.max(0, value - margin), high: value + margin };
}

/**
 * The number of members to measure in each stratum: in proportion to its size, but at least `least` (or all), so that small strata are
 * included.
 */
export function allocate(sizes: readonly number[], most: number, least: number): number[] {
  const all = sizes.reduce((sum, size) => sum + size, 0);
  if (all <= most) return [...sizes];
  const floor = Math.min(least, Math.floor(most / sizes.length));
  const base = sizes.map((size) => Math.min(size, floor));
  const room = most - base.reduce((sum, part) => sum + part, 0);
  const rest = sizes.map((size, at) => size - base[at]!);
  const left = rest.reduce((sum, part) => sum + part, 0);
  return base.map((part, at) => part + Math.floor((room * rest[at]!) / left));
}

/** A value with the number of members that it represents. */
export interface Weighted {
  value: number;
  weight: number;
}

/** The smallest value such that at least this fraction of the members do not exceed it; null without values. */
export function quantileOf(values: readonly Weighted[], fraction: number): number | null {
  const sorted = values.toSorted((a, b) => a.value - b.value);
  const whole = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let passed = 0;
  for (const { value, weight } of sorted) {
    passed += weight;
    // Weights are fractions: their sum may be a little short.
    if (passed >= fraction * whole * (1 - 1e-9)) return value;
  }
  return sorted.at(-1)?.value ?? null;
}
