-- Citus locks rows of one shard only. Players of several shards are locked by their machines, each asked once, by shard and then by key.
create or replace function lock_players(in_parts smallint[], in_players uuid[])
returns table (part smallint, player_id uuid, external_id text, time_zone text, hidden_at timestamptz, analytics_epoch integer, last_active_on date)
language plpgsql as $$
#variable_conflict use_column
declare
  bounds integer[] := shard_bounds();
  parts smallint[];
  arguments text[];
begin
  select array_agg(o.part order by o.shard), array_agg(o.columns order by o.shard) into parts, arguments
  from (
    select width_bucket(hashint2(k.part), bounds) as shard, min(k.part) as part, array[array_agg(k.part)::text, array_agg(k.player_id)::text] as columns
    from unnest(in_parts, in_players) as k(part, player_id)
    group by 1
  ) o;
  if cardinality(parts) = 1 then
    return query
      select p.part, p.player_id, p.external_id::text, p.time_zone, p.hidden_at::timestamptz, p.analytics_epoch, p.last_active_on
      from players p where p.part = any(in_parts) and p.player_id = any(in_players)
      order by p.part, p.player_id
      for no key update;
    return;
  end if;
  return query
    select u.*
    from at_shards(parts, $statement$
      with locked as materialized (
        select p.* from unnest($1[1]::smallint[], $1[2]::uuid[]) as k(part, player_id)
        join {players} p on p.part = k.part and p.player_id = k.player_id
        order by p.part, p.player_id
        for no key update of p
      )
      select array[array_agg(part)::text, array_agg(player_id)::text, array_agg(external_id)::text, array_agg(time_zone)::text,
        array_agg(hidden_at)::text, array_agg(analytics_epoch)::text, array_agg(last_active_on)::text] from locked
    $statement$, arguments) a(answer)
    cross join unnest(a.answer[1]::smallint[], a.answer[2]::uuid[], a.answer[3]::text[], a.answer[4]::text[], a.answer[5]::timestamptz[],
      a.answer[6]::integer[], a.answer[7]::date[]) u;
end $$;

-- Leaves out the days that the calling statement has added: the other machines see them already.
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

-- The shards of its query depend on the values, so a generic plan is useless.
alter function rollup_ranges(smallint, uuid, json) set plan_cache_mode = auto;

create or replace function complete_missions(in_rows json)
returns table (environment_id integer, part smallint, player_id uuid, mission_id integer, accepted_at timestamptz, completed_at timestamptz, rewards json)
language plpgsql as $$
declare
  parts smallint[];
  arguments text[];
begin
  select array_agg(r.part), array_agg(array[r.rows]) into parts, arguments from rows_by_shard(in_rows) r;
  return query
    select u.*
    from at_shards(parts, $statement$
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
    $statement$, arguments) a(answer)
    cross join unnest(a.answer[1]::integer[], a.answer[2]::smallint[], a.answer[3]::uuid[], a.answer[4]::integer[],
      a.answer[5]::timestamptz[], a.answer[6]::timestamptz[], a.answer[7]::json[]) u;
end $$;
