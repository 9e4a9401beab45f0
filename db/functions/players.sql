-- Locks players until the transaction ends, in the order of the key. Unknown ones are left out.
create or replace function lock_players(in_parts smallint[], in_players uuid[])
returns table (part smallint, player_id uuid, external_id text, time_zone text, hidden_at timestamptz, analytics_epoch integer, last_active_on date)
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    select p.part, p.player_id, p.external_id::text, p.time_zone, p.hidden_at::timestamptz, p.analytics_epoch, p.last_active_on
    from unnest(in_parts, in_players) as k(part, player_id) join players p on p.part = k.part and p.player_id = k.player_id
    order by p.part, p.player_id
    for no key update of p;
end $$;

-- Players by their keys, with their current state and the attributes and balance that conditions read (server/engine/store/players.ts).
-- Unknown ones are left out.
create or replace function player_parts(in_parts smallint[], in_players uuid[])
returns table (part smallint, player_id uuid, external_id text, time_zone text, completed text, is_hidden boolean, partitions text, attributes text,
  balance bigint)
language plpgsql stable set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    select p.part, p.player_id, p.external_id::text, p.time_zone, p.completed_missions::text, p.hidden_at is not null,
      (select json_agg(json_build_array(s.topic_id, s.state)) from mission_states s where s.part = p.part and s.player_id = p.player_id)::text,
      (select json_agg(json_build_array(a.attribute_id, a.value, (extract(epoch from a.occurred_at) * 1000)::bigint))
        from attribute_values a where a.part = p.part and a.player_id = p.player_id)::text,
      (select b.balance::bigint from balances b where b.part = p.part and b.player_id = p.player_id)
    from unnest(in_parts, in_players) as k(part, player_id) join players p on p.part = k.part and p.player_id = k.player_id;
end $$;

-- Whether an environment has players whose history is not counted in this analytics epoch; with null, whether it has any players.
create or replace function has_players_behind(in_environment_id integer, in_epoch integer) returns boolean language plpgsql stable as $$
begin
  if in_epoch is null then
    return exists (select 1 from players p where p.environment_id = in_environment_id);
  end if;
  return exists (select 1 from players p where p.environment_id = in_environment_id and p.analytics_epoch < in_epoch);
end $$;

-- Players' new days of activity, with the state before the statement that added them: the first day, and whether there was one in the day's
-- week and month. It shares that statement's snapshot.
create or replace function days_before(in_parts smallint[], in_players uuid[], in_days date[], in_hours smallint[])
returns table (part smallint, player_id uuid, day date, hour smallint, first_before date, was_active_in_week boolean, was_active_in_month boolean)
stable language sql as $$
  select a.part, a.player_id, a.day, a.hour,
    (select d.day from player_days d where d.part = a.part and d.player_id = a.player_id order by d.day limit 1),
    exists (select from player_days d where d.part = a.part and d.player_id = a.player_id
      and d.day between date_trunc('week', a.day::timestamp)::date and date_trunc('week', a.day::timestamp)::date + 6),
    exists (select from player_days d where d.part = a.part and d.player_id = a.player_id
      and d.day between date_trunc('month', a.day::timestamp)::date and (date_trunc('month', a.day::timestamp) + interval '1 month')::date - 1)
  from unnest(in_parts, in_players, in_days, in_hours) as a(part, player_id, day, hour)
$$;

-- The first days of players.
create or replace function first_days(in_parts smallint[], in_players uuid[])
returns table (part smallint, player_id uuid, day date) stable language sql as $$
  select k.part, k.player_id, d.day from unnest(in_parts, in_players) as k(part, player_id)
  cross join lateral (select d.day from player_days d where d.part = k.part and d.player_id = k.player_id order by d.day limit 1) d
$$;

-- What a player's rollups hold in ranges of buckets (server/engine/store/rollups.ts), in any order; `at` is the range's index. A distinct
-- value is the last 36 characters of a bucket's name; the name of a day is shorter. Planned once, as `player_streaks` is. Uses no `exists`,
-- which may be planned as a scan of all of the player's buckets.
create or replace function rollup_ranges(in_part smallint, in_player uuid, in_ranges json)
returns table (at integer, is_kept boolean, count bigint, readings json) language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
  return query
    select a.at,
      (select true from rollups m
        where m.part = in_part and m.player_id = in_player and m.rollup_id = a."rollupId" and m.bucket = a.mark) is not null,
      found.count, found.readings
    from json_to_recordset(in_ranges) as a("at" int, "rollupId" int, "mark" text, "from" text, "to" text, "isCounted" boolean)
    cross join lateral (
      select count(distinct right(r.bucket, 36)) as count, case when a."isCounted" then null else json_agg(r.reading) end as readings
      from rollups r
      where r.part = in_part and r.player_id = in_player and r.rollup_id = a."rollupId" and r.bucket between a."from" and a."to"
    ) found;
end $$;

-- Writes completed occurrences, and returns the new ones.
create or replace function complete_missions(in_rows json)
returns table (environment_id integer, part smallint, player_id uuid, mission_id integer, accepted_at timestamptz, completed_at timestamptz, rewards json)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
    insert into mission_completions
      (part, player_id, environment_id, occurrence_id, mission_id, occurrence_number, started_at, accepted_at, completed_at, objectives, rewards)
    select part, "playerId", "environmentId", "occurrenceId", "missionId", "occurrenceNumber",
      to_timestamp("startedAt" / 1000), to_timestamp("acceptedAt" / 1000), to_timestamp("completedAt" / 1000), objectives, rewards
    from json_to_recordset(in_rows) as r("part" smallint, "playerId" uuid, "environmentId" int, "occurrenceId" uuid, "missionId" int,
      "occurrenceNumber" int, "startedAt" float8, "acceptedAt" float8, "completedAt" float8, "objectives" json, "rewards" json)
    on conflict do nothing
    returning environment_id, part, player_id, mission_id, accepted_at::timestamptz, completed_at::timestamptz, rewards;
end $$;
