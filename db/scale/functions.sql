-- The functions that differ in a distributed database (docs/scaling.md). After every migration they replace those of the same name in
-- `db/functions.sql`. They run on the coordinator, which has the locks; the player data is on the machine of the player's part.

-- As on one server, but the transaction then commits in two phases. Otherwise one that writes here and on a single other machine would be
-- committed there first, and undone here if the coordinator failed in between: a fact would be applied and still be in the queue. An insert
-- that copies rows between machines, even none, makes Citus commit in two phases.
create or replace function hold_players(in_environment_id integer) returns integer language plpgsql as $$
declare
  patience text := current_setting('lock_timeout');
begin
  if not pg_try_advisory_xact_lock_shared(3, in_environment_id) then
    perform set_config('lock_timeout', '2s', true);
    perform pg_advisory_xact_lock_shared(3, in_environment_id);
    perform set_config('lock_timeout', patience, true);
  end if;
  insert into balances (part, player_id, balance) select 0::smallint, gen_random_uuid(), 0 where false;
  return in_environment_id;
end $$;

create or replace function is_spread() returns boolean immutable parallel safe language sql as $$ select true $$;

-- Rows can only be locked in one shard at a time: at once where all are in one, as those of a slice are, else part after part.
create or replace function lock_players(in_parts smallint[], in_players uuid[])
returns table (part smallint, player_id uuid, external_id text, time_zone text, hidden_at timestamptz, analytics_epoch integer, last_active_on date)
language plpgsql as $$
#variable_conflict use_column
declare
  own record;
begin
  if (select count(distinct get_shard_id_for_distribution_column('players', k.part)) from (select distinct unnest(in_parts) as part) k) <= 1 then
    return query
      select p.part, p.player_id, p.external_id::text, p.time_zone, p.hidden_at::timestamptz, p.analytics_epoch, p.last_active_on
      from players p where p.part = any(in_parts) and p.player_id = any(in_players)
      order by p.part, p.player_id
      for no key update;
    return;
  end if;
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

-- Leaves out the days that the statement itself added: the other machines see them already.
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
      join player_days d on d.part = a.part and d.player_id = a.player_id and (d.part = in_parts[1] or d.part = any(in_parts))
    ), before as materialized (
      select k.* from known k where not exists (select from added a where a.player_id = k.player_id and a.day = k.day)
    )
    select a.part, a.player_id, a.day, a.hour, min(b.day),
      coalesce(bool_or(date_trunc('week', b.day::timestamp) = date_trunc('week', a.day::timestamp)), false),
      coalesce(bool_or(date_trunc('month', b.day::timestamp) = date_trunc('month', a.day::timestamp)), false)
    from added a left join before b on b.player_id = a.player_id
    group by a.part, a.player_id, a.day, a.hour;
end $$;

create or replace function first_days(in_parts smallint[], in_players uuid[])
returns table (part smallint, player_id uuid, day date) language plpgsql as $$
#variable_conflict use_column
begin
  return query
    with asked as materialized (
      select unnest(in_parts) as part, unnest(in_players) as player_id
    )
    select a.part, a.player_id, min(d.day) from asked a join player_days d on d.part = a.part and d.player_id = a.player_id and (d.part = in_parts[1] or d.part = any(in_parts))
    group by a.part, a.player_id;
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
      from asked k join streak_runs s on s.part = k.part and s.player_id = k.player_id and s.streak_id = k.streak_id and (s.part = in_parts[1] or s.part = any(in_parts))
      order by k.at, s.origin desc
    ), periods as materialized (
      select k.at, p.state from asked k join streak_periods p on p.part = k.part and p.player_id = k.player_id and p.streak_id = k.streak_id and p.start = k.start
        and (p.part = in_parts[1] or p.part = any(in_parts))
    )
    select coalesce(r.at, p.at), r.origin, r.first, r.last, r.length, r.freezes, r.paid, p.state from runs r full join periods p on p.at = r.at;
end $$;

create or replace function environments_with_begun_periods() returns setof integer language sql as $$
  select b.environment_id from streak_beginnings b join environments e on e.id = b.environment_id
  where b.due_at <= now() + e.clock_offset_ms * interval '1 millisecond' group by 1
$$;

-- `skip locked` does not work across machines: the transaction that deletes a row has taken it.
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

-- An outer join with local rows would fetch the whole table: existing scores are fetched by an inner join.
create or replace function leaderboard_keep(
  in_signs smallint[], in_parts smallint[], in_players uuid[], in_periods integer[], in_scores numeric[], in_first bigint[], in_reached bigint[], in_leagues integer[]
) returns table (period_id integer, lane smallint, score numeric, change integer)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
    with given as materialized (
      select unnest(in_signs) as sign, unnest(in_parts) as part, unnest(in_players) as player_id, unnest(in_periods) as period_id,
        unnest(in_scores) as score, unnest(in_first) as first, unnest(in_reached) as reached
    ), known as materialized (
      select s.part, s.player_id, s.period_id, s.sort_score from given g
      join leaderboard_scores s on s.part = g.part and s.player_id = g.player_id and s.period_id = g.period_id and (s.part = in_parts[1] or s.part = any(in_parts))
    ), changed as materialized (
      select g.part, g.player_id, g.period_id, g.score, g.first, g.reached, s.sort_score as before
      from given g left join known s on s.part = g.part and s.player_id = g.player_id and s.period_id = g.period_id
      where s.sort_score is null or (g.score - s.sort_score) * g.sign > 0
    ), updated as (
      update leaderboard_scores s set sort_score = c.score, reached_seq = c.reached
      from changed c
      where c.before is not null and s.part = c.part and s.player_id = c.player_id and s.period_id = c.period_id and (s.part = in_parts[1] or s.part = any(in_parts))
    ), inserted as (
      insert into leaderboard_scores (part, player_id, period_id, sort_score, reached_seq)
      select c.part, c.player_id, c.period_id, c.score, c.reached from changed c where c.before is null
    ), seated as (
      insert into leaderboard_seats (part, player_id, period_id, first_seq)
      select c.part, c.player_id, c.period_id, c.first from changed c where c.before is null and c.period_id = any(in_leagues)
      on conflict do nothing
    )
    select c.period_id, c.part >> 8, n.score, n.change
    from changed c cross join lateral (values (c.before, -1), (c.score, 1)) as n(score, change) where n.score is not null;
end $$;

-- Names are fetched by a separate statement, and joined on the coordinator.
create or replace function leaderboard_standings(
  in_period integer, in_part smallint, in_player uuid, in_top integer, in_neighbours integer,
  out participants bigint, out top json, out around json, out first_rank bigint, out second_rank bigint
) stable language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  own leaderboard_scores;
  score_before numeric;
  first_score numeric;
  second_score numeric;
  sharing bigint;
begin
  select coalesce(sum(c.total), 0) into participants from leaderboard_counts c where c.period_id = in_period;

  with shown as materialized (
    select s.part, s.player_id, s.sort_score, s.reached_seq, s.team_key from leaderboard_scores s
    where s.period_id = in_period order by s.sort_score, s.reached_seq, s.player_id limit in_top
  ), named as materialized (
    select p.player_id, p.display_name from shown s join players p on p.part = s.part and p.player_id = s.player_id
  )
  select coalesce(json_agg(json_build_array(coalesce(s.team_key, p.display_name), s.sort_score::text, s.player_id = in_player) order by s.sort_score, s.reached_seq, s.player_id), '[]')
  into top from shown s left join named p on p.player_id = s.player_id;

  select s.* into own from leaderboard_scores s where s.part = in_part and s.player_id = in_player and s.period_id = in_period;
  if not found then
    around := '[]';
    return;
  end if;
  -- Numbered on the coordinator: the machines would number all rows above the player's.
  with nearest as materialized (
    select s.* from leaderboard_scores s
    where s.period_id = in_period and (s.sort_score, s.reached_seq, s.player_id) < (own.sort_score, own.reached_seq, own.player_id)
    order by s.sort_score desc, s.reached_seq desc, s.player_id desc limit in_neighbours + 1
  ), above as materialized (
    select n.*, row_number() over (order by n.sort_score desc, n.reached_seq desc, n.player_id desc) as distance from nearest n
  ), near as materialized (
    select part, player_id, sort_score, reached_seq, team_key from above where distance <= in_neighbours
    union all
    (select s.part, s.player_id, s.sort_score, s.reached_seq, s.team_key from leaderboard_scores s
      where s.period_id = in_period and (s.sort_score, s.reached_seq, s.player_id) >= (own.sort_score, own.reached_seq, own.player_id)
      order by s.sort_score, s.reached_seq, s.player_id limit in_neighbours + 1)
  ), named as materialized (
    select p.player_id, p.display_name from near s join players p on p.part = s.part and p.player_id = s.player_id
  )
  select json_agg(json_build_array(coalesce(s.team_key, p.display_name), s.sort_score::text, s.player_id = in_player) order by s.sort_score, s.reached_seq, s.player_id),
    min(s.sort_score), min(s.sort_score) filter (where s.sort_score > (select min(n.sort_score) from near n)),
    count(*) filter (where s.sort_score = (select min(n.sort_score) from near n)), (select a.sort_score from above a where a.distance > in_neighbours)
  into around, first_score, second_score, sharing, score_before
  from near s left join named p on p.player_id = s.player_id;
  first_rank := leaderboard_rank(in_period, first_score);
  if second_score is null then
    return;
  end if;
  second_rank := case when score_before = first_score then leaderboard_rank(in_period, second_score) else first_rank + sharing end;
end $$;

-- Each reader's rows are queried separately: the machines cannot join them with those of others.
create or replace function leaderboard_standings_of(
  in_period integer, in_parts smallint[], in_players uuid[], in_top integer, in_neighbours integer[],
  out participants bigint, out top json, out readers json
) stable language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_custom_plan as $$
begin
  select coalesce(sum(c.total), 0) into participants from leaderboard_counts c where c.period_id = in_period;

  with shown as materialized (
    select s.part, s.player_id, s.sort_score, s.reached_seq, s.team_key from leaderboard_scores s
    where s.period_id = in_period order by s.sort_score, s.reached_seq, s.player_id limit in_top
  ), named as materialized (
    select p.player_id, p.display_name from shown s join players p on p.part = s.part and p.player_id = s.player_id
  )
  select coalesce(json_agg(json_build_array(coalesce(s.team_key, p.display_name), s.sort_score, s.player_id) order by s.sort_score, s.reached_seq, s.player_id), '[]')
  into top from shown s left join named p on p.player_id = s.player_id;

  select coalesce(json_agg(json_build_array(k.at, json_build_array(s.first_rank, s.second_rank), r.above, r.own, r.below)), '[]') into readers
  from unnest(in_parts, in_players, in_neighbours) with ordinality as k(part, player_id, neighbours, at)
  cross join lateral leaderboard_standings(in_period, k.part, k.player_id, 0, k.neighbours) s
  cross join lateral (
    select
      json_build_array(coalesce(json_agg(x.name order by x.number desc) filter (where x.number < x.own), '[]'),
        coalesce(json_agg(x.score order by x.number desc) filter (where x.number < x.own), '[]')) as above,
      json_build_array(max(x.name) filter (where x.number = x.own), max(x.score) filter (where x.number = x.own)) as own,
      json_build_array(coalesce(json_agg(x.name order by x.number) filter (where x.number > x.own), '[]'),
        coalesce(json_agg(x.score order by x.number) filter (where x.number > x.own), '[]')) as below
    from (
      select e.row ->> 0 as name, (e.row ->> 1)::numeric as score, e.number, max(e.number) filter (where (e.row ->> 2)::boolean) over () as own
      from json_array_elements(s.around) with ordinality as e(row, number)
    ) x
  ) r
  where s.first_rank is not null;
end $$;

-- The query's shards depend on the values, so a generic plan is useless.
alter function leaderboard_standings(integer, smallint, uuid, integer, integer) set plan_cache_mode = force_custom_plan;
alter function leaderboard_rank(integer, numeric) set plan_cache_mode = force_custom_plan;
