create or replace function periods_with_unseated() returns setof integer language plpgsql as $$
begin
  return query
    select distinct unnest(a.answer[1]::integer[])
    from ask_every_shard($statement$
      select array[array_agg(p.id)::text] from unnest($1[1]::integer[]) as p(id)
      where exists (select from {leaderboard_seats} s where s.period_id = p.id and s.group_number is null)
    $statement$, (select array[array_agg(p.id)::text] from leaderboard_periods p where p.step <> 'Settled')) a(answer);
end $$;

create or replace function leaderboard_add(
  in_parts smallint[], in_players uuid[], in_periods integer[], in_scores numeric[], in_first bigint[], in_moved bigint[], in_leagues integer[]
) returns table (period_id integer, lane smallint, score numeric, change integer) language plpgsql as $$
declare
  bounds integer[] := shard_bounds();
  parts smallint[];
  arguments text[];
  answer text[];
  updated bigint := 0;
begin
  select array_agg(o.part), array_agg(o.columns) into parts, arguments
  from (
    select min(g.part) as part, array[array_agg(g.part)::text, array_agg(g.player_id)::text, array_agg(g.period_id)::text,
      array_agg(g.score)::text, array_agg(g.first)::text, array_agg(g.moved)::text, in_leagues::text] as columns
    from unnest(in_parts, in_players, in_periods, in_scores, in_first, in_moved) as g(part, player_id, period_id, score, first, moved)
    group by width_bucket(hashint2(g.part), bounds)
  ) o;
  for answer in
    select * from at_shards(parts, $statement$
      with updated as (
        update {leaderboard_scores} s set sort_score = s.sort_score + g.score, reached_seq = g.moved
        from unnest($1[1]::smallint[], $1[2]::uuid[], $1[3]::integer[], $1[4]::numeric[], $1[6]::bigint[]) as g(part, player_id, period_id, score, moved)
        where s.part = g.part and s.player_id = g.player_id and s.period_id = g.period_id and g.moved is not null
        returning s.period_id, s.part, s.sort_score - g.score as before, s.sort_score as after
      )
      select array[array_agg(period_id)::text, array_agg(part)::text, array_agg(before)::text, array_agg(after)::text, count(*)::text] from updated
    $statement$, arguments)
  loop
    return query
      select u.period_id, board_lane(u.part), c.score, c.change
      from unnest(answer[1]::integer[], answer[2]::smallint[], answer[3]::numeric[], answer[4]::numeric[]) as u(period_id, part, before, after)
      cross join lateral (values (u.before, -1), (u.after, 1)) as c(score, change);
    updated := updated + answer[5]::bigint;
  end loop;
  if updated = cardinality(in_parts) then
    return;
  end if;

  return query
    select i.period_id, board_lane(i.part), i.score, 1
    from at_shards(parts, $statement$
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
      select array[array_agg(period_id)::text, array_agg(part)::text, array_agg(sort_score)::text] from inserted
    $statement$, arguments) a(answer)
    cross join unnest(a.answer[1]::integer[], a.answer[2]::smallint[], a.answer[3]::numeric[]) as i(period_id, part, score);
end $$;

create or replace function leaderboard_keep(
  in_signs smallint[], in_parts smallint[], in_players uuid[], in_periods integer[], in_scores numeric[], in_first bigint[], in_reached bigint[], in_leagues integer[]
) returns table (period_id integer, lane smallint, score numeric, change integer) language plpgsql as $$
declare
  bounds integer[] := shard_bounds();
  parts smallint[];
  arguments text[];
begin
  select array_agg(o.part), array_agg(o.columns) into parts, arguments
  from (
    select min(g.part) as part, array[array_agg(g.part)::text, array_agg(g.player_id)::text, array_agg(g.period_id)::text,
      array_agg(g.score)::text, array_agg(g.first)::text, array_agg(g.reached)::text, in_leagues::text, array_agg(g.sign)::text] as columns
    from unnest(in_parts, in_players, in_periods, in_scores, in_first, in_reached, in_signs) as g(part, player_id, period_id, score, first, reached, sign)
    group by width_bucket(hashint2(g.part), bounds)
  ) o;
  return query
    select u.period_id, board_lane(u.part), c.score, c.change
    from at_shards(parts, $statement$
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
      select array[array_agg(period_id)::text, array_agg(part)::text, array_agg(before)::text, array_agg(score)::text] from changed
    $statement$, arguments) a(answer)
    cross join unnest(a.answer[1]::integer[], a.answer[2]::smallint[], a.answer[3]::numeric[], a.answer[4]::numeric[]) as u(period_id, part, before, after)
    cross join lateral (values (u.before, -1), (u.after, 1)) as c(score, change) where c.score is not null;
end $$;

-- Reads the readers' own rows first, then from every machine those around them. No transaction on the machines is needed: opening and ending
-- one took a tenth of a read.
create or replace function leaderboard_standings_of(
  in_period integer, in_parts smallint[], in_players uuid[], in_top integer, in_neighbours integer[],
  out participants bigint, out top json, out readers json
) stable language plpgsql set plan_cache_mode = force_generic_plan set citus.function_opens_transaction_block = off as $$
begin
  select coalesce(sum(c.total), 0) into participants from leaderboard_counts c where c.period_id = in_period;

  with asked as materialized (
    select o.*, in_neighbours[o.at] as neighbours, r.lower, r.before
    from at_each_machine(in_parts, $statement$
      select array[array_agg(k.at)::text, array_agg(s.player_id)::text, array_agg(s.sort_score)::text, array_agg(s.reached_seq)::text,
        array_agg(coalesce(s.team_key, {name}))::text]
      from unnest($1[2]::smallint[], $1[3]::uuid[]) with ordinality as k(part, player_id, at)
      join {scores} s on s.part = k.part and s.player_id = k.player_id and s.period_id = $1[1]::integer
    $statement$, array[in_period::text, in_parts::text, in_players::text]) own(answer)
    cross join lateral unnest(own.answer[1]::bigint[], own.answer[2]::uuid[], own.answer[3]::numeric[], own.answer[4]::bigint[], own.answer[5]::text[])
      as o(at, player_id, score, seq, name)
    cross join lateral leaderboard_range(in_period, o.score) r
  ), answers as materialized (
    select a.answer
    from at_each_machine(null, $statement$
      with readers as materialized (
        select * from unnest($1[3]::bigint[], $1[4]::integer[], $1[5]::numeric[], $1[6]::bigint[], $1[7]::uuid[], $1[8]::numeric[])
          as r(at, neighbours, score, seq, player_id, lower)
      ), shown as materialized (
        (select 0::bigint as at, 0 as side, s.* from {scores} s
          where s.period_id = $1[1]::integer order by s.sort_score, s.reached_seq, s.player_id limit $1[2]::integer)
        union all
        select r.at, -1, s.* from readers r cross join lateral (
          select s.* from {scores} s
          where s.period_id = $1[1]::integer and (s.sort_score, s.reached_seq, s.player_id) < (r.score, r.seq, r.player_id)
          order by s.sort_score desc, s.reached_seq desc, s.player_id desc limit case when r.neighbours = 0 then 0 else r.neighbours + 1 end
        ) s
        union all
        select r.at, 1, s.* from readers r cross join lateral (
          select s.* from {scores} s
          where s.period_id = $1[1]::integer and (s.sort_score, s.reached_seq, s.player_id) > (r.score, r.seq, r.player_id)
          order by s.sort_score, s.reached_seq, s.player_id limit r.neighbours
        ) s
      )
      select array[array_agg(s.at)::text, array_agg(s.side)::text, array_agg(s.sort_score)::text, array_agg(s.reached_seq)::text,
        array_agg(s.player_id)::text, array_agg(coalesce(s.team_key, {name}))::text,
        (select array_agg(r.at)::text from readers r),
        (select array_agg((
          select count(*) from {scores} s
          where s.period_id = $1[1]::integer and s.sort_score >= r.lower and s.sort_score < r.score))::text from readers r)]
      from shown s
    $statement$, (
      select array[in_period::text, in_top::text, coalesce(array_agg(a.at), '{}')::text, coalesce(array_agg(a.neighbours), '{}')::text,
        coalesce(array_agg(a.score), '{}')::text, coalesce(array_agg(a.seq), '{}')::text, coalesce(array_agg(a.player_id), '{}')::text,
        coalesce(array_agg(a.lower), '{}')::text] from asked a
    )) a(answer)
  ), shown as materialized (
    select s.* from answers a cross join lateral
      unnest(a.answer[1]::bigint[], a.answer[2]::integer[], a.answer[3]::numeric[], a.answer[4]::bigint[], a.answer[5]::uuid[], a.answer[6]::text[])
        as s(at, side, score, seq, player_id, name)
  ), beside as materialized (
    select c.at, sum(c.count)::bigint as count
    from answers a cross join lateral unnest(a.answer[7]::bigint[], a.answer[8]::bigint[]) as c(at, count) group by c.at
  )
  select
    (select coalesce(json_agg(json_build_array(s.name, s.score, s.player_id) order by s.score, s.seq, s.player_id), '[]') from (
      select * from shown s where s.at = 0 order by s.score, s.seq, s.player_id limit in_top) s),
    (select coalesce(json_agg(json_build_array(k.at, r.ranks,
        json_build_array(coalesce(a.names[:k.neighbours], '{}'), coalesce(a.scores[:k.neighbours], '{}')),
        json_build_array(k.name, k.score),
        json_build_array(coalesce(b.names, '{}'), coalesce(b.scores, '{}')))), '[]')
      from (select a.*, 1 + a.before + c.count as rank from asked a join beside c on c.at = a.at) k
      cross join lateral (
        select array_agg(s.score order by s.score desc, s.seq desc, s.player_id desc) as scores,
          array_agg(s.name order by s.score desc, s.seq desc, s.player_id desc) as names
        from (select * from shown s where s.at = k.at and s.side = -1
          order by s.score desc, s.seq desc, s.player_id desc limit k.neighbours + 1) s
      ) a
      cross join lateral (
        select array_agg(s.score order by s.score, s.seq, s.player_id) as scores, array_agg(s.name order by s.score, s.seq, s.player_id) as names
        from (select * from shown s where s.at = k.at and s.side = 1 order by s.score, s.seq, s.player_id limit k.neighbours) s
      ) b
      cross join lateral (select coalesce(a.scores[least(k.neighbours, cardinality(a.scores))], k.score) as score, a.scores[k.neighbours + 1] as before) f
      cross join lateral (select case when f.score = f.before then (
        select min(m.score) from unnest(a.scores[:k.neighbours] || k.score || b.scores) as m(score) where m.score > f.score) end as second) n
      cross join lateral (
        -- Rows above with worse scores than the first one are all shown, and so are those with its score unless one of them is above it.
        select array[
          case when f.before = f.score and f.score < k.score then leaderboard_rank(in_period, f.score)
            else k.rank - (select count(*) from unnest(a.scores[:k.neighbours]) as m(score) where m.score < k.score) end,
          case when n.second is null then null
            when n.second > k.score then leaderboard_rank(in_period, n.second)
            else k.rank - (select count(*) from unnest(a.scores[:k.neighbours]) as m(score) where m.score >= n.second and m.score < k.score) end
        ] as ranks
      ) r)
  into top, readers;
end $$;

-- The shards of its query depend on the values, so a generic plan is useless.
alter function leaderboard_rank(integer, numeric) set plan_cache_mode = force_custom_plan;
