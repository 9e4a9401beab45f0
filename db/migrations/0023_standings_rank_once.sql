-- As in 0014, with one row more read above those that are shown. Where that one has another score, all who share the first
-- score shown are among them, and the second rank follows from the first: counting a range once is half the work.
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

  select coalesce(json_agg(json_build_array(coalesce(s.team_key, p.display_name), s.sort_score::text, s.player_id = in_player) order by s.sort_score, s.reached_seq, s.player_id), '[]')
  into top from (
    select * from leaderboard_scores s where s.period_id = in_period order by s.sort_score, s.reached_seq, s.player_id limit in_top
  ) s left join players p on p.part = s.part and p.player_id = s.player_id;

  select s.* into own from leaderboard_scores s where s.part = in_part and s.player_id = in_player and s.period_id = in_period;
  if not found then
    around := '[]';
    return;
  end if;
  with above as materialized (
    select s.*, row_number() over (order by s.sort_score desc, s.reached_seq desc, s.player_id desc) as distance from leaderboard_scores s
    where s.period_id = in_period and (s.sort_score, s.reached_seq, s.player_id) < (own.sort_score, own.reached_seq, own.player_id)
    order by s.sort_score desc, s.reached_seq desc, s.player_id desc limit in_neighbours + 1
  ), near as (
    select part, player_id, sort_score, reached_seq, team_key from above where distance <= in_neighbours
    union all
    (select s.part, s.player_id, s.sort_score, s.reached_seq, s.team_key from leaderboard_scores s
      where s.period_id = in_period and (s.sort_score, s.reached_seq, s.player_id) >= (own.sort_score, own.reached_seq, own.player_id)
      order by s.sort_score, s.reached_seq, s.player_id limit in_neighbours + 1)
  )
  select json_agg(json_build_array(coalesce(s.team_key, p.display_name), s.sort_score::text, s.player_id = in_player) order by s.sort_score, s.reached_seq, s.player_id),
    min(s.sort_score), min(s.sort_score) filter (where s.sort_score > (select min(n.sort_score) from near n)),
    count(*) filter (where s.sort_score = (select min(n.sort_score) from near n)), (select a.sort_score from above a where a.distance > in_neighbours)
  into around, first_score, second_score, sharing, score_before
  from near s left join players p on p.part = s.part and p.player_id = s.player_id;
  first_rank := leaderboard_rank(in_period, first_score);
  if second_score is null then
    return;
  end if;
  second_rank := case when score_before = first_score then leaderboard_rank(in_period, second_score) else first_rank + sharing end;
end $$;
