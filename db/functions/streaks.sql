-- For each key the streak's last run, and the period that begins at `start`; `at` is the key's number from 1. A key with neither is left
-- out.
create or replace function streaks_before(in_parts smallint[], in_players uuid[], in_streaks integer[], in_starts date[])
returns table (at bigint, origin date, first date, last date, length integer, freezes integer, paid integer[], state text) stable language sql as $$
  select k.at, r.origin, r.first, r.last, r.length, r.freezes, r.paid, p.state
  from unnest(in_parts, in_players, in_streaks, in_starts) with ordinality as k(part, player_id, streak_id, start, at)
  left join lateral (
    select * from streak_runs s where s.part = k.part and s.player_id = k.player_id and s.streak_id = k.streak_id order by s.origin desc limit 1) r on true
  left join streak_periods p on p.part = k.part and p.player_id = k.player_id and p.streak_id = k.streak_id and p.start = k.start
  where r.origin is not null or p.start is not null
$$;

-- A player's streaks, each in the period that begins at its `start`: the last run that has begun by then, the first one after it (facts may
-- lie in the future), the longest length, and the state of the period. Planned once: planning took three quarters of a read.
create or replace function player_streaks(in_part smallint, in_player uuid, in_streaks integer[], in_starts date[])
returns table (streak_id integer, begun text, later text, longest integer, state text) language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
  return query
    select k.streak_id,
      (select concat_ws(' ', s.origin, s.first, s.last, s.length, s.freezes, s.paid) from streak_runs s
        where s.part = in_part and s.player_id = in_player and s.streak_id = k.streak_id and s.first <= k.start order by s.origin desc limit 1),
      (select concat_ws(' ', s.origin, s.first, s.last, s.length, s.freezes, s.paid) from streak_runs s
        where s.part = in_part and s.player_id = in_player and s.streak_id = k.streak_id and s.first > k.start order by s.origin limit 1),
      (select max(s.length) from streak_runs s where s.part = in_part and s.player_id = in_player and s.streak_id = k.streak_id),
      (select p.state from streak_periods p
        where p.part = in_part and p.player_id = in_player and p.streak_id = k.streak_id and p.start = k.start)
    from unnest(in_streaks, in_starts) as k(streak_id, start);
end $$;

-- The environments in which a waiting period of a streak has begun, on their clocks.
create or replace function environments_with_begun_periods() returns setof integer stable language sql as $$
  select e.id from environments e where exists (
    select from streak_beginnings b where b.environment_id = e.id and b.due_at <= now() + e.clock_offset_ms * interval '1 millisecond')
$$;

-- Takes periods of streaks that have begun; `at` is now on the environment's clock. Skips rows locked by another transaction.
create or replace function take_begun_periods(in_environment_id integer, in_limit integer)
returns table (part smallint, player_id uuid, streak_id integer, start date, at timestamptz) language plpgsql as $$
#variable_conflict use_column
begin
  return query
    with due as materialized (
      select b.part, b.player_id, b.streak_id, b.start, b.due_at, now() + e.clock_offset_ms * interval '1 millisecond' as at
      from environments e join streak_beginnings b on b.environment_id = e.id
      where e.id = in_environment_id and b.due_at <= now() + e.clock_offset_ms * interval '1 millisecond'
      order by b.due_at, b.part, b.player_id, b.streak_id limit in_limit
      for update of b skip locked
    ), begun as (
      delete from streak_beginnings b using due d
      where b.part = d.part and b.player_id = d.player_id and b.streak_id = d.streak_id and b.start = d.start
    )
    select d.part, d.player_id, d.streak_id, d.start, d.at from due d order by d.due_at, d.part, d.player_id, d.streak_id;
end $$;

-- The beginning of a streak's period depends on the player's zone. A change of the zone makes waiting periods due immediately, to be
-- recomputed; one that has not begun yet is due again when it begins (server/model/streaks/advance.ts).
create or replace function streak_beginnings_of_player() returns trigger language plpgsql as $$
begin
  update streak_beginnings set due_at = to_timestamp(0) where part = new.part and player_id = new.player_id;
  return null;
end $$;

create or replace trigger players_time_zone after update of time_zone on players for each row
  when (old.time_zone is distinct from new.time_zone) execute function streak_beginnings_of_player();

create or replace function streak_beginnings_of_project() returns trigger language plpgsql as $$
begin
  update streak_beginnings b set due_at = to_timestamp(0) from environments e where e.project_id = new.id and b.environment_id = e.id;
  return null;
end $$;

create or replace trigger projects_time_zone after update of time_zone on projects for each row
  when (old.time_zone is distinct from new.time_zone) execute function streak_beginnings_of_project();
