-- Prepares a transaction to write for players: it will commit in two phases, and no shard moves before it ends. Citus alone commits one that
-- writes here and on a single other machine there first. If the coordinator failed then, its part would be undone: a fact would be applied and
-- still be in the queue. An insert that copies rows between machines, even none, makes Citus commit in two phases and locks all shards against
-- moves. The transaction has one connection to each machine, so that statements for all shards there (`at_shards`) see what those for one shard
-- have written, and do not wait for it: in any mode but the sequential one, an insert of a set takes a second connection for a shard that Citus
-- itself has not written yet. Returns the machines on which the transaction has written, by number: ' 2 5 '.
create or replace function open_writes() returns text language plpgsql as $$
declare
  machines text := current_setting('engagement.written_machines', true);
begin
  if machines <> '' then
    return machines;
  end if;
  perform set_config('citus.max_adaptive_executor_pool_size', '1', true), set_config('citus.multi_shard_modify_mode', 'sequential', true),
    set_config('engagement.written_machines', ' ', true);
  insert into balances (part, player_id, balance) select 0::smallint, gen_random_uuid(), 0 where false;
  return ' ';
end $$;

-- As on one server, with `open_writes`.
create or replace function hold_players(in_environment_id integer) returns integer language plpgsql as $$
declare
  patience text := coalesce(nullif(current_setting('lock_timeout'), '0'), '10s');
begin
  if not pg_try_advisory_xact_lock_shared(3, in_environment_id) then
    perform set_config('lock_timeout', '2s', true);
    perform pg_advisory_xact_lock_shared(3, in_environment_id);
  end if;
  perform set_config('lock_timeout', patience, true);
  perform open_writes();
  return in_environment_id;
end $$;

create or replace function is_spread() returns boolean immutable parallel safe language sql as $$ select true $$;

-- Fails where a machine does not answer: it may have prepared transactions too.
create or replace function prepared_elsewhere() returns setof text volatile parallel unsafe language plpgsql as $$
begin
  return query
    select distinct p.name
    from ask_every_shard($statement$
      select array[string_agg(x.gid, ' ')] from pg_prepared_xacts x where x.database = current_database() and x.gid like 'citus%'
    $statement$, '{null}') a(answer)
    cross join regexp_split_to_table(a.answer[1], ' ') as p(name);
end $$;
