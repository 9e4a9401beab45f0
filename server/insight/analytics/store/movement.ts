import type { Sql } from "#db/client.ts";

/** A settled period without counted movement, and the one before it. */
export interface PeriodToCompare {
  periodId: number;
  previousId: number;
  isLeague: boolean;
}

/** Of the recent periods that a report shows, those that are settled and not yet compared with the one before. */
export const periodsToCompare = (sql: Sql, shown: number, limit: number): Promise<PeriodToCompare[]> =>
  sql<PeriodToCompare[]>`
    select p.id as "periodId", p.previous_id as "previousId", cardinality(p.seats) > 0 as "isLeague"
    from (
      select id, environment_id, seats, step, row_number() over (partition by leaderboard_id order by number desc) as nth,
        lag(id) over (partition by leaderboard_id order by number) as previous_id,
        lag(step) over (partition by leaderboard_id order by number) as previous_step
      from leaderboard_periods
    ) p
    where p.nth <= ${shown}::int and p.step = 'Settled' and p.previous_step = 'Settled'
      and not exists (
        select from analytics_snapshots s where s.environment_id = p.environment_id and s.kind = 'Movement' and s.subject = p.id
      )
    order by p.id limit ${limit}::int`.execute();

/**
 * Compares the competition ranks of a settled period with those of the one before, and stores the counts: settled standings no longer
 * change. League ranks are within a group, so outcomes are counted instead.
 */
export async function compareWithPrevious(sql: Sql, { periodId, previousId, isLeague }: PeriodToCompare): Promise<void> {
  await sql`
    with ranked as materialized (
      select s.part, s.player_id, s.period_id, rank() over (partition by s.period_id order by s.sort_score) as rank
      from leaderboard_scores s where s.period_id in (${periodId}, ${previousId})
    ), seated as materialized (
      select part, player_id, outcome from leaderboard_seats where ${isLeague}::boolean and period_id = ${periodId}
    ), ranks as (
      select later.rank, before.rank as rank_before, m.outcome
      from (select * from ranked where period_id = ${periodId}) later
      full join (select * from ranked where period_id = ${previousId}) before on before.part = later.part and before.player_id = later.player_id
      left join seated m on m.part = later.part and m.player_id = later.player_id
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
    on conflict do nothing`;
}
