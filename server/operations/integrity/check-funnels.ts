import type { Transaction } from "#db/client.ts";

/**
 * A cohort of a mission never has more occurrences at a step than at the one before, and its completions equal the tables', by the day of
 * entry in the zone that the project had then. Rows of erased players stay anonymously, and count too.
 */
export async function wrongFunnels(tx: Transaction, environmentId: number, timeZone: string): Promise<string[]> {
  const rows = await tx<{ missionId: number; day: string; stages: number[]; completed: number }[]>`
    with kept as (
      select subject as mission_id, day, measure, sum(count)::bigint as count from (
        select subject, day, measure, count from analytics_daily
        where environment_id = ${environmentId}::int and epoch = 0 and measure in ('funnel.entered', 'funnel.accepted', 'funnel.progressed', 'funnel.completed')
        union all
        select subject, day, measure, count from analytics_deltas
        where environment_id = ${environmentId}::int and epoch = 0 and measure in ('funnel.entered', 'funnel.accepted', 'funnel.progressed', 'funnel.completed')
      ) s group by 1, 2, 3
    ), funnels as (
      select mission_id, day,
        coalesce(sum(count) filter (where measure = 'funnel.entered'), 0)::bigint as entered,
        coalesce(sum(count) filter (where measure = 'funnel.accepted'), 0)::bigint as accepted,
        coalesce(sum(count) filter (where measure = 'funnel.progressed'), 0)::bigint as progressed,
        coalesce(sum(count) filter (where measure = 'funnel.completed'), 0)::bigint as completed
      from kept group by 1, 2
    ), told as (
      select c.mission_id, analytics_day(c.started_at, coalesce((
          select z.zone from leaderboard_zones z where z.environment_id = c.environment_id and z.at > c.started_at order by z.seq limit 1
        ), ${timeZone}::text)) as day, count(*) as completed
      from mission_completions c join environments e on e.id = c.environment_id
      where c.environment_id = ${environmentId}::int and (e.funnels_since is null or c.started_at >= e.funnels_since)
      group by 1, 2
    )
    select coalesce(f.mission_id, t.mission_id) as mission_id, coalesce(f.day, t.day)::text as day,
      to_json(array[coalesce(f.entered, 0), coalesce(f.accepted, 0), coalesce(f.progressed, 0), coalesce(f.completed, 0)]) as stages,
      coalesce(t.completed, 0) as completed
    from funnels f full join told t on t.mission_id = f.mission_id and t.day = f.day
    where coalesce(f.completed, 0) <> coalesce(t.completed, 0)
      or not (f.entered >= f.accepted and f.accepted >= f.progressed and f.progressed >= f.completed and f.completed >= 0)
    order by 1, 2`;
  return rows.map(
    ({ missionId, day, stages, completed }) =>
      `analytics, funnel of mission ${missionId} entered on ${day}: ${stages.join(", ")} kept (entered, accepted, progressed, completed), but the tables have ${completed} completed`,
  );
}
