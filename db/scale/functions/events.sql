-- Appends events to the log on their machines (`appendEvents` in server/game/events/store.ts), and returns the positions of the new ones. The
-- rows are JSON texts, which only the machine of their part parses. `in_received_at` replaces the instant of each row; newer versions pass
-- null. Through Citus a single event would cost the coordinator and the machines twice as much, and each of a hundred would cost the machines
-- five times as much.
create or replace function log_events(in_environment_id integer, in_parts smallint[], in_seqs bigint[], in_rows text[], in_received_at timestamptz)
returns table (seq bigint) language plpgsql as $$
declare
  bounds integer[] := shard_bounds();
  parts smallint[];
  arguments text[];
begin
  if in_parts is null then
    return;
  end if;
  select array_agg(o.part), array_agg(array[o.rows, o.seqs, in_environment_id::text, in_received_at::text]) into parts, arguments
  from (
    select min(r.part) as part, '[' || string_agg(r.content, ',') || ']' as rows, array_agg(r.seq)::text as seqs
    from unnest(in_parts, in_seqs, in_rows) as r(part, seq, content)
    group by width_bucket(hashint2(r.part), bounds)
  ) o;
  return query
    select unnest(a.answer[1]::bigint[])
    from at_shards(parts, $statement$
      with positions as materialized (
        select $1[2]::bigint[] as seqs
      ), logged as (
        insert into {events} (part, player_id, id, environment_id, definition_id, seq, occurred_at, received_at, properties)
        select p, u, i, $1[3]::integer, d, seqs[n] as seq, to_timestamp(o), coalesce($1[4]::timestamptz, to_timestamp(r)), x
        from rows from (json_to_recordset($1[1]::json) as (p smallint, u uuid, i uuid, d int, o float8, r float8, x json))
          with ordinality as r(p, u, i, d, o, r, x, n) cross join positions
        order by p, u, i, seq
        on conflict do nothing
        returning seq
      )
      select array[array_agg(seq)::text] from logged
    $statement$, arguments) a(answer);
end $$;
