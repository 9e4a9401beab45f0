import { compareNumbers, Decimal, type Numeric, simplify } from "../kernel/decimal.ts";

/**
 * An interval of scores: it includes `lower` and excludes `upper`; null: unbounded. Its ranges are between its bounds, and include their
 * lower ones.
 */
export interface Block {
  lower: Numeric | null;
  upper: Numeric | null;
  /** The bounds between the ranges, ascending: one fewer than there are ranges. */
  bounds: readonly Numeric[];
  /** The number of scores in each range, by lane. */
  counts: readonly (readonly number[])[];
}

export interface ScoreRange {
  lower: Numeric | null;
  upper: Numeric | null;
}

/** Ranges are cut into pieces of this size; neighbours that together have no more scores are merged. */
export const RANGE_SIZE = 250;
/** The most ranges of a block: twice what a new one has, so that cutting a block does not lead to another cut immediately. */
export const MAX_RANGES = 256;

/** Scores have at most eight decimals: this is the smallest step between two. */
const STEP = Decimal.parse("0.00000001") ?? Decimal.of(0);
const next = (score: Numeric): Numeric => simplify(Decimal.of(score).plus(STEP));

/** Whether a range holds a single score; it cannot be cut, however many players have it. */
export const isSingle = ({ lower, upper }: ScoreRange): boolean =>
  lower !== null && upper !== null && compareNumbers(next(lower), upper) === 0;

/** The ranges of a block, in order. */
export const rangesOf = ({ lower, upper, bounds }: Pick<Block, "lower" | "upper" | "bounds">): ScoreRange[] =>
  [lower, ...bounds].map((from, at) => ({ lower: from, upper: bounds[at] ?? upper }));

/** The cuts of a full range, given every `RANGE_SIZE`th of its scores in order. A score that many players have gets a range of its own. */
export function cutsOf({ lower, upper }: ScoreRange, samples: readonly Numeric[]): Numeric[] {
  const cuts: Numeric[] = [];
  const add = (cut: Numeric) => {
    const last = cuts.at(-1) ?? lower;
    if ((last === null || compareNumbers(cut, last) > 0) && (upper === null || compareNumbers(cut, upper) < 0)) cuts.push(cut);
  };
  for (const [at, sample] of samples.entries()) {
    add(sample);
    const isHeavy = at > 0 && compareNumbers(sample, samples[at - 1]!) === 0;
    if (isHeavy || (lower !== null && compareNumbers(sample, lower) === 0)) add(next(sample));
  }
  return cuts;
}

/** A block with one range (by index) cut; `counts` are those of the pieces, by lane. */
export function withCuts(block: Block, index: number, cuts: readonly Numeric[], counts: readonly (readonly number[])[]): Block {
  return {
    ...block,
    bounds: [...block.bounds.slice(0, index), ...cuts, ...block.bounds.slice(index)],
    counts: block.counts.map((lane, at) => [...lane.slice(0, index), ...(counts[at] ?? []), ...lane.slice(index + 1)]),
  };
}

/** Compacts consecutive blocks: merges small neighbouring ranges, and uses as few blocks as fit the result well. */
export function reshaped(blocks: readonly Block[]): Block[] {
  const ranges = tidied(blocks.flatMap(filledRanges));
  const size = ranges.length <= MAX_RANGES ? MAX_RANGES : MAX_RANGES / 2;
  const shaped: Block[] = [];
  for (let at = 0; at < ranges.length; at += size) shaped.push(blockOf(ranges.slice(at, at + size)));
  return shaped;
}

type FilledRange = ScoreRange & { counts: readonly number[] };

const filledRanges = (block: Block): FilledRange[] =>
  rangesOf(block).map((range, at) => ({ ...range, counts: block.counts.map((lane) => lane[at] ?? 0) }));

const total = ({ counts }: FilledRange): number => counts.reduce((sum, count) => sum + count, 0);

function tidied(ranges: readonly FilledRange[]): FilledRange[] {
  const kept: FilledRange[] = [];
  for (const range of ranges) {
    const last = kept.at(-1);
    const isSmall = last !== undefined && total(last) + total(range) <= RANGE_SIZE;
    if (last === undefined || !isSmall) kept.push(range);
    else
      kept[kept.length - 1] = {
        lower: last.lower,
        upper: range.upper,
        counts: last.counts.map((count, lane) => count + (range.counts[lane] ?? 0)),
      };
  }
  return kept;
}

const blockOf = (ranges: readonly FilledRange[]): Block => ({
  lower: ranges[0]?.lower ?? null,
  upper: ranges.at(-1)?.upper ?? null,
  bounds: ranges.slice(1).flatMap(({ lower }) => (lower === null ? [] : [lower])),
  counts: (ranges[0]?.counts ?? []).map((_, lane) => ranges.map(({ counts }) => counts[lane] ?? 0)),
});

/** The most blocks for this many scores: with more, ranges have become empty everywhere, and blocks are compacted. */
export const maxBlocks = (scores: number): number => 8 + 2 * Math.ceil(scores / (RANGE_SIZE * (MAX_RANGES / 2)));
