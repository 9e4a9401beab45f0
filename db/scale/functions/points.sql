-- The coordinator assigns the positions in the order of facts.
create or replace function points_grant(in_rows json, in_cuts boolean)
returns table (part smallint, player_id uuid, amount bigint, environment_id integer, source_type text, source_definition_id integer, occurred_at timestamptz)
language plpgsql as $$
declare
  parts smallint[];
  arguments text[];
begin
  select array_agg(r.part), array_agg(array[r.rows, array(select nextval('fact_seq') from generate_series(1, r.count))::text, in_cuts::text])
  into parts, arguments from rows_by_shard(in_rows) r;
  return query
    select u.*
    from at_shards(parts, $statement$
      with positions as materialized (
        select $1[2]::bigint[] as seqs
      ), given as (
        select *, row_number() over (order by part, "playerId", "order") as place,
          case when not $1[3]::boolean then points else greatest(0, least(points, (1::bigint << 53) - 1
            - coalesce(sum(points) over (partition by part, "playerId" order by "order" rows between unbounded preceding and 1 preceding), 0)
            - coalesce((select b.balance from {balances} b where b.part = r.part and b.player_id = r."playerId"), 0))) end as amount
        from json_to_recordset($1[1]::json) as r("part" smallint, "playerId" uuid, "id" uuid, "environmentId" int, "points" bigint,
          "sourceType" text, "sourceId" uuid, "sourceDefinitionId" int, "ordinal" smallint, "at" float8, "order" int)
      ), granted as (
        insert into {points_transactions}
          (part, player_id, id, environment_id, seq, type, amount, source_type, source_id, source_definition_id, ordinal, occurred_at)
        select part, "playerId", id, "environmentId", (select p.seqs from positions p)[place], 'Grant', amount,
          "sourceType", "sourceId", "sourceDefinitionId", ordinal, to_timestamp("at" / 1000)
        from given order by place
        on conflict do nothing
        returning part, player_id, amount, environment_id, source_type, source_definition_id, occurred_at
      ), credited as (
        insert into {balances} as b (part, player_id, balance, total_granted)
        select part, player_id, sum(amount), sum(amount) from granted group by part, player_id order by part, player_id
        on conflict (part, player_id) do update
          set balance = b.balance + excluded.balance, total_granted = b.total_granted + excluded.total_granted
      )
      select array[array_agg(part)::text, array_agg(player_id)::text, array_agg(amount)::text, array_agg(environment_id)::text,
        array_agg(source_type)::text, array_agg(source_definition_id)::text, array_agg(occurred_at)::text] from granted
    $statement$, arguments) a(answer)
    cross join unnest(a.answer[1]::smallint[], a.answer[2]::uuid[], a.answer[3]::bigint[], a.answer[4]::integer[],
      a.answer[5]::text[], a.answer[6]::integer[], a.answer[7]::timestamptz[]) u;
end $$;
