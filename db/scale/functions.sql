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

-- Runs a statement on the machine that has a part, on the part's shards themselves: {name} stands for the shard of a table, $1 for the
-- arguments. There PostgreSQL alone plans it. An `insert … select` through Citus copies each row through the coordinator, and each row that
-- it returns: grants, completions and scores of an event cost the coordinator 47 µs that way, and 16 this way. The first statement changes
-- no row, but tells Citus that the transaction writes there: the shards are not moved before it ends, and it commits in two phases.
create or replace function at_shard(in_part smallint, in_statement text, in_arguments text[]) returns text[] language plpgsql as $$
declare
  answer text[];
begin
  delete from balances where part = in_part and player_id = '00000000-0000-0000-0000-000000000000';
  select run_in_shard(in_part, in_statement, in_arguments) into answer
  from (select count(*) from players where part = in_part and player_id = '00000000-0000-0000-0000-000000000000') once;
  return answer;
end $$;

create or replace function run_in_shard(in_part smallint, in_statement text, in_arguments text[]) returns text[]
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  answer text[];
  own text;
begin
  for own in select distinct named[1] from regexp_matches(in_statement, '{(\w+)}', 'g') as named loop
    in_statement := replace(in_statement, '{' || own || '}', own || '_' || get_shard_id_for_distribution_column(own::regclass, in_part));
  end loop;
  execute in_statement into answer using in_arguments;
  return answer;
end $$;

-- Splits rows by the shard of their part.
create or replace function rows_by_shard(in_rows json) returns table (part smallint, rows text, count bigint) language sql as $$
  select min(r.part), json_agg(r.content)::text, count(*)
  from (select e.content, (e.content ->> 'part')::smallint as part from json_array_elements(in_rows) as e(content)) r
  group by get_shard_id_for_distribution_column('players', r.part)
$$;

-- Positions in the order of facts are the coordinator's.
create or replace function points_grant(in_rows json, in_cuts boolean)
returns table (part smallint, player_id uuid, amount bigint, environment_id integer, source_type text, source_definition_id integer, occurred_at timestamptz)
language plpgsql as $$
declare
  own record;
  answer text[];
begin
  for own in select * from rows_by_shard(in_rows) loop
    answer := at_shard(own.part, $statement$
      with positions as materialized (
        select $1[2]::bigint[] as seqs
      ), given as (
        select *, row_number() over (order by part, "playerId", "order") as place,
          case when not $1[3]::boolean then points else greatest(0, least(points, (1::bigint << 53) - 1
            - coalesce(sum(points) over (partition by part, "playerId" order by "order" rows between unbounded preceding and 1 preceding), 0)
            - coalesce((select b.balance from {balances} b where b.part = r.part and b.player_id = r."playerId"), 0))) end as amount
        from json_to_recordset($1[1]::json) as r("part" smallint, "playerId" uuid, "id" uuid, "environmentId" int, "points" bigint,
          "sourceType" text, "sourceId" uuid, "sourceDefinitionId" int, "ordinal" smallint, "at" float8, "order" int)
      ), granted as (
        insert into {points_transactions}
          (part, player_id, id, environment_id, seq, type, amount, source_type, source_id, source_definition_id, ordinal, occurred_at)
        select part, "playerId", id, "environmentId", (select p.seqs from positions p)[place], 'Grant', amount,
          "sourceType", "sourceId", "sourceDefinitionId", ordinal, to_timestamp("at" / 1000)
        from given order by place
        on conflict do nothing
        returning part, player_id, amount, environment_id, source_type, source_definition_id, occurred_at
      ), credited as (
        insert into {balances} as b (part, player_id, balance, total_granted)
        select part, player_id, sum(amount), sum(amount) from granted group by part, player_id order by part, player_id
        on conflict (part, player_id) do update
          set balance = b.balance + excluded.balance, total_granted = b.total_granted + excluded.total_granted
      )
      select array[array_agg(part)::text, array_agg(player_id)::text, array_agg(amount)::text, array_agg(environment_id)::text,
        array_agg(source_type)::text, array_agg(source_definition_id)::text, array_agg(occurred_at)::text] from granted
    $statement$, array[own.rows, array(select nextval('fact_seq') from generate_series(1, own.count))::text, in_cuts::text]);
    return query select * from unnest(answer[1]::smallint[], answer[2]::uuid[], answer[3]::bigint[], answer[4]::integer[],
      answer[5]::text[], answer[6]::integer[], answer[7]::timestamptz[]);
  end loop;
end $$;

create or replace function complete_missions(in_rows json)
returns table (environment_id integer, part smallint, player_id uuid, mission_id integer, accepted_at timestamptz, completed_at timestamptz, rewards json)
language plpgsql as $$
declare
  own record;
  answer text[];
begin
  for own in select * from rows_by_shard(in_rows) loop
    answer := at_shard(own.part, $statement$
      with written as (
        insert into {mission_completions}
          (part, player_id, environment_id, occurrence_id, mission_id, occurrence_number, started_at, accepted_at, completed_at, objectives, rewards)
        select part, "playerId", "environmentId", "occurrenceId", "missionId", "occurrenceNumber",
          to_timestamp("startedAt" / 1000), to_timestamp("acceptedAt" / 1000), to_timestamp("completedAt" / 1000), objectives, rewards
        from json_to_recordset($1[1]::json) as r("part" smallint, "playerId" uuid, "environmentId" int, "occurrenceId" uuid, "missionId" int,
          "occurrenceNumber" int, "startedAt" float8, "acceptedAt" float8, "completedAt" float8, "objectives" json, "rewards" json)
        on conflict do nothing
        returning environment_id, part, player_id, mission_id, accepted_at, completed_at, rewards
      )
      select array[array_agg(environment_id)::text, array_agg(part)::text, array_agg(player_id)::text, array_agg(mission_id)::text,
        array_agg(accepted_at)::text, array_agg(completed_at)::text, array_agg(rewards)::text] from written
    $statement$, array[own.rows]);
    return query select * from unnest(answer[1]::integer[], answer[2]::smallint[], answer[3]::uuid[], answer[4]::integer[],
      answer[5]::timestamptz[], answer[6]::timestamptz[], answer[7]::json[]);
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

create or replace function leaderboard_add(
  in_parts smallint[], in_players uuid[], in_periods integer[], in_scores numeric[], in_first bigint[], in_moved bigint[], in_leagues integer[]
) returns table (period_id integer, lane smallint, score numeric, change integer) language plpgsql as $$
declare
  own record;
  answer text[];
begin
  for own in
    select min(g.part) as part, count(*) as count, array[array_agg(g.part)::text, array_agg(g.player_id)::text, array_agg(g.period_id)::text,
      array_agg(g.score)::text, array_agg(g.first)::text, array_agg(g.moved)::text, in_leagues::text] as columns
    from unnest(in_parts, in_players, in_periods, in_scores, in_first, in_moved) as g(part, player_id, period_id, score, first, moved)
    group by get_shard_id_for_distribution_column('players', g.part) order by 1
  loop
    answer := at_shard(own.part, $statement$
      with updated as (
        update {leaderboard_scores} s set sort_score = s.sort_score + g.score, reached_seq = g.moved
        from unnest($1[1]::smallint[], $1[2]::uuid[], $1[3]::integer[], $1[4]::numeric[], $1[6]::bigint[]) as g(part, player_id, period_id, score, moved)
        where s.part = g.part and s.player_id = g.player_id and s.period_id = g.period_id and g.moved is not null
        returning s.period_id, s.part >> 8 as lane, s.sort_score - g.score as before, s.sort_score as after
      )
      select array[array_agg(period_id)::text, array_agg(lane)::text, array_agg(before)::text, array_agg(after)::text, count(*)::text] from updated
    $statement$, own.columns);
    return query
      select u.period_id, u.lane, c.score, c.change
      from unnest(answer[1]::integer[], answer[2]::smallint[], answer[3]::numeric[], answer[4]::numeric[]) as u(period_id, lane, before, after)
      cross join lateral (values (u.before, -1), (u.after, 1)) as c(score, change);
    continue when answer[5]::bigint = own.count;

    answer := at_shard(own.part, $statement$
      with given as (
        select * from unnest($1[1]::smallint[], $1[2]::uuid[], $1[3]::integer[], $1[4]::numeric[], $1[5]::bigint[], $1[6]::bigint[])
          as g(part, player_id, period_id, score, first, moved)
      ), inserted as (
        insert into {leaderboard_scores} (part, player_id, period_id, sort_score, reached_seq)
        select g.part, g.player_id, g.period_id, g.score, coalesce(g.moved, g.first) from given g
        on conflict do nothing
        returning part, player_id, period_id, sort_score
      ), seated as (
        insert into {leaderboard_seats} (part, player_id, period_id, first_seq)
        select i.part, i.player_id, i.period_id, g.first
        from inserted i join given g on g.part = i.part and g.player_id = i.player_id and g.period_id = i.period_id
        where i.period_id = any($1[7]::integer[])
        on conflict do nothing
      )
      select array[array_agg(period_id)::text, array_agg(part >> 8)::text, array_agg(sort_score)::text] from inserted
    $statement$, own.columns);
    return query
      select i.period_id, i.lane, i.score, 1
      from unnest(answer[1]::integer[], answer[2]::smallint[], answer[3]::numeric[]) as i(period_id, lane, score);
  end loop;
end $$;

create or replace function leaderboard_keep(
  in_signs smallint[], in_parts smallint[], in_players uuid[], in_periods integer[], in_scores numeric[], in_first bigint[], in_reached bigint[], in_leagues integer[]
) returns table (period_id integer, lane smallint, score numeric, change integer) language plpgsql as $$
declare
  own record;
  answer text[];
begin
  for own in
    select min(g.part) as part, array[array_agg(g.part)::text, array_agg(g.player_id)::text, array_agg(g.period_id)::text,
      array_agg(g.score)::text, array_agg(g.first)::text, array_agg(g.reached)::text, in_leagues::text, array_agg(g.sign)::text] as columns
    from unnest(in_parts, in_players, in_periods, in_scores, in_first, in_reached, in_signs) as g(part, player_id, period_id, score, first, reached, sign)
    group by get_shard_id_for_distribution_column('players', g.part) order by 1
  loop
    answer := at_shard(own.part, $statement$
      with changed as materialized (
        select g.*, s.sort_score as before
        from unnest($1[1]::smallint[], $1[2]::uuid[], $1[3]::integer[], $1[4]::numeric[], $1[5]::bigint[], $1[6]::bigint[], $1[8]::smallint[])
          as g(part, player_id, period_id, score, first, reached, sign)
        left join {leaderboard_scores} s on s.part = g.part and s.player_id = g.player_id and s.period_id = g.period_id
        where s.sort_score is null or (g.score - s.sort_score) * g.sign > 0
      ), updated as (
        update {leaderboard_scores} s set sort_score = c.score, reached_seq = c.reached
        from changed c
        where c.before is not null and s.part = c.part and s.player_id = c.player_id and s.period_id = c.period_id
      ), inserted as (
        insert into {leaderboard_scores} (part, player_id, period_id, sort_score, reached_seq)
        select c.part, c.player_id, c.period_id, c.score, c.reached from changed c where c.before is null
      ), seated as (
        insert into {leaderboard_seats} (part, player_id, period_id, first_seq)
        select c.part, c.player_id, c.period_id, c.first from changed c where c.before is null and c.period_id = any($1[7]::integer[])
        on conflict do nothing
      )
      select array[array_agg(period_id)::text, array_agg(part >> 8)::text, array_agg(before)::text, array_agg(score)::text] from changed
    $statement$, own.columns);
    return query
      select u.period_id, u.lane, c.score, c.change
      from unnest(answer[1]::integer[], answer[2]::smallint[], answer[3]::numeric[], answer[4]::numeric[]) as u(period_id, lane, before, after)
      cross join lateral (values (u.before, -1), (u.after, 1)) as c(score, change) where c.score is not null;
  end loop;
end $$;

create or replace function analytics_epochs(in_parts smallint[], in_players uuid[]) returns integer[] language plpgsql as $$
declare
  own record;
  answer text[];
  places bigint[] := '{}';
  epochs integer[] := '{}';
begin
  for own in
    select min(k.part) as part, array[array_agg(k.part)::text, array_agg(k.player_id)::text] as columns, array_agg(k.at) as places
    from unnest(in_parts, in_players) with ordinality as k(part, player_id, at)
    group by get_shard_id_for_distribution_column('players', k.part)
  loop
    answer := at_shard(own.part, $statement$
      select array[array_agg(coalesce(p.analytics_epoch, 0) order by k.at)::text]
      from unnest($1[1]::smallint[], $1[2]::uuid[]) with ordinality as k(part, player_id, at)
      left join {players} p on p.part = k.part and p.player_id = k.player_id
    $statement$, own.columns);
    places := places || own.places;
    epochs := epochs || answer[1]::integer[];
  end loop;
  return array(select e.epoch from unnest(places, epochs) as e(place, epoch) order by e.place);
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
