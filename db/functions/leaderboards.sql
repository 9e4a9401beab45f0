-- The open periods of leagues with players waiting for a seat.
create or replace function periods_with_unseated() returns setof integer stable language sql as $$
  select p.id from leaderboard_periods p
  where p.step <> 'Settled' and exists (select from leaderboard_seats s where s.period_id = p.id and s.group_number is null)
$$;

-- Leaderboards keep ranks as counts by score range (server/game/leaderboards/README.md): a rank is one more than the scores of all
-- better ranges and the better scores of its own range, which is short. Scores are `sort_score`: the smaller, the better.

-- Adds to the counts of a period, at the end of a transaction that has written scores: the lane, score and change of each. Cutting ranges
-- takes the same lock (class 4) exclusively: a score that is written but not yet counted is then counted in the new ranges. If scores only
-- move within a range, nothing is locked or written. One call counts for all lanes: a small slice's changes are spread over them.
create or replace function leaderboard_count_changes(in_period integer, in_lanes integer[], in_scores numeric[], in_changes integer[])
returns void language plpgsql set enable_seqscan = off set enable_nestloop = off as $$
declare
  -- A range with this many scores of one lane should be cut: with four lanes a range has a few hundred.
  most constant integer := 250;
  all_blocks integer[];
  all_lowers numeric[];
  touched record;
  own leaderboard_blocks;
  own_counts integer[];
  full_places integer[];
  place integer;
begin
  perform pg_advisory_xact_lock_shared(4, in_period);
  select array_agg(b.block order by b.lower nulls first), coalesce(array_agg(b.lower order by b.lower) filter (where b.lower is not null), '{}')
  into all_blocks, all_lowers from leaderboard_blocks b where b.period_id = in_period;

  for touched in
    with placed as materialized (
      select c.lane, all_blocks[width_bucket(c.score, all_lowers) + 1] as block, c.score, c.change
      from unnest(in_lanes, in_scores, in_changes) as c(lane, score, change)
    ), blocks as materialized (
      -- Appending an empty array unpacks the stored one once, and not for every score.
      select b.block, b.bounds || '{}'::numeric[] as bounds from leaderboard_blocks b
      where b.period_id = in_period and b.block = any((select array_agg(distinct p.block) from placed p)::integer[])
    ), changed as (
      select p.lane, b.block, width_bucket(p.score, b.bounds) + 1 as place, sum(p.change)::integer as change
      from placed p join blocks b on b.block = p.block group by 1, 2, 3 having sum(p.change) <> 0
    )
    select c.lane, c.block, array_agg(c.place) as places, array_agg(c.change) as changes, sum(c.change) as total
    from changed c group by 1, 2 order by 1, 2
  loop
    select c.counts into own_counts from leaderboard_counts c
    where c.period_id = in_period and c.block = touched.block and c.lane = touched.lane for no key update;
    if not found then
      insert into leaderboard_counts (period_id, block, lane, total, counts)
      select in_period, b.block, touched.lane, 0, array_fill(0, array[cardinality(b.bounds) + 1])
      from leaderboard_blocks b where b.period_id = in_period and b.block = touched.block
      on conflict do nothing;
      select c.counts into own_counts from leaderboard_counts c
      where c.period_id = in_period and c.block = touched.block and c.lane = touched.lane for no key update;
    end if;

    full_places := '{}';
    for i in 1..cardinality(touched.places) loop
      place := touched.places[i];
      own_counts[place] := own_counts[place] + touched.changes[i];
      if own_counts[place] > most then
        full_places := full_places || place;
      end if;
    end loop;
    update leaderboard_counts c set counts = own_counts, total = c.total + touched.total
    where c.period_id = in_period and c.block = touched.block and c.lane = touched.lane;

    continue when cardinality(full_places) = 0;
    select b.* into own from leaderboard_blocks b where b.period_id = in_period and b.block = touched.block and not b.is_full;
    continue when not found;
    foreach place in array full_places loop
      -- A range of one score cannot be cut; scores have at most eight decimals.
      continue when coalesce(own.bounds[place], own.upper) - coalesce(own.bounds[place - 1], own.lower) is not distinct from 0.00000001;
      -- Skips a block that another transaction is already marking.
      update leaderboard_blocks b set is_full = true where b.period_id = in_period and b.block = (
        select f.block from leaderboard_blocks f where f.period_id = in_period and f.block = own.block and not f.is_full for no key update skip locked);
      exit;
    end loop;
  end loop;
end $$;

-- The signature with one lane, which older versions call.
create or replace function leaderboard_count(in_period integer, in_lane integer, in_scores numeric[], in_changes integer[]) returns void
language sql as $$
  select leaderboard_count_changes(in_period, array_fill(in_lane, array[cardinality(in_scores)]), in_scores, in_changes)
$$;

-- The lane by which a player's scores are counted (`boardLaneOf` in server/model/kernel/lanes.ts).
create or replace function board_lane(in_part smallint) returns smallint immutable parallel safe language sql
  as $$ select ((hashint2(in_part)::bigint + 2147483648) >> 30)::smallint $$;

-- Adds to scores without reading them first, and returns the rows to count: each score before and after, as `sort_score`. The caller holds
-- the players' locks. `in_moved` is the last fact that moved a score, null if none did; a new score counts as reached by that fact, else by
-- the first one. A new player in one of `in_leagues` gets a row that waits for a seat. The planner's settings are fixed because statements
-- are planned once, when the tables are still empty.
create or replace function leaderboard_add(
  in_parts smallint[], in_players uuid[], in_periods integer[], in_scores numeric[], in_first bigint[], in_moved bigint[], in_leagues integer[]
) returns table (period_id integer, lane smallint, score numeric, change integer)
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  answered integer;
begin
  return query
    with updated as (
      update leaderboard_scores s set sort_score = s.sort_score + g.score, reached_seq = g.moved
      from (select unnest(in_parts) as part, unnest(in_players) as player_id, unnest(in_periods) as period_id, unnest(in_scores) as score,
        unnest(in_moved) as moved) g
      where s.part = g.part and s.player_id = g.player_id and s.period_id = g.period_id and g.moved is not null /* spread: and (s.part = in_parts[1] or s.part = any(in_parts)) */
      returning s.period_id, board_lane(s.part) as lane, s.sort_score - g.score as before, s.sort_score as after
    )
    select u.period_id, u.lane, c.score, c.change from updated u cross join lateral (values (u.before, -1), (u.after, 1)) as c(score, change);
  get diagnostics answered = row_count;

  if answered < 2 * cardinality(in_parts) then
    return query
      with given as (
        select * from unnest(in_parts, in_players, in_periods, in_scores, in_first, in_moved)
          as g(part, player_id, period_id, score, first, moved)
      ), inserted as (
        insert into leaderboard_scores (part, player_id, period_id, sort_score, reached_seq)
        select g.part, g.player_id, g.period_id, g.score, coalesce(g.moved, g.first) from given g
        on conflict do nothing
        returning part, player_id, period_id, sort_score
      ), seated as (
        insert into leaderboard_seats (part, player_id, period_id, first_seq)
        select i.part, i.player_id, i.period_id, g.first
        from inserted i join given g on g.part = i.part and g.player_id = i.player_id and g.period_id = i.period_id
        where i.period_id = any(in_leagues)
        on conflict do nothing
      )
      select i.period_id, board_lane(i.part), i.sort_score, 1 from inserted i;
  end if;
end $$;

-- Replaces worse scores and adds missing ones, without reading them first; otherwise like leaderboard_add. The better
-- `sort_score` is the larger one where `in_signs` is 1, the smaller one where it is -1.
create or replace function leaderboard_keep(
  in_signs smallint[], in_parts smallint[], in_players uuid[], in_periods integer[], in_scores numeric[], in_first bigint[], in_reached bigint[], in_leagues integer[]
) returns table (period_id integer, lane smallint, score numeric, change integer)
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    with changed as materialized (
      select g.part, g.player_id, g.period_id, g.score, g.first, g.reached, s.sort_score as before
      from (select unnest(in_signs) as sign, unnest(in_parts) as part, unnest(in_players) as player_id, unnest(in_periods) as period_id,
        unnest(in_scores) as score, unnest(in_first) as first, unnest(in_reached) as reached) g
      left join leaderboard_scores s on s.part = g.part and s.player_id = g.player_id and s.period_id = g.period_id
      where s.sort_score is null or (g.score - s.sort_score) * g.sign > 0
    ), updated as (
      update leaderboard_scores s set sort_score = c.score, reached_seq = c.reached
      from changed c
      where c.before is not null and s.part = c.part and s.player_id = c.player_id and s.period_id = c.period_id
    ), inserted as (
      insert into leaderboard_scores (part, player_id, period_id, sort_score, reached_seq)
      select c.part, c.player_id, c.period_id, c.score, c.reached from changed c where c.before is null
    ), seated as (
      insert into leaderboard_seats (part, player_id, period_id, first_seq)
      select c.part, c.player_id, c.period_id, c.first from changed c where c.before is null and c.period_id = any(in_leagues)
      on conflict do nothing
    )
    select c.period_id, board_lane(c.part), n.score, n.change
    from changed c cross join lateral (values (c.before, -1), (c.score, 1)) as n(score, change) where n.score is not null;
end $$;

-- The lower bound of the range that a score falls into, and the number of scores before that range. Planned once: planning took longer than
-- execution, and with these settings there is only one plan.
create or replace function leaderboard_range(in_period integer, in_score numeric, out lower numeric, out before bigint) stable
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
declare
  own leaderboard_blocks;
  place integer;
begin
  select b.* into own from leaderboard_blocks b
  where b.period_id = in_period and (b.lower is null or b.lower <= in_score) and (b.upper is null or in_score < b.upper);
  place := width_bucket(in_score, own.bounds);
  lower := coalesce(own.bounds[place], own.lower, '-infinity');

  select coalesce(sum(case when c.block = own.block then (select coalesce(sum(n), 0) from unnest(c.counts[1:place]) n) else c.total end), 0)
  into before from leaderboard_blocks b join leaderboard_counts c on c.period_id = b.period_id and c.block = b.block
  where b.period_id = in_period and (b.block = own.block or b.upper <= in_score);
end $$;

-- The competition rank that a score has, or would have, in a period.
create or replace function leaderboard_rank(in_period integer, in_score numeric) returns bigint stable
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
declare
  own record;
  beside bigint := 0;
begin
  own := leaderboard_range(in_period, in_score);
  if own.lower < in_score then
    select count(*) into beside from leaderboard_scores s
    where s.period_id = in_period and s.sort_score >= own.lower and s.sort_score < in_score;
  end if;
  return 1 + own.before + beside;
end $$;

-- The standings of a period for several readers, in one snapshot. `top`: the first rows, each [name, sort_score, player_id]. `readers`: for
-- each reader with a row [the reader's number from 1, ranks, above, own, below]. Above and below are [names, scores], the nearest first,
-- own is one name and one score. The ranks are of the first row shown, and of the first one with another score; the second one is null
-- where the row before those shown has another score, since it then follows from the rows: one more row is read above for that. All readers
-- share one read of the running sums of block counts and of the top rows, and one start of the statements. Rows of a reader's range are
-- counted from the end nearer to the score. Each `offset 0` prevents an expression from being evaluated for every use. JIT is off: limits
-- unknown at planning raise the cost estimate, and compiling takes longer than thousands of readers.
create or replace function leaderboard_standings_of(
  in_period integer, in_parts smallint[], in_players uuid[], in_top integer, in_neighbours integer[],
  out participants bigint, out top json, out readers json
) stable language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_memoize = off
  set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  all_blocks integer[];
  all_lowers numeric[];
  all_through bigint[];
begin
  select array_agg(b.block), coalesce((array_agg(b.lower))[2:], '{}'), array_agg(b.through), coalesce(max(b.through), 0)
  into all_blocks, all_lowers, all_through, participants
  from (
    select t.block, t.lower, sum(t.total) over (order by t.lower nulls first rows unbounded preceding) as through
    from (
      select u.block, max(u.lower) as lower, sum(u.total)::integer as total from (
        select b.block, b.lower, 0 as total from leaderboard_blocks b where b.period_id = in_period
        union all
        select c.block, null, c.total from leaderboard_counts c where c.period_id = in_period
      ) u group by u.block
    ) t
    order by t.lower nulls first
  ) b;

  select coalesce(json_agg(json_build_array(coalesce(s.team_key, p.display_name), s.sort_score, s.player_id)), '[]') into top
  from (
    select s.part, s.player_id, s.sort_score, s.team_key from leaderboard_scores s
    where s.period_id = in_period order by s.sort_score, s.reached_seq, s.player_id limit in_top
  ) s left join players p on p.part = s.part and p.player_id = s.player_id;

  select coalesce(json_agg(json_build_array(k.at, r.ranks,
      json_build_array(coalesce(a.names, '[]'), coalesce(a.scores[:k.neighbours], '{}')),
      json_build_array(coalesce(o.team_key, p.display_name), o.sort_score),
      json_build_array(coalesce(c.names, '[]'), coalesce(c.scores, '{}')))), '[]')
  into readers
  from unnest(in_parts, in_players, in_neighbours) with ordinality as k(part, player_id, neighbours, at)
  join leaderboard_scores o on o.part = k.part and o.player_id = k.player_id and o.period_id = in_period
  left join players p on p.part = o.part and p.player_id = o.player_id
  cross join lateral (
    select array_agg(s.sort_score) as scores, json_agg(coalesce(s.team_key, n.display_name)) as names
    from (
      select s.part, s.player_id, s.sort_score, s.team_key from leaderboard_scores s
      where s.period_id = in_period and (s.sort_score, s.reached_seq, s.player_id) < (o.sort_score, o.reached_seq, o.player_id)
      order by s.sort_score desc, s.reached_seq desc, s.player_id desc limit case when k.neighbours = 0 then 0 else k.neighbours + 1 end
    ) s left join players n on n.part = s.part and n.player_id = s.player_id
  ) a
  cross join lateral (
    select array_agg(s.sort_score) as scores, json_agg(coalesce(s.team_key, n.display_name)) as names
    from (
      select s.part, s.player_id, s.sort_score, s.team_key from leaderboard_scores s
      where s.period_id = in_period and (s.sort_score, s.reached_seq, s.player_id) > (o.sort_score, o.reached_seq, o.player_id)
      order by s.sort_score, s.reached_seq, s.player_id limit k.neighbours
    ) s left join players n on n.part = s.part and n.player_id = s.player_id
  ) c
  cross join lateral (
    select f.score, width_bucket(f.score, all_lowers) + 1 as at,
      case when f.score = f.before then (
        select min(m.score) from unnest(a.scores[:k.neighbours] || o.sort_score || c.scores) as m(score) where m.score > f.score) end as second
    from (
      select coalesce(a.scores[least(k.neighbours, cardinality(a.scores))], o.sort_score) as score, a.scores[k.neighbours + 1] as before offset 0
    ) f offset 0
  ) f
  cross join lateral (
    select array[t.first, case
        when f.second is null then null
        when f.second < t.high or t.high is null then t.first + (
          select count(*) from leaderboard_scores s where s.period_id = in_period and s.sort_score >= f.score and s.sort_score < f.second)
        else 1 + t.edged + case when t.from_upper then 0 else (
          select sum(q.counts[t.place + 1]) from leaderboard_counts q where q.period_id = in_period and q.block = t.block) end
      end] as ranks
    from (
      select z.*, 1 + z.edged + case when z.from_upper then -z.beside else z.beside end as first
      from (
        select y.block, y.place, y.high, y.from_upper,
          coalesce(all_through[case when y.is_early then f.at - 1 else f.at end], 0) + case when y.is_early then 1 else -1 end * (
            select coalesce(sum(g.n), 0) from (
              select unnest(case when y.is_early then q.counts[:y.edge] else q.counts[y.edge + 1:] end) as n
              from leaderboard_counts q where q.period_id = in_period and q.block = y.block) g) as edged,
          (select count(*) from leaderboard_scores s
            where s.period_id = in_period and s.sort_score >= case when y.from_upper then f.score else coalesce(y.low, '-infinity') end
              and s.sort_score < case when y.from_upper then y.high else f.score end) as beside
        from (
          select w.*, w.place + case when w.from_upper then 1 else 0 end as edge
          from (
            select u.*, coalesce(u.high - f.score < f.score - u.low, false) as from_upper
            from (
              select x.block, x.place, 2 * x.place <= cardinality(x.bounds) as is_early,
                coalesce(x.bounds[x.place], x.lower) as low, coalesce(x.bounds[x.place + 1], x.upper) as high
              from (
                select b.block, b.lower, b.upper, b.bounds, width_bucket(f.score, b.bounds) as place
                from leaderboard_blocks b where b.period_id = in_period and b.block = all_blocks[f.at]
                offset 0
              ) x offset 0
            ) u offset 0
          ) w offset 0
        ) y offset 0
      ) z offset 0
    ) t
  ) r;
end $$;
