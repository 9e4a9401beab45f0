create or replace function analytics_epochs(in_parts smallint[], in_players uuid[]) returns integer[] language plpgsql as $$
declare
  bounds integer[] := shard_bounds();
  parts smallint[];
  arguments text[];
begin
  select array_agg(o.part), array_agg(o.columns) into parts, arguments
  from (
    select min(k.part) as part, array[array_agg(k.part)::text, array_agg(k.player_id)::text, array_agg(k.at)::text] as columns
    from unnest(in_parts, in_players) with ordinality as k(part, player_id, at)
    group by width_bucket(hashint2(k.part), bounds)
  ) o;
  return array(
    select e.epoch
    from at_shards(parts, $statement$
      select array[$1[3], array_agg(coalesce(p.analytics_epoch, 0) order by k.at)::text]
      from unnest($1[1]::smallint[], $1[2]::uuid[]) with ordinality as k(part, player_id, at)
      left join {players} p on p.part = k.part and p.player_id = k.player_id
    $statement$, arguments) a(answer)
    cross join unnest(a.answer[1]::bigint[], a.answer[2]::integer[]) as e(place, epoch)
    order by e.place);
end $$;
