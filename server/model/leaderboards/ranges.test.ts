import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareNumbers, Decimal, type Numeric, simplify } from "../kernel/decimal.ts";
import { type Block, cutsOf, isSingle, MAX_RANGES, RANGE_SIZE, rangesOf, reshaped, withCuts } from "./ranges.ts";

const LANES = 4;
const decimal = (text: string): Numeric => simplify(Decimal.parse(text)!);
const within = (score: Numeric, { lower, upper }: { lower: Numeric | null; upper: Numeric | null }) =>
  (lower === null || compareNumbers(lower, score) <= 0) && (upper === null || compareNumbers(score, upper) < 0);

interface Scored {
  score: Numeric;
  lane: number;
}

/** The counts of a block's ranges, from its scores. */
const recount = (block: Pick<Block, "lower" | "upper" | "bounds">, scores: readonly Scored[]): number[][] =>
  Array.from({ length: LANES }, (_, lane) =>
    rangesOf(block).map((range) => scores.filter((one) => one.lane === lane && within(one.score, range)).length),
  );

/** Cuts every range that is half full, as the worker does with its statements. */
function cutAll(block: Block, scores: readonly Scored[]): Block {
  let cut = block;
  for (const [place, range] of [...rangesOf(block).entries()].reverse()) {
    if (!block.counts.some((lane) => (lane[place] ?? 0) > RANGE_SIZE / 2) || isSingle(range)) continue;
    const own = scores
      .filter(({ score }) => within(score, range))
      .map(({ score }) => score)
      .sort(compareNumbers);
    const cuts = cutsOf(
      range,
      own.filter((_, at) => (at + 1) % RANGE_SIZE === 0),
    );
    cut = withCuts(cut, place, cuts, recount({ ...range, bounds: cuts }, scores));
  }
  return cut;
}

const anyScore = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: -1_000_000, max: 1_000_000 }) },
  { weight: 1, arbitrary: fc.constantFrom("0.00000001", "0.00000002", "99999999999999999999.99999999").map(decimal) },
);
const crowd = fc
  .array(fc.record({ score: anyScore, times: fc.integer({ min: 1, max: 900 }) }), { minLength: 1, maxLength: 12 })
  .map((groups) => groups.flatMap(({ score, times }) => Array.from({ length: times }, (_, at): Scored => ({ score, lane: at % LANES }))));

describe("ranges", () => {
  test("after splits and merges every score is counted in its range", () => {
    fc.assert(
      fc.property(crowd, (scores) => {
        const whole: Block = { lower: null, upper: null, bounds: [], counts: recount({ lower: null, upper: null, bounds: [] }, scores) };
        let blocks: Block[] = [whole];
        for (let round = 0; round < 4; round++) blocks = blocks.flatMap((block) => reshaped([cutAll(block, scores)]));
        blocks = reshaped(blocks);
        for (const block of blocks) expect(block.counts).toEqual(recount(block, scores));
        expect([blocks[0]!.lower, blocks.at(-1)!.upper]).toEqual([null, null]);
        for (const [at, { upper }] of blocks.entries()) expect(upper).toEqual(blocks[at + 1]?.lower ?? null);
        // A score shared by very many players has its own range; no other range stays full.
        for (const block of blocks) {
          for (const [place, range] of rangesOf(block).entries()) {
            const count = block.counts.reduce((sum, lane) => sum + lane[place]!, 0);
            if (count > (LANES + 1) * RANGE_SIZE) expect(isSingle(range), `${count} in ${range.lower} to ${range.upper}`).toBe(true);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test("that became empty are merged, so that their number depends on the present scores", () => {
    const bounds = Array.from({ length: 2_000 }, (_, at) => at);
    const empty: Block = { lower: null, upper: null, bounds, counts: Array.from({ length: LANES }, () => Array<number>(2_001).fill(0)) };
    expect(reshaped([empty]).map(({ bounds: left }) => left.length)).toEqual([0]);
  });

  test("fill blocks of limited size, each beginning where the previous one ends", () => {
    const bounds = Array.from({ length: 999 }, (_, at) => at);
    const full: Block = { lower: null, upper: null, bounds, counts: Array.from({ length: LANES }, () => Array<number>(1_000).fill(100)) };
    const blocks = reshaped([full]);
    expect(blocks).toHaveLength(8);
    for (const block of blocks) expect(block.bounds.length + 1).toBeLessThanOrEqual(MAX_RANGES);
    expect(blocks.slice(1).map(({ lower }) => lower)).toEqual(blocks.slice(0, -1).map(({ upper }) => upper));
  });
});
