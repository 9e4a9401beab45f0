-- Adds to scores without anybody having read them, and answers what is to be counted: each score that was and is. Both are
-- written as `sort_score`. The players are locked. Where a score is new it was reached by the last fact that moved it, or by
-- the first one; else `in_moved` is null where none did. Whoever is new in one of `in_leagues` is to be given a seat. The
-- planner is told: statements are planned once, on tables that are empty in the beginning.
create function leaderboard_add(
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
      from unnest(in_parts, in_players, in_periods, in_scores, in_moved) as g(part, player_id, period_id, score, moved)
      where s.part = g.part and s.player_id = g.player_id and s.period_id = g.period_id and g.moved is not null
      returning s.period_id, s.part >> 8 as lane, s.sort_score - g.score as before, s.sort_score as after
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
      select i.period_id, i.part >> 8, i.sort_score, 1 from inserted i;
  end if;
end $$;
--> statement-breakpoint
-- As before (0014), by sets: where the scores of a range only take each other's places, nothing is locked or written.
create or replace function leaderboard_count(in_period integer, in_lane integer, in_scores numeric[], in_changes integer[]) returns void
language plpgsql set enable_seqscan = off set enable_nestloop = off as $$
declare
  -- So many of one lane in a range, and it ought to be cut: with four lanes a range has some hundreds.
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
      select all_blocks[width_bucket(c.score, all_lowers) + 1] as block, c.score, c.change from unnest(in_scores, in_changes) as c(score, change)
    ), blocks as materialized (
      -- Joining nothing on unpacks the array once, and not for every score.
      select b.block, b.bounds || '{}'::numeric[] as bounds from leaderboard_blocks b
      where b.period_id = in_period and b.block = any((select array_agg(distinct p.block) from placed p)::integer[])
    ), changed as (
      select b.block, width_bucket(p.score, b.bounds) + 1 as place, sum(p.change)::integer as change
      from placed p join blocks b on b.block = p.block group by 1, 2 having sum(p.change) <> 0
    )
    select c.block, array_agg(c.place) as places, array_agg(c.change) as changes, sum(c.change) as total from changed c group by 1 order by 1
  loop
    select c.counts into own_counts from leaderboard_counts c
    where c.period_id = in_period and c.block = touched.block and c.lane = in_lane for no key update;
    if not found then
      insert into leaderboard_counts (period_id, block, lane, total, counts)
      select in_period, b.block, in_lane, 0, array_fill(0, array[cardinality(b.bounds) + 1])
      from leaderboard_blocks b where b.period_id = in_period and b.block = touched.block
      on conflict do nothing;
      select c.counts into own_counts from leaderboard_counts c
      where c.period_id = in_period and c.block = touched.block and c.lane = in_lane for no key update;
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
    where c.period_id = in_period and c.block = touched.block and c.lane = in_lane;

    continue when cardinality(full_places) = 0;
    select b.* into own from leaderboard_blocks b where b.period_id = in_period and b.block = touched.block and not b.is_full;
    continue when not found;
    foreach place in array full_places loop
      -- A range of one score cannot be cut; scores have at most eight decimals.
      continue when coalesce(own.bounds[place], own.upper) - coalesce(own.bounds[place - 1], own.lower) is not distinct from 0.00000001;
      -- Whoever is just marking it does it for all.
      update leaderboard_blocks b set is_full = true where b.period_id = in_period and b.block = (
        select f.block from leaderboard_blocks f where f.period_id = in_period and f.block = own.block and not f.is_full for no key update skip locked);
      exit;
    end loop;
  end loop;
end $$;
