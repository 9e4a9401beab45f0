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

-- The shards of its queries depend on the values, so a generic plan is useless.
alter function player_streaks(smallint, uuid, integer[], date[]) set plan_cache_mode = auto;

create or replace function environments_with_begun_periods() returns setof integer language plpgsql as $$
begin
  return query
    select distinct unnest(a.answer[1]::integer[])
    from ask_every_shard($statement$
      select array[array_agg(e.id)::text] from unnest($1[1]::integer[], $1[2]::timestamptz[]) as e(id, at)
      where exists (select from {streak_beginnings} b where b.environment_id = e.id and b.due_at <= e.at)
    $statement$, (
      select array[array_agg(e.id)::text, array_agg(now() + e.clock_offset_ms * interval '1 millisecond')::text] from environments e
    )) a(answer);
end $$;

-- `skip locked` does not work across machines: the transaction that deletes a period takes it.
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
