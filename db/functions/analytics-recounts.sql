-- The positions of some players' facts that are queued or in quarantine. Over several machines, whose snapshots differ, its callers read
-- the log first: hence the materialized rows of the log.
create or replace function unapplied_of(in_environment_id integer, in_parts smallint[], in_players uuid[]) returns setof bigint stable language sql as $$
  select q.seq from unnest(in_parts, in_players) as k(part, player_id) join queued_facts q on q.part = k.part and q.player_id = k.player_id
  union all
  select q.seq from quarantined_facts q join unnest(in_parts, in_players) as k(part, player_id) on k.part = q.part and k.player_id = q.player_id
  where q.environment_id = in_environment_id
$$;

-- All sums that the tables give for some players. Unapplied events, queued or failed, are left out. Days of activity come from
-- `player_days`, which `analytics_days` makes from the log.
create or replace function analytics_recount(in_environment_id integer, in_parts smallint[], in_players uuid[], in_zone text)
returns table (measure text, subject integer, detail text, day date, count bigint, amount numeric)
stable language plpgsql set enable_seqscan = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    with page as materialized (
      select * from unnest(in_parts, in_players) as k(part, player_id)
    ), logged as /* spread: materialized */ (
      select e.seq, e.definition_id, e.occurred_at, null::numeric as amount from page k join events e on e.part = k.part and e.player_id = k.player_id
      union all
      select m.seq, m.definition_id, m.occurred_at, m.normalized_value
      from page k join metric_events m on m.part = k.part and m.player_id = k.player_id
    ), unapplied as materialized (
      select u.seq from unapplied_of(in_environment_id, in_parts, in_players) u(seq)
    ), facts as materialized (
      select l.definition_id, analytics_day(l.occurred_at, in_zone) as day, analytics_hour(l.occurred_at, in_zone) as hour, l.amount
      from logged l where l.seq not in (select u.seq from unapplied u)
    ), days as materialized (
      select d.part, d.player_id, d.day, d.hour, date_trunc('week', d.day::timestamp)::date as week, date_trunc('month', d.day::timestamp)::date as month,
        min(d.day) over (partition by d.part, d.player_id) as first
      from page k join player_days d on d.part = k.part and d.player_id = k.player_id
    ), weeks as (
      select distinct d.part, d.player_id, d.week, date_trunc('week', d.first::timestamp)::date as cohort from days d
    )
    select case when f.amount is null then 'event' else 'metric' end, f.definition_id, ''::text, f.day, count(*), coalesce(sum(f.amount), 0)
    from facts f group by f.amount is null, 1, 2, 4
    union all
    select 'hour.events', 0, f.hour, f.day, count(*), 0 from facts f group by f.hour, f.day
    union all
    select 'active.day', 0, '', d.day, count(*), 0 from days d group by d.day
    union all
    select 'hour.active', 0, lpad(d.hour::text, 2, '0'), d.day, count(*), 0 from days d group by d.hour, d.day
    union all
    select 'active.week', 0, '', w.week, count(*), 0 from weeks w group by w.week
    union all
    select 'active.month', 0, '', m.month, count(*), 0 from (select distinct d.part, d.player_id, d.month from days d) m group by m.month
    union all
    select 'new', 0, '', d.first, count(*), 0 from days d where d.day = d.first group by d.first
    union all
    select 'retention', 0, w.cohort::text, w.week, count(*), 0 from weeks w group by w.cohort, w.week
    union all
    select m.measure, m.subject, m.detail, t.day, count(*), sum(m.amount)
    from (
      select w.*, analytics_day(w.occurred_at, in_zone) as day
      from page k join points_transactions w on w.part = k.part and w.player_id = k.player_id
    ) t cross join lateral analytics_of_transaction(t.type, t.amount, t.source_type, t.source_definition_id, analytics_hour(t.occurred_at, in_zone)) m
    group by 1, 2, 3, 4
    union all
    select m.measure, m.subject, m.detail, analytics_day(c.completed_at, in_zone), sum(m.count)::bigint, sum(m.amount)
    from page k join mission_completions c on c.part = k.part and c.player_id = k.player_id
    cross join lateral analytics_of_completed(c.mission_id, c.accepted_at, c.completed_at, c.rewards, analytics_hour(c.completed_at, in_zone)) m
    group by 1, 2, 3, 4
    union all
    select m.measure, m.subject, m.detail, m.day, count(*), sum(p.price)
    from page k join marketplace_purchases p on p.part = k.part and p.player_id = k.player_id
    cross join lateral (values
      ('purchased', p.listing_id, p.round::text, analytics_day(p.purchased_at, in_zone)),
      ('hour.purchased', 0, analytics_hour(p.purchased_at, in_zone), analytics_day(p.purchased_at, in_zone)),
      ('reversed', p.listing_id, p.round::text, analytics_day(p.reversed_at, in_zone))) as m(measure, subject, detail, day)
    where m.day is not null
    group by 1, 2, 3, 4
    union all
    select 'streak.started', r.streak_id, '', r.first, count(*), 0
    from page k join streak_runs r on r.part = k.part and r.player_id = k.player_id
    group by r.streak_id, r.first;
end $$;

-- The sums of some measures for a segment's members, as of one count, for the days from one up to another. Measures without a table
-- (offers, accepts, progress, refusals) are not included. Instants are first narrowed with a day to spare, which covers every zone, and
-- then by their day: an hour that occurs twice belongs to one day, whatever its offset. It does in sets what `analytics_of_transaction` and
-- `analytics_of_completed` do for one row: calling them took longer than finding the rows. A property test
-- (server/insight/analytics/recount.test.ts) compares the two.
create or replace function analytics_of_members(
  in_segment_id integer, in_generation integer, in_measures text[], in_from date, in_to date, in_zone text
)
returns table (measure text, subject integer, detail text, day date, count bigint, amount numeric)
stable language plpgsql set plan_cache_mode = force_custom_plan set jit = off as $$
#variable_conflict use_column
declare
  earliest timestamptz := in_from::timestamp at time zone 'UTC' - interval '1 day';
  latest timestamptz := in_to::timestamp at time zone 'UTC' + interval '1 day';
begin
  if in_measures && array['active.day', 'active.week', 'active.month'] then
    return query
      with days as materialized (
        select d.part, d.player_id, d.day
        from segment_members k join player_days d on d.part = k.part and d.player_id = k.player_id
        where k.segment_id = in_segment_id and k.generation = in_generation and d.day >= in_from and d.day < in_to
      )
      select 'active.day', 0, '', d.day, count(*), 0::numeric from days d where 'active.day' = any(in_measures) group by d.day
      union all
      select 'active.week', 0, '', w.week, count(*), 0
      from (select distinct d.part, d.player_id, date_trunc('week', d.day::timestamp)::date as week from days d) w
      where 'active.week' = any(in_measures) group by w.week
      union all
      select 'active.month', 0, '', m.month, count(*), 0
      from (select distinct d.part, d.player_id, date_trunc('month', d.day::timestamp)::date as month from days d) m
      where 'active.month' = any(in_measures) group by m.month;
  end if;
  if in_measures && array['new', 'retention'] then
    return query
      with firsts as materialized (
        select k.part, k.player_id, f.day, date_trunc('week', f.day::timestamp)::date as week
        from segment_members k
        cross join lateral (select min(d.day) as day from player_days d where d.part = k.part and d.player_id = k.player_id) f
        where k.segment_id = in_segment_id and k.generation = in_generation and f.day < in_to
      )
      select 'new', 0, '', f.day, count(*), 0::numeric from firsts f where 'new' = any(in_measures) and f.day >= in_from group by f.day
      union all
      select 'retention', 0, w.cohort::text, w.week, count(*), 0
      from (
        select distinct d.part, d.player_id, date_trunc('week', d.day::timestamp)::date as week, f.week as cohort
        from firsts f join player_days d on d.part = f.part and d.player_id = f.player_id
        where 'retention' = any(in_measures) and d.day >= in_from and d.day < in_to
      ) w group by w.cohort, w.week;
  end if;
  if in_measures && array['completed', 'duration', 'items'] then
    return query
      with told as materialized (
        select w.mission_id, d.day, analytics_duration(w.completed_at - w.accepted_at) as duration, w.rewards::text as rewards, count(*) as count
        from segment_members k join mission_completions w on w.part = k.part and w.player_id = k.player_id
        cross join lateral (select analytics_day(w.completed_at, in_zone) as day) d
        where k.segment_id = in_segment_id and k.generation = in_generation and w.completed_at >= earliest and w.completed_at < latest
          and d.day >= in_from and d.day < in_to
        group by 1, 2, 3, 4
      )
      select 'completed', t.mission_id, '', t.day, sum(t.count)::bigint, 0::numeric from told t
      where 'completed' = any(in_measures) group by t.mission_id, t.day
      union all
      select 'duration', t.mission_id, t.duration, t.day, sum(t.count)::bigint, 0 from told t
      where 'duration' = any(in_measures) group by t.mission_id, t.duration, t.day
      union all
      select 'items', t.mission_id, '', t.day, sum(t.count * i.count)::bigint, sum(t.count * i.amount)
      from told t cross join lateral analytics_items(t.rewards::json) i
      where 'items' = any(in_measures) group by t.mission_id, t.day;
  end if;
  if in_measures && array['points.granted', 'points.spent', 'points.refunded', 'points.credited', 'points.debited'] then
    return query
      select m.measure, coalesce(w.source_definition_id, 0), coalesce(w.source_type, ''), m.day, count(*), sum(abs(w.amount))
      from segment_members k join points_transactions w on w.part = k.part and w.player_id = k.player_id
      cross join lateral (select analytics_points(w.type, w.amount) as measure, analytics_day(w.occurred_at, in_zone) as day) m
      where k.segment_id = in_segment_id and k.generation = in_generation and w.occurred_at >= earliest and w.occurred_at < latest
        and m.measure = any(in_measures) and m.day >= in_from and m.day < in_to
      group by 1, 2, 3, 4;
  end if;
  if in_measures && array['purchased', 'reversed'] then
    return query
      select m.measure, p.listing_id, p.round::text, m.day, count(*), sum(p.price)
      from segment_members k join marketplace_purchases p on p.part = k.part and p.player_id = k.player_id
      cross join lateral (values
        ('purchased', analytics_day(p.purchased_at, in_zone)), ('reversed', analytics_day(p.reversed_at, in_zone))) as m(measure, day)
      where k.segment_id = in_segment_id and k.generation = in_generation and m.measure = any(in_measures) and m.day >= in_from and m.day < in_to
      group by 1, 2, 3, 4;
  end if;
end $$;

-- The days on which some players had an applied event, by the log, each with the hour of the first one in the order of facts.
create or replace function analytics_days(in_environment_id integer, in_parts smallint[], in_players uuid[], in_zone text)
returns table (part smallint, player_id uuid, day date, hour smallint)
stable language plpgsql set enable_seqscan = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    with page as materialized (
      select * from unnest(in_parts, in_players) as k(part, player_id)
    ), logged as /* spread: materialized */ (
      select e.part, e.player_id, e.seq, e.occurred_at from page k join events e on e.part = k.part and e.player_id = k.player_id
      union all
      select m.part, m.player_id, m.seq, m.occurred_at from page k join metric_events m on m.part = k.part and m.player_id = k.player_id
    ), unapplied as materialized (
      select u.seq from unapplied_of(in_environment_id, in_parts, in_players) u(seq)
    )
    select distinct on (l.part, l.player_id, analytics_day(l.occurred_at, in_zone))
      l.part, l.player_id, analytics_day(l.occurred_at, in_zone), analytics_hour(l.occurred_at, in_zone)::smallint
    from logged l where l.seq not in (select u.seq from unapplied u)
    order by l.part, l.player_id, analytics_day(l.occurred_at, in_zone), l.seq;
end $$;

-- Days are those of the project's zone: when it changes, all history is recounted.
create or replace function analytics_of_zone() returns trigger language plpgsql as $$
begin
  update environments e set analytics_epoch = e.analytics_epoch + 1 where e.project_id = new.id;
  return null;
end $$;

create or replace trigger analytics_time_zone after update of time_zone on projects for each row
  when (old.time_zone is distinct from new.time_zone) execute function analytics_of_zone();
