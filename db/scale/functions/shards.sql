-- The lowest hash of each shard, in order: `width_bucket(hashint2(part), shard_bounds())` is the number of a part's shard. Citus' own function
-- for it takes 2 µs for each row.
create or replace function shard_bounds() returns integer[] stable language plpgsql as $$
begin
  return (select array_agg(s.shardminvalue::integer order by s.shardminvalue::integer) from pg_dist_shard s where s.logicalrelid = 'players'::regclass);
end $$;

-- Runs a statement in shards, each named by one of its parts, with a row of arguments for each: {name} stands for the shard of a table, $1
-- for the arguments. Each machine is asked once for all of its shards, in their order, and returns an answer for each; PostgreSQL plans the
-- statement there, without Citus. Through Citus an `insert … select` would copy each row through the coordinator, and each row that it returns:
-- grants, completions and scores of an event cost the coordinator 47 µs that way, and 16 this way. `in_prepared`: as `run_prepared_in_shards`.
create or replace function at_shards(in_parts smallint[], in_statement text, in_arguments text[], in_prepared boolean default false)
returns setof text[] language plpgsql as $$
begin
  return query select * from ask_shards(in_parts, in_statement, in_arguments, open_writes(), in_prepared);
end $$;

-- A call with three arguments would be ambiguous beside them.
drop function if exists at_shards(smallint[], text, text[]);
drop function if exists ask_shards(smallint[], text, text[]);

-- The same, but without `written` it only reads, and shards may move meanwhile. A delete of no row tells Citus that the transaction writes on
-- a machine. The query calls the function on the machine once, since a count of no rows is one row: Citus caches the plan of so simple a query.
-- The plan that finds the machines is cached too: making it takes as long as asking one.
create or replace function ask_shards(
  in_parts smallint[], in_statement text, in_arguments text[], written text default null, in_prepared boolean default false
) returns setof text[] language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  own record;
  answers text[];
begin
  for own in
    select l.machine, min(k.part) as part, array_agg(k.part order by k.shard) as parts,
      array_agg(array(select unnest(in_arguments[k.at:k.at])) order by k.shard) as arguments
    from (
      select p.part, p.at, get_shard_id_for_distribution_column('players', p.part) as shard from unnest(in_parts) with ordinality as p(part, at)
    ) k
    cross join lateral (select l.groupid as machine from pg_dist_placement l where l.shardid = k.shard limit 1) l
    group by l.machine order by l.machine
  loop
    if strpos(written, format(' %s ', own.machine)) = 0 then
      delete from balances where part = own.part and player_id = '00000000-0000-0000-0000-000000000000';
      written := written || own.machine || ' ';
      perform set_config('engagement.written_machines', written, true);
    end if;
    select case when count(*) > 0 then null when in_prepared then run_prepared_in_shards(own.parts, in_statement, own.arguments)
      else run_in_shards(own.parts, in_statement, own.arguments) end into answers
    from players where part = own.part and player_id = '00000000-0000-0000-0000-000000000000';
    return query select array(select unnest(answers[k:k])) from generate_subscripts(answers, 1) k;
  end loop;
end $$;

-- Reads in every shard, for background work that asks whether there is anything to do.
create or replace function ask_every_shard(in_statement text, in_arguments text[]) returns setof text[] language plpgsql as $$
declare
  bounds integer[] := shard_bounds();
  parts smallint[];
  arguments text[];
begin
  select array_agg(k.part), array_agg(in_arguments) into parts, arguments
  from (select min(g::smallint) as part from generate_series(0, 1023) g group by width_bucket(hashint2(g::smallint), bounds)) k;
  return query select * from ask_shards(parts, in_statement, arguments);
end $$;

-- Runs on the machine of the shards.
create or replace function run_in_shards(in_parts smallint[], in_statement text, in_arguments text[]) returns text[]
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  names text[] := array(select distinct named[1] from regexp_matches(in_statement, '{(\w+)}', 'g') as named);
  own text;
  own_statement text;
  answer text[];
  answers text[];
begin
  for i in 1..cardinality(in_parts) loop
    own_statement := in_statement;
    foreach own in array names loop
      own_statement := replace(own_statement, '{' || own || '}', own || '_' || get_shard_id_for_distribution_column(own::regclass, in_parts[i]));
    end loop;
    execute own_statement into answer using array(select unnest(in_arguments[i:i]));
    answers := answers || array[answer];
  end loop;
  return answers;
end $$;

-- The same for statements that take longer to plan than to run: several, separated by semicolons, of which the last one answers. They are
-- prepared for each shard, in the connection. Those of a purchase take 700 kB a shard, so all are dropped once there are many.
create or replace function run_prepared_in_shards(in_parts smallint[], in_statements text, in_arguments text[]) returns text[]
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  prepared text[] := array(select p.name from pg_prepared_statements p);
  own text;
  own_statement text;
  name text;
  answer text[];
  answers text[];
begin
  if cardinality(prepared) > 150 then
    deallocate all;
    prepared := '{}';
  end if;
  for i in 1..cardinality(in_parts) loop
    foreach own_statement in array string_to_array(in_statements, ';') loop
      name := md5(own_statement || get_shard_id_for_distribution_column('players', in_parts[i]));
      if name <> all(prepared) then
        foreach own in array array(select distinct named[1] from regexp_matches(own_statement, '{(\w+)}', 'g') as named) loop
          own_statement := replace(own_statement, '{' || own || '}', own || '_' || get_shard_id_for_distribution_column(own::regclass, in_parts[i]));
        end loop;
        execute format('prepare %I (text[]) as %s', name, own_statement);
      end if;
      execute format('execute %I (%L)', name, array(select unnest(in_arguments[i:i]))) into answer;
    end loop;
    answers := answers || array[answer];
  end loop;
  return answers;
end $$;

-- Splits rows by the shards of their parts.
create or replace function rows_by_shard(in_rows json) returns table (part smallint, rows text, count bigint) language plpgsql as $$
#variable_conflict use_column
declare
  bounds integer[] := shard_bounds();
begin
  return query
    select min(r.part), json_agg(r.content)::text, count(*)
    from (select e.content, (e.content ->> 'part')::smallint as part from json_array_elements(in_rows) as e(content)) r
    group by width_bucket(hashint2(r.part), bounds);
end $$;

-- Runs a statement about leaderboards on each machine that has players of these parts (null: on every machine) and returns the answers.
-- {scores} stands for all shards of scores there, with the column `shard`, and {name} for the display name of the player of a row `s` of them.
-- A machine is asked once for all of its shards, and PostgreSQL plans the statement there, once for each connection. Only then does the machine
-- write the names of its shards into the statement: sending them with every call took a fifth of a read.
create or replace function at_each_machine(in_parts smallint[], in_statement text, in_arguments text[]) returns setof text[]
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  own record;
  answer text[];
begin
  for own in
    -- Any part of the machine's first shard addresses the machine.
    select m.scores, m.names, (
      select k.part::smallint from (select generate_series(0, 1023) as part) k
      where hashint2(k.part::smallint) between m.lower and m.upper limit 1) as part
    from (
      select min(s.shardminvalue::integer) as lower, min(s.shardmaxvalue::integer) as upper,
        array_agg(s.shardid order by s.shardid) as scores, array_agg(n.shardid order by s.shardid) as names
      from pg_dist_shard s
      join pg_dist_placement l on l.shardid = s.shardid
      join pg_dist_shard n on n.logicalrelid = 'players'::regclass and n.shardminvalue = s.shardminvalue
      where s.logicalrelid = 'leaderboard_scores'::regclass
      group by l.groupid
      having in_parts is null or bool_or(exists (
        select from unnest(in_parts) as p(part) where hashint2(p.part) between s.shardminvalue::integer and s.shardmaxvalue::integer))
    ) m
  loop
    -- As in `at_shards`.
    select case when count(*) = 0 then run_prepared(in_statement, own.scores, own.names, in_arguments) end into answer
    from players where part = own.part and player_id = '00000000-0000-0000-0000-000000000000';
    return next answer;
  end loop;
end $$;

-- Runs a statement in these shards of scores and players; the connection prepares it the first time. If a shard has moved away, it fails as
-- after a conflict, and the caller tries again.
create or replace function run_prepared(in_statement text, in_scores bigint[], in_names bigint[], in_arguments text[]) returns text[]
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
declare
  own text := md5(in_statement || in_scores::text);
  scores text;
  names text;
  answer text[];
begin
  begin
    execute format('execute %I (%L)', own, in_arguments) into answer;
  exception when invalid_sql_statement_name then
    select string_agg(format('select %s as shard, * from leaderboard_scores_%1$s', k.scores), ' union all '),
      string_agg(format('when %s then (select p.display_name from players_%s p where p.part = s.part and p.player_id = s.player_id)',
        k.scores, k.names), ' ')
    into scores, names from unnest(in_scores, in_names) as k(scores, names);
    execute format('prepare %I (text[]) as %s', own,
      replace(replace(in_statement, '{scores}', '(' || scores || ')'), '{name}', 'case s.shard ' || names || ' end'));
    execute format('execute %I (%L)', own, in_arguments) into answer;
  end;
  return answer;
exception when undefined_table then
  raise exception 'Players are being moved from this machine to another.' using errcode = 'serialization_failure';
end $$;
