-- Rows that are rewritten with every fact leave room on their page, so that they stay on it.
ALTER TABLE "leaderboard_scores" SET (fillfactor = 80);
--> statement-breakpoint
ALTER TABLE "streak_runs" SET (fillfactor = 80);
--> statement-breakpoint
-- Puts scores in the place of worse ones, or where there are none, without anybody having read them; else as
-- leaderboard_add (0019). The better `sort_score` is the larger one where `in_signs` is 1, the smaller one where it is -1.
create function leaderboard_keep(
  in_signs smallint[], in_parts smallint[], in_players uuid[], in_periods integer[], in_scores numeric[], in_first bigint[], in_reached bigint[], in_leagues integer[]
) returns table (period_id integer, lane smallint, score numeric, change integer)
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    with changed as materialized (
      select g.part, g.player_id, g.period_id, g.score, g.first, g.reached, s.sort_score as before
      from unnest(in_signs, in_parts, in_players, in_periods, in_scores, in_first, in_reached)
        as g(sign, part, player_id, period_id, score, first, reached)
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
    select c.period_id, c.part >> 8, n.score, n.change
    from changed c cross join lateral (values (c.before, -1), (c.score, 1)) as n(score, change) where n.score is not null;
end $$;
--> statement-breakpoint
-- What reads standings is planned once and not for every read, which took longer than reading them. With these settings
-- (0014) there is one way to read them, by the index they are sorted by.
alter function leaderboard_standings(integer, smallint, uuid, integer, integer) set plan_cache_mode = force_generic_plan;
--> statement-breakpoint
alter function leaderboard_rank(integer, numeric) set plan_cache_mode = force_generic_plan;
