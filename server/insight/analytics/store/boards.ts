import type { Sql } from "#db/client.ts";
import { arrayText } from "#server/model/kernel/stored.ts";

export interface BoardPeriod {
  id: number;
  leaderboardId: number;
  number: number;
  start: string;
  startsAt: number | null;
  endsAt: number | null;
  isSettled: boolean;
  participants: number;
  /** Since the period before; null if not counted (`compareWithPrevious`). */
  movement: Movement | null;
}

/** How many ranks of a period changed since the one before. In a league, up means promoted and down relegated. */
export interface Movement {
  rose: number;
  fell: number;
  stayed: number;
  /** With a score in only this period, and in only the one before. */
  entered: number;
  left: number;
}

/** The number of recent periods shown per board. */
export const SHOWN_PERIODS = 12;

/** The recent periods of some boards that have begun by `now`, the newest first, by board. An event ahead of the clock opens a later one. */
export async function selectBoardPeriods(
  sql: Sql,
  boards: readonly number[],
  now: number,
  shown = SHOWN_PERIODS,
): Promise<Map<number, BoardPeriod[]>> {
  const rows = await sql<BoardPeriod[]>`
    select p.id, p.leaderboard_id, p.number, p.start, p.starts_at, p.ends_at, p.step = 'Settled' as is_settled,
      coalesce(p.participants, (select sum(c.total) from leaderboard_counts c where c.period_id = p.id), 0)::bigint as participants,
      (select s.buckets from analytics_snapshots s
       where s.environment_id = p.environment_id and s.kind = 'Movement' and s.subject = p.id limit 1) as movement
    from unnest(${arrayText(boards)}::text::int[]) as b(id) cross join lateral (
      select * from leaderboard_periods l
      where l.leaderboard_id = b.id and (l.starts_at is null or l.starts_at <= ${now}::timestamptz) order by l.start desc, l.number desc limit ${shown}::int
    ) p order by p.leaderboard_id, p.start desc, p.number desc`;
  return Map.groupBy(rows, ({ leaderboardId }) => leaderboardId);
}

/** A range of sort scores (lower is better); open ends are null. Decimal texts. */
export interface ScoreRange {
  lower: string | null;
  upper: string | null;
  count: number;
}

/** The different scores of a period as they are sorted (lower is better), with the rows that have each. Decimal texts. */
export const selectScores = (sql: Sql, periodId: number): Promise<{ score: string; count: number }[]> =>
  sql<{ score: string; count: number }[]>`
    select trim_scale(sort_score)::text as score, count(*) as count from leaderboard_scores
    where period_id = ${periodId} group by sort_score order by sort_score`.execute();

/** The number of scores in each range that ranks are counted by, in the order of `sort_score`. */
export const selectScoreRanges = (sql: Sql, periodId: number): Promise<ScoreRange[]> =>
  sql<ScoreRange[]>`
    select case when n.nth = 1 then b.lower else b.bounds[n.nth - 1] end::text as lower,
      case when n.nth > cardinality(b.bounds) then b.upper else b.bounds[n.nth] end::text as upper, sum(n.count)::bigint as count
    from leaderboard_blocks b join leaderboard_counts c on c.period_id = b.period_id and c.block = b.block
    cross join lateral unnest(c.counts) with ordinality as n(count, nth)
    where b.period_id = ${periodId}
    group by 1, 2, b.lower, n.nth, b.bounds
    order by b.lower nulls first, n.nth`.execute();
