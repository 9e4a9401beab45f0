import { allValues, execute, onlyRow, type Sql, type Transaction } from "#db/client.ts";
import { endedIfFrozen } from "#server/engine/store/locks.ts";
import type { Numeric } from "#server/model/kernel/decimal.ts";
import { BOARD_LANE, BOARD_LANES } from "#server/model/kernel/lanes.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { type Block, type ScoreRange, RANGE_SIZE } from "#server/model/leaderboards/ranges.ts";
import { numberOf } from "#server/model/leaderboards/scores.ts";

/**
 * Class of the advisory locks that counting holds shared (`leaderboard_count_changes`, db/functions/leaderboards.sql); the second number is
 * the period.
 */
const RANGES_LOCK = 4;

export interface StoredBlock extends Block {
  block: number;
  isFull: boolean;
}

/** Periods with a range that has too many scores. */
export const periodsWithFullBlocks = (sql: Sql) =>
  allValues(sql<{ id: number }[]>`select distinct period_id as id from leaderboard_blocks where is_full`);

/** Locks a period's counts exclusively until the transaction ends; earlier writers have committed. */
export const lockRangesExclusive = (tx: Transaction, periodId: number) =>
  execute(tx`select pg_advisory_xact_lock(${RANGES_LOCK}::int, ${periodId}::int), ${endedIfFrozen(tx)}`);

/** The blocks of a period with their counts, in order: only full ones, or all. */
export async function loadBlocks(tx: Transaction, periodId: number, onlyFull: boolean): Promise<StoredBlock[]> {
  type Row = {
    block: number;
    lower: string | null;
    upper: string | null;
    bounds: string[];
    isFull: boolean;
    counts: Record<string, number[]> | null;
  };
  const rows = await tx<Row[]>`
    select b.block, b.lower::text as lower, b.upper::text as upper, b.bounds::text[] as bounds, b.is_full,
      (select json_object_agg(c.lane, c.counts) from leaderboard_counts c where c.period_id = b.period_id and c.block = b.block) as counts
    from leaderboard_blocks b where b.period_id = ${periodId} and (b.is_full or not ${onlyFull}::bool)
    order by b.lower nulls first`;
  return rows.map(({ lower, upper, bounds, counts, ...row }) => ({
    ...row,
    lower: lower === null ? null : numberOf(lower),
    upper: upper === null ? null : numberOf(upper),
    bounds: bounds.map(numberOf),
    counts: Array.from({ length: BOARD_LANES }, (_, lane) => counts?.[lane] ?? Array<number>(bounds.length + 1).fill(0)),
  }));
}

/** The number of blocks of a period, and of scores. */
export const sizeOf = (tx: Transaction, periodId: number) =>
  onlyRow(tx<{ blocks: number; scores: number }[]>`
    select (select count(*) from leaderboard_blocks where period_id = ${periodId}) as blocks,
      (select coalesce(sum(total), 0) from leaderboard_counts where period_id = ${periodId}) as scores`);

const ends = ({ lower, upper }: ScoreRange) => ({
  lower: lower === null ? "-infinity" : String(lower),
  upper: upper === null ? "infinity" : String(upper),
});

/** Every n-th score of a range, in order. */
export function sampleRange(tx: Transaction, periodId: number, range: ScoreRange): Promise<Numeric[]> {
  const { lower, upper } = ends(range);
  return allValues(tx<{ score: Numeric }[]>`
    select score::text::json as score from (
      select sort_score as score, row_number() over (order by sort_score) as place
      from leaderboard_scores
      where period_id = ${periodId} and sort_score >= ${lower}::text::numeric and sort_score < ${upper}::text::numeric
    ) s where place % ${RANGE_SIZE} = 0 order by place`);
}

/** The number of scores between the cuts of a range, by lane. */
export async function countPieces(tx: Transaction, periodId: number, range: ScoreRange, cuts: readonly Numeric[]): Promise<number[][]> {
  const { lower, upper } = ends(range);
  const rows = await tx<{ lane: number; place: number; count: number }[]>`
    select ${tx.unsafe(BOARD_LANE)} as lane, width_bucket(sort_score, (select ${`{${cuts.join(",")}}`}::text::numeric[])) as place, count(*) as count
    from leaderboard_scores
    where period_id = ${periodId} and sort_score >= ${lower}::text::numeric and sort_score < ${upper}::text::numeric
    group by 1, 2`;
  const counts = Array.from({ length: BOARD_LANES }, () => Array<number>(cuts.length + 1).fill(0));
  for (const { lane, place, count } of rows) counts[lane]![place] = count;
  return counts;
}

/** Replaces blocks by others that cover the same scores. */
export async function replaceBlocks(tx: Transaction, periodId: number, before: readonly number[], after: readonly Block[]): Promise<void> {
  const gone = `{${before.join(",")}}`;
  const rows = after.map(({ lower, upper, bounds }, index) => ({
    place: index,
    lower: lower === null ? null : String(lower),
    upper: upper === null ? null : String(upper),
    bounds: `{${bounds.join(",")}}`,
  }));
  const counts = after.flatMap((block, index) =>
    block.counts.map((lane, number) => ({
      place: index,
      lane: number,
      total: lane.reduce((sum, count) => sum + count, 0),
      counts: `{${lane.join(",")}}`,
    })),
  );
  await Promise.all([
    tx`delete from leaderboard_counts where period_id = ${periodId} and block = any(${gone}::text::int[])`.execute(),
    tx`delete from leaderboard_blocks where period_id = ${periodId} and block = any(${gone}::text::int[])`.execute(),
    tx`
    with base as (select coalesce(max(block), -1) + 1 as first from leaderboard_blocks where period_id = ${periodId}),
    added as (
      insert into leaderboard_blocks (period_id, block, lower, upper, bounds)
      select ${periodId}::int, base.first + place, lower::numeric, upper::numeric, bounds::numeric[]
      from base, json_to_recordset(${writeJson(rows)}::text::json) as r("place" int, "lower" text, "upper" text, "bounds" text)
    )
    insert into leaderboard_counts (period_id, block, lane, total, counts)
    select ${periodId}::int, base.first + place, lane, total, counts::int[]
    from base, json_to_recordset(${writeJson(counts)}::text::json) as r("place" int, "lane" smallint, "total" int, "counts" text)`.execute(),
  ]);
}
