import { varianceOf, Z_95 } from "./sampling.ts";

/** The measurements of one group: its members, the sum and the sum of squares, and the members with any activity. */
export interface Group {
  members: number;
  sum: number;
  squares: number;
  some: number;
}

export const EMPTY_GROUP: Group = { members: 0, sum: 0, squares: 0, some: 0 };

export const withValue = ({ members, sum, squares, some }: Group, value: number): Group => ({
  members: members + 1,
  sum: sum + value,
  squares: squares + value * value,
  some: some + Number(value !== 0),
});

export interface Interval {
  value: number;
  low: number;
  high: number;
}

const meanOf = ({ sum, members }: Group): number => (members === 0 ? 0 : sum / members);
const errorOf = ({ members, ...group }: Group): number => (members === 0 ? 0 : varianceOf({ ...group, sampled: members }) / members);

/** The difference of two means, with its 95 % interval: Welch's standard error, and the normal quantile, since groups are large. */
export function differenceOf(one: Group, other: Group): Interval & { standardError: number } {
  const value = meanOf(one) - meanOf(other);
  const standardError = Math.sqrt(errorOf(one) + errorOf(other));
  return { value, low: value - Z_95 * standardError, high: value + Z_95 * standardError, standardError };
}

/**
 * By how much one mean exceeds another, as a fraction (0.08 is 8 % more), with its 95 % interval on the scale of logarithms: the delta
 * method, which for shares is Katz's interval of a relative risk. Null where one of the means is not positive.
 */
export function relativeOf(one: Group, other: Group): Interval | null {
  const [mean, base] = [meanOf(one), meanOf(other)];
  if (mean <= 0 || base <= 0) return null;
  return fromLog(Math.log(mean / base), errorOf(one) / mean ** 2 + errorOf(other) / base ** 2);
}

/** Sums of pairs: the same members in two times of equal length. */
export interface Pairs {
  now: Group;
  before: Group;
  /** The sum of the products. */
  products: number;
}

/** As `relativeOf` for the same members in two times: activity that a member has in both adds nothing to the error. */
export function relativeOfPairs({ now, before, products }: Pairs): Interval | null {
  const { members } = now;
  const [mean, base] = [meanOf(now), meanOf(before)];
  if (mean <= 0 || base <= 0) return null;
  const covariance = members < 2 ? 0 : (products - (now.sum * before.sum) / members) / (members - 1) / members;
  const variance = errorOf(now) / mean ** 2 + errorOf(before) / base ** 2 - (2 * covariance) / (mean * base);
  return fromLog(Math.log(mean / base), Math.max(0, variance));
}

function fromLog(log: number, variance: number): Interval {
  const margin = Z_95 * Math.sqrt(variance);
  return { value: Math.expm1(log), low: Math.expm1(log - margin), high: Math.expm1(log + margin) };
}

/** Pearson's chi-square of counts against the expected ones. */
export const chiSquare = (observed: readonly number[], expected: readonly number[]): number =>
  observed.reduce((sum, count, at) => sum + (expected[at]! === 0 ? 0 : (count - expected[at]!) ** 2 / expected[at]!), 0);

/** The quantile of chi-square with one degree of freedom for a probability of 0.001. */
const MISMATCH = 10.828;

/** Whether the sizes of groups differ from their shares beyond chance (p < 0.001): then something besides the share divides the players. */
export function isMismatch(inside: number, outside: number, share: number): boolean {
  const all = inside + outside;
  return chiSquare([inside, outside], [all * share, all * (1 - share)]) > MISMATCH;
}

/** A difference is reported only if each group has this many members with any activity, after this many days. */
const MIN_ACTIVE = 30;
const MIN_DAYS = 7;
/** A difference that would take more than this many times as long to detect is given up. */
const MAX_LONGER = 10;

export type Verdict =
  | { kind: "clear" }
  /** The interval includes 0. A difference of this size would be clear after `moreDays`; null if that is far off. */
  | { kind: "unclear"; moreDays: number | null }
  /** Too few days or active members; null if a group has no active member at all. */
  | { kind: "tooEarly"; moreDays: number | null };

/** The verdict on a relative difference after a number of days. */
export function verdictOf(relative: Interval | null, groups: readonly Group[], days: number): Verdict {
  const some = Math.min(...groups.map((group) => group.some));
  if (some < MIN_ACTIVE || days < MIN_DAYS || relative === null) {
    const wanted = some === 0 ? null : Math.max(MIN_DAYS, (days * MIN_ACTIVE) / some);
    return { kind: "tooEarly", moreDays: wanted === null ? null : Math.max(1, Math.ceil(wanted - days)) };
  }
  if (relative.low > 0 || relative.high < 0) return { kind: "clear" };
  const log = Math.log1p(relative.value);
  const margin = (Math.log1p(relative.high) - Math.log1p(relative.low)) / 2;
  // The interval shrinks with the square root of the time.
  const longer = log === 0 ? Infinity : (margin / log) ** 2;
  return { kind: "unclear", moreDays: longer > MAX_LONGER ? null : Math.max(1, Math.ceil(days * (longer - 1))) };
}
