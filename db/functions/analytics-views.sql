-- Views of analytics for SQL tools (server/insight/analytics/README.md). Days are those of the project's zone, `is_live` distinguishes the
-- two environments of a project. `subject` is the definition's key; null if it has none, or was deleted.
create or replace view analytics_sums as
  select j.slug as project, e.kind = 'live' as is_live, s.day, s.measure, d.kind as subject_kind, d.key as subject, nullif(s.detail, '') as detail,
    sum(s.count)::bigint as count, sum(s.amount) as amount
  from (
    select environment_id, epoch, measure, day, subject, detail, count, amount from analytics_daily
    union all
    select environment_id, epoch, measure, day, subject, detail, count, amount from analytics_deltas
  ) s
  join environments e on e.id = s.environment_id and s.epoch in (0, e.analytics_epoch)
  join projects j on j.id = e.project_id
  left join definitions d on d.id = s.subject and d.environment_id = s.environment_id
  where s.measure not like 'hour.%'
  group by 1, 2, 3, 4, 5, 6, 7
  -- A late event moves its player to an earlier cohort; the later one may be left with none.
  having sum(s.count) <> 0 or sum(s.amount) <> 0;

create or replace view analytics_activity as
  select project, is_live, day, coalesce(sum(count) filter (where measure = 'active.day'), 0)::bigint as active_players,
    coalesce(sum(count) filter (where measure = 'new'), 0)::bigint as new_players,
    coalesce(sum(count) filter (where measure in ('event', 'metric')), 0)::bigint as events
  from analytics_sums where measure in ('active.day', 'new', 'event', 'metric') group by 1, 2, 3;

create or replace view analytics_retention as
  select project, is_live, detail::date as first_week, day as week, count as active_players from analytics_sums where measure = 'retention';

-- `items` is rounded, `item_quantity` is what the reports show: a quantity such as 2.5 is possible, but a view's column keeps its type.
create or replace view analytics_missions as
  select project, is_live, day, subject as mission, coalesce(sum(count) filter (where measure = 'entered'), 0)::bigint as entered,
    coalesce(sum(count) filter (where measure = 'accepted'), 0)::bigint as accepted,
    coalesce(sum(count) filter (where measure = 'progressed'), 0)::bigint as progressed,
    coalesce(sum(count) filter (where measure = 'completed'), 0)::bigint as completed,
    coalesce(sum(amount) filter (where measure = 'points.granted'), 0) as points, coalesce(sum(amount) filter (where measure = 'items'), 0)::bigint as items,
    coalesce(sum(amount) filter (where measure = 'items'), 0) as item_quantity
  from analytics_sums
  where measure in ('entered', 'accepted', 'progressed', 'completed', 'items') or (measure = 'points.granted' and detail = 'Mission')
  group by 1, 2, 3, 4;

create or replace view analytics_points as
  select project, is_live, day, substr(measure, 8) as movement, detail as source_type, subject as source, count as transactions, amount as points
  from analytics_sums where measure like 'points.%';

-- Units and revenue are gross; less `reversed_units` and `reversed_points` they are those of the reports.
create or replace view analytics_shop as
  select project, is_live, day, subject as listing, coalesce(sum(count) filter (where measure = 'purchased'), 0)::bigint as units,
    coalesce(sum(amount) filter (where measure = 'purchased'), 0) as revenue,
    coalesce(sum(count) filter (where measure = 'reversed'), 0)::bigint as reversed_units,
    coalesce(sum(count) filter (where measure = 'refused'), 0)::bigint as refused,
    coalesce(sum(amount) filter (where measure = 'reversed'), 0) as reversed_points
  from analytics_sums where measure in ('purchased', 'reversed', 'refused') group by 1, 2, 3, 4;
