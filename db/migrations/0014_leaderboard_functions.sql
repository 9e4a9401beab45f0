-- Ranks from counts (server/leaderboards/README.md): a rank is one more than the scores of all better ranges, and those that
-- are better in its own, which is short. Scores are `sort_score`: the smaller, the better.

-- Adds to the counts of a lane in a period. Called at the end of a transaction that has written scores. The lock (class 4)
-- is held alone by whoever cuts ranges (leaderboard_recut): what is written and not counted yet is counted by the ranges as
-- they are then.
create function leaderboard_count(in_period integer, in_lane integer, in_scores numeric[], in_changes integer[]) returns void
language plpgsql as $$
declare
  -- So many of one lane in a range, and it ought to be cut: with four lanes a range has some hundreds.
  most constant integer := 250;
  all_blocks integer[];
  all_lowers numeric[];
  touched record;
  own leaderboard_blocks;
  own_bounds numeric[];
  own_counts integer[];
  own_scores numeric[];
  own_changes integer[];
  place integer;
  fills_up boolean;
begin
  perform pg_advisory_xact_lock_shared(4, in_period);
  select array_agg(b.block order by b.lower nulls first), coalesce(array_agg(b.lower order by b.lower) filter (where b.lower is not null), '{}')
  into all_blocks, all_lowers from leaderboard_blocks b where b.period_id = in_period;

  for touched in
    select width_bucket(c.score, all_lowers) + 1 as place, array_agg(c.score) as scores, array_agg(c.change) as changes, sum(c.change) as total
    from unnest(in_scores, in_changes) as c(score, change) group by 1 order by 1
  loop
    select b.* into own from leaderboard_blocks b where b.period_id = in_period and b.block = all_blocks[touched.place];
    own_bounds := own.bounds;
    own_scores := touched.scores;
    own_changes := touched.changes;
    select c.counts into own_counts from leaderboard_counts c
    where c.period_id = in_period and c.block = own.block and c.lane = in_lane for no key update;
    if not found then
      insert into leaderboard_counts (period_id, block, lane, total, counts)
      values (in_period, own.block, in_lane, 0, array_fill(0, array[cardinality(own_bounds) + 1])) on conflict do nothing;
      select c.counts into own_counts from leaderboard_counts c
      where c.period_id = in_period and c.block = own.block and c.lane = in_lane for no key update;
    end if;

    fills_up := false;
    for i in 1..cardinality(own_scores) loop
      place := width_bucket(own_scores[i], own_bounds) + 1;
      own_counts[place] := own_counts[place] + own_changes[i];
      if own_counts[place] > most and not fills_up then
        -- A range of one score cannot be cut; scores have at most eight decimals.
        fills_up := coalesce(own_bounds[place], own.upper) - coalesce(own_bounds[place - 1], own.lower) is distinct from 0.00000001;
      end if;
    end loop;
    update leaderboard_counts c set counts = own_counts, total = c.total + touched.total
    where c.period_id = in_period and c.block = own.block and c.lane = in_lane;

    if fills_up and not own.is_full then
      -- Whoever is just marking it does it for all.
      update leaderboard_blocks b set is_full = true where b.period_id = in_period and b.block = (
        select f.block from leaderboard_blocks f where f.period_id = in_period and f.block = own.block and not f.is_full for no key update skip locked);
    end if;
  end loop;
end $$;
--> statement-breakpoint
-- The competition rank that a score has, or would have, in a period.
create function leaderboard_rank(in_period integer, in_score numeric) returns bigint stable
language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  own leaderboard_blocks;
  own_lower numeric;
  place integer;
  before bigint;
  beside bigint;
begin
  select b.* into own from leaderboard_blocks b
  where b.period_id = in_period and (b.lower is null or b.lower <= in_score) and (b.upper is null or in_score < b.upper);
  place := width_bucket(in_score, own.bounds);
  own_lower := coalesce(own.bounds[place], own.lower, '-infinity');

  select coalesce(sum(case when c.block = own.block then (select coalesce(sum(n), 0) from unnest(c.counts[1:place]) n) else c.total end), 0)
  into before from leaderboard_blocks b join leaderboard_counts c on c.period_id = b.period_id and c.block = b.block
  where b.period_id = in_period and (b.block = own.block or b.upper <= in_score);

  select count(*) into beside from leaderboard_scores s
  where s.period_id = in_period and s.sort_score >= own_lower and s.sort_score < in_score;
  return 1 + before + beside;
end $$;
--> statement-breakpoint
-- The first rows of a period, and those around one of them, which is in_player's. Rows are [name, sort_score, whether it is
-- in_player's]. Of the rows around, the ranks of the first and of the first one with another score are told: the others follow.
create function leaderboard_standings(
  in_period integer, in_part smallint, in_player uuid, in_top integer, in_neighbours integer,
  out participants bigint, out top json, out around json, out first_rank bigint, out second_rank bigint
) stable language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  own leaderboard_scores;
  first_score numeric;
  second_score numeric;
begin
  select coalesce(sum(c.total), 0) into participants from leaderboard_counts c where c.period_id = in_period;

  select coalesce(json_agg(json_build_array(coalesce(s.team_key, p.display_name), s.sort_score::text, s.player_id = in_player) order by s.sort_score, s.reached_seq, s.player_id), '[]')
  into top from (
    select * from leaderboard_scores s where s.period_id = in_period order by s.sort_score, s.reached_seq, s.player_id limit in_top
  ) s left join players p on p.part = s.part and p.player_id = s.player_id;

  select s.* into own from leaderboard_scores s where s.part = in_part and s.player_id = in_player and s.period_id = in_period;
  if not found then
    around := '[]';
    return;
  end if;
  with near as (
    (select * from leaderboard_scores s
      where s.period_id = in_period and (s.sort_score, s.reached_seq, s.player_id) < (own.sort_score, own.reached_seq, own.player_id)
      order by s.sort_score desc, s.reached_seq desc, s.player_id desc limit in_neighbours)
    union all
    (select * from leaderboard_scores s
      where s.period_id = in_period and (s.sort_score, s.reached_seq, s.player_id) >= (own.sort_score, own.reached_seq, own.player_id)
      order by s.sort_score, s.reached_seq, s.player_id limit in_neighbours + 1)
  )
  select json_agg(json_build_array(coalesce(s.team_key, p.display_name), s.sort_score::text, s.player_id = in_player) order by s.sort_score, s.reached_seq, s.player_id),
    min(s.sort_score), min(s.sort_score) filter (where s.sort_score > (select min(n.sort_score) from near n))
  into around, first_score, second_score
  from near s left join players p on p.part = s.part and p.player_id = s.player_id;
  first_rank := leaderboard_rank(in_period, first_score);
  if second_score is not null then
    second_rank := leaderboard_rank(in_period, second_score);
  end if;
end $$;
