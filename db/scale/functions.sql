-- The functions that are others in a distributed database (docs/scaling.md). They replace those of `db/functions.sql` of the same name after
-- every migration. They run on the coordinator, which has the locks; what they read and write is on the machine of the player's part.

-- Rows can only be locked on one machine at a time: part after part.
create or replace function lock_players(in_parts smallint[], in_players uuid[])
returns table (part smallint, player_id uuid, external_id text, time_zone text, hidden_at timestamptz, analytics_epoch integer, last_active_on date)
language plpgsql as $$
#variable_conflict use_column
declare
  own record;
begin
  for own in
    select k.part, array_agg(k.player_id) as players from unnest(in_parts, in_players) as k(part, player_id) group by k.part order by k.part
  loop
    return query
      select p.part, p.player_id, p.external_id::text, p.time_zone, p.hidden_at::timestamptz, p.analytics_epoch, p.last_active_on
      from players p where p.part = own.part and p.player_id = any(own.players)
      order by p.player_id
      for no key update;
  end loop;
end $$;

-- The days that the statement has added itself are left out: the other machines have them already.
create or replace function days_before(in_parts smallint[], in_players uuid[], in_days date[], in_hours smallint[])
returns table (part smallint, player_id uuid, day date, hour smallint, first_before date, was_active_in_week boolean, was_active_in_month boolean)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
    with added as materialized (
      select unnest(in_parts) as part, unnest(in_players) as player_id, unnest(in_days) as day, unnest(in_hours) as hour
    ), known as materialized (
      select d.part, d.player_id, d.day from (select distinct a.part, a.player_id from added a) a
      join player_days d on d.part = a.part and d.player_id = a.player_id
    ), before as materialized (
      select k.* from known k where not exists (select from added a where a.player_id = k.player_id and a.day = k.day)
    )
    select a.part, a.player_id, a.day, a.hour, min(b.day),
      coalesce(bool_or(date_trunc('week', b.day::timestamp) = date_trunc('week', a.day::timestamp)), false),
      coalesce(bool_or(date_trunc('month', b.day::timestamp) = date_trunc('month', a.day::timestamp)), false)
    from added a left join before b on b.player_id = a.player_id
    group by a.part, a.player_id, a.day, a.hour;
end $$;

create or replace function streaks_before(in_parts smallint[], in_players uuid[], in_streaks integer[], in_starts date[])
returns table (at bigint, origin date, first date, last date, length integer, freezes integer, paid integer[], state text) language plpgsql as $$
#variable_conflict use_column
begin
  return query
    with asked as materialized (
      select unnest(in_parts) as part, unnest(in_players) as player_id, unnest(in_streaks) as streak_id, unnest(in_starts) as start,
        generate_series(1, cardinality(in_parts))::bigint as at
    ), runs as materialized (
      select distinct on (k.at) k.at, s.origin, s.first, s.last, s.length, s.freezes, s.paid
      from asked k join streak_runs s on s.part = k.part and s.player_id = k.player_id and s.streak_id = k.streak_id
      order by k.at, s.origin desc
    ), periods as materialized (
      select k.at, p.state from asked k join streak_periods p on p.part = k.part and p.player_id = k.player_id and p.streak_id = k.streak_id and p.start = k.start
    )
    select coalesce(r.at, p.at), r.origin, r.first, r.last, r.length, r.freezes, r.paid, p.state from runs r full join periods p on p.at = r.at;
end $$;

create or replace function environments_with_begun_periods() returns setof integer language sql as $$
  select b.environment_id from streak_beginnings b join environments e on e.id = b.environment_id
  where b.due_at <= now() + e.clock_offset_ms * interval '1 millisecond' group by 1
$$;

-- Rows of several machines cannot be passed over while another transaction has them: whoever deletes a row has taken it.
create or replace function take_begun_periods(in_environment_id integer, in_limit integer)
returns table (part smallint, player_id uuid, streak_id integer, start date, at timestamptz) language plpgsql as $$
#variable_conflict use_column
declare
  moment timestamptz;
begin
  select now() + e.clock_offset_ms * interval '1 millisecond' into moment from environments e where e.id = in_environment_id;
  return query
    with due as materialized (
      select b.part, b.player_id, b.streak_id, b.start from streak_beginnings b
      where b.environment_id = in_environment_id and b.due_at <= moment
      order by b.due_at, b.part, b.player_id, b.streak_id limit in_limit
    ), begun as (
      delete from streak_beginnings b using due d
      where b.part = d.part and b.player_id = d.player_id and b.streak_id = d.streak_id and b.start = d.start
      returning b.part, b.player_id, b.streak_id, b.start
    )
    select b.part, b.player_id, b.streak_id, b.start, moment from begun b;
end $$;

create or replace function periods_with_unseated() returns setof integer language sql as $$
  select s.period_id from leaderboard_seats s where s.group_number is null group by 1
$$;

-- What a machine is asked goes by the values, so a plan for any values is none.
alter function leaderboard_standings(integer, smallint, uuid, integer, integer) set plan_cache_mode = force_custom_plan;
alter function leaderboard_rank(integer, numeric) set plan_cache_mode = force_custom_plan;
