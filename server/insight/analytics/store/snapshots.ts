import { allValues, execute, type Sql, type Transaction } from "#db/client.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import type { Bucket } from "#server/model/kernel/durations.ts";

/** Distributions taken once a day. */
export type SnapshotKind = "Balances" | "LiveRuns" | "Survival";

/** The newest distribution of a kind, for a definition (0: for none); null before the first. */
export async function selectSnapshot(sql: Sql, environmentId: number, kind: SnapshotKind, subject: number) {
  const [row] = await sql<{ takenAt: number; buckets: Bucket[] }[]>`
    select taken_at, buckets from analytics_snapshots
    where environment_id = ${environmentId} and kind = ${kind} and subject = ${subject} order by day desc limit 1`;
  return row === undefined ? null : { takenAt: formatInstant(row.takenAt), buckets: row.buckets };
}

/**
 * Environments that have something to distribute but no distributions for today, on their clocks. An environment without players has none.
 * The check for players comes last: on a cluster it queries every machine.
 */
export const environmentsToSnapshot = (sql: Sql): Promise<number[]> =>
  allValues(
    sql.unsafe<{ id: number }[]>(`
     with due as materialized (
       select e.id from environments e join projects j on j.id = e.project_id
       where not exists (select from analytics_snapshots s where s.environment_id = e.id and s.kind = 'Balances' and s.subject = 0
         and s.day >= analytics_day(clock_timestamp() + e.clock_offset_ms * interval '1 ms', j.time_zone))
     )
     select d.id from due d where has_players_behind(d.id, null)`),
  );

/** A count of players or runs by a number: the lower bound of a power-of-two range, or an exact length. */
export interface Counted {
  subject: number;
  value: number;
  count: number;
}

/** The range of balances from one power of two to the next. */
export const balanceBucket = ({ value, count }: Pick<Counted, "value" | "count">): Bucket => ({
  from: 2 ** (value - 1),
  to: 2 ** value,
  count,
});

/** Players of an environment by balance, in powers of two, without zero balances. */
export const countBalances = (sql: Sql, environmentId: number): Promise<Counted[]> =>
  sql<Counted[]>`
    select 0 as subject, width_bucket(b.balance, array(select 1::bigint << n from generate_series(0, 53) n)) as value, count(*) as count
    from players p join balances b on b.part = p.part and b.player_id = p.player_id
    where p.environment_id = ${environmentId} and b.balance > 0 group by 2 order by 2`.execute();

/** Members of a segment by balance, likewise. */
export const countMembersBalances = (
  sql: Sql,
  { id, generation }: { id: number; generation: number },
): Promise<Omit<Counted, "subject">[]> =>
  sql<Omit<Counted, "subject">[]>`
    select width_bucket(b.balance, array(select 1::bigint << n from generate_series(0, 53) n)) as value, count(*) as count
    from segment_members m join balances b on b.part = m.part and b.player_id = m.player_id
    where m.segment_id = ${id} and m.generation = ${generation} and b.balance > 0 group by 1 order by 1`.execute();

/** Runs of a streak by length; `live` counts those that had not ended by the period of `current`. */
export interface CountedRuns extends Counted {
  live: number;
}

/**
 * Runs of an environment's players by streak and length. A live run ends with the first missed period that its freezes do not cover;
 * `current` is the local start of the current period, for a streak with periods of a `duration` (ISO 8601), in the project's zone.
 */
export function countRuns(
  sql: Sql,
  environmentId: number,
  streaks: readonly { id: number; duration: string; current: string }[],
): Promise<CountedRuns[]> {
  if (streaks.length === 0) return Promise.resolve([]);
  return sql<CountedRuns[]>`
    select r.streak_id as subject, r.length as value, count(*) as count,
      count(*) filter (where r.last + (r.freezes + 1) * k.duration::interval >= k.current) as live
    from players p
    join streak_runs r on r.part = p.part and r.player_id = p.player_id
    join json_to_recordset(${writeJson(streaks)}::text::json) as k("id" int, "duration" text, "current" date) on k.id = r.streak_id
    where p.environment_id = ${environmentId} group by 1, 2 order by 1, 2`.execute();
}

/** Stores one day's distributions, replacing any of that day. An empty one of a streak is stored only if the streak has an earlier one. */
export const saveSnapshots = (
  tx: Transaction,
  environmentId: number,
  day: string,
  takenAt: number,
  rows: readonly { kind: SnapshotKind; subject: number; buckets: readonly Bucket[] }[],
) =>
  execute(tx`
    insert into analytics_snapshots (environment_id, kind, subject, day, taken_at, buckets)
    select ${environmentId}::int, r.kind, r.subject, ${day}::text::date, ${takenAt}::timestamptz, r.buckets
    from json_to_recordset(${writeJson(rows)}::text::json) as r("kind" text, "subject" int, "buckets" jsonb)
    where r.subject = 0 or r.buckets <> '[]' or exists (
      select from analytics_snapshots s where s.environment_id = ${environmentId}::int and s.kind = r.kind and s.subject = r.subject)
    on conflict (environment_id, kind, subject, day) do update set taken_at = excluded.taken_at, buckets = excluded.buckets`);

/** A settled period without counted movement, and the one before it. */
export interface PeriodToCompare {
  periodId: number;
  previousId: number;
  isLeague: boolean;
}

/**
 * Of the recent periods that a report shows, those that are settled and not yet compared with the one before. Only the recent periods of
 * each board are read: periods are never deleted, and this is asked with every poll.
 */
export const periodsToCompare = (sql: Sql, shown: number, limit: number): Promise<PeriodToCompare[]> =>
  sql<PeriodToCompare[]>`
    select p.id as period_id, p.previous_id, cardinality(p.seats) > 0 as is_league
    from definitions d cross join lateral (
      select l.*, lag(l.id) over earlier as previous_id, lag(l.step) over earlier as previous_step from (
        select * from leaderboard_periods where leaderboard_id = d.id order by start desc limit ${shown}::int + 1
      ) l window earlier as (order by l.start)
    ) p
    where d.kind = 'leaderboards' and p.step = 'Settled' and p.previous_step = 'Settled'
      and not exists (
        select from analytics_snapshots s where s.environment_id = p.environment_id and s.kind = 'Movement' and s.subject = p.id
      )
    order by p.id limit ${limit}::int`.execute();

/**
 * Compares the competition ranks of a settled period with those of the one before, and stores the counts: settled standings no longer
 * change. League ranks are within a group, so outcomes are counted instead. Rows are grouped, not joined: the planner takes periods that are
 * newer than its statistics for empty, and compared each player with each (42 s for 20,000).
 */
export const compareWithPrevious = (sql: Sql, { periodId, previousId, isLeague }: PeriodToCompare) =>
  execute(sql`
    with ranked as materialized (
      select s.part, s.player_id, s.period_id, rank() over (partition by s.period_id order by s.sort_score) as rank
      from leaderboard_scores s where s.period_id in (${periodId}, ${previousId})
    ), seated as materialized (
      select part, player_id, outcome from leaderboard_seats where ${isLeague}::boolean and period_id = ${periodId}
    ), ranks as (
      select min(rank) filter (where period_id = ${periodId}) as rank, min(rank) filter (where period_id = ${previousId}) as rank_before,
        min(outcome) as outcome
      from (select *, null as outcome from ranked union all select part, player_id, null, null, outcome from seated) r
      group by part, player_id having count(rank) > 0
    ), moved as (
      select
        count(*) filter (where case when ${isLeague}::boolean then outcome = 'Promoted' else rank < rank_before end) as rose,
        count(*) filter (where case when ${isLeague}::boolean then outcome = 'Relegated' else rank > rank_before end) as fell,
        count(*) filter (where case when ${isLeague}::boolean then outcome = 'Stayed' else rank = rank_before end) as stayed,
        count(*) filter (where rank_before is null) as entered, count(*) filter (where rank is null) as left
      from ranks
    )
    insert into analytics_snapshots (environment_id, kind, subject, day, taken_at, buckets)
    select p.environment_id, 'Movement', p.id, p.settled_at::date, now(), to_jsonb(m)
    from leaderboard_periods p cross join moved m where p.id = ${periodId}
    on conflict do nothing`);
