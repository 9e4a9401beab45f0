-- The functions that differ in a distributed database (docs/scaling.md). After every migration they replace those of the same name in
-- `db/functions/`. They run on the coordinator, which has the locks; the player data is on the machine of the player's part.

-- Prepares a transaction to write for players: it will commit in two phases, and shards are not moved before it ends. Otherwise one that writes
-- here and on a single other machine would be committed there first, and undone here if the coordinator failed in between: a fact would be
-- applied and still be in the queue. An insert that copies rows between machines, even none, makes Citus commit in two phases and locks all
-- shards against moves. The transaction has one connection to each machine, so that statements for all shards there (`at_shards`) see what
-- those for one shard have written, and do not wait for it: in any mode but the sequential one, an insert of a set takes a second connection
-- for a shard that Citus itself has not written yet. Returns the machines on which it has written: a space after each, and one before.
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

-- As on one server.
create or replace function hold_players(in_environment_id integer) returns integer language plpgsql as $$
declare
  patience text := current_setting('lock_timeout');
begin
  if not pg_try_advisory_xact_lock_shared(3, in_environment_id) then
    perform set_config('lock_timeout', '2s', true);
    perform pg_advisory_xact_lock_shared(3, in_environment_id);
    perform set_config('lock_timeout', patience, true);
  end if;
  perform open_writes();
  return in_environment_id;
end $$;

create or replace function is_spread() returns boolean immutable parallel safe language sql as $$ select true $$;

-- A machine that does not answer may have prepared transactions too: it counts as one, under its own name.
create or replace function prepared_elsewhere() returns setof text volatile parallel unsafe language sql as $$
  select case when w.success then p.name else 'unknown on ' || w.nodename || ':' || w.nodeport end
  from run_command_on_workers(
    $names$select string_agg(gid, ' ') from pg_prepared_xacts where database = current_database() and gid like 'citus%'$names$) w
  left join lateral regexp_split_to_table(w.result, ' ') as p(name) on w.success and w.result <> ''
  where p.name is not null or not w.success
$$;

-- Where the shards of a part begin among the hashes of all parts: `width_bucket(hashint2(part), shard_bounds())` is the place of a part's
-- shard. Citus' own function for it takes 2 µs for each row.
create or replace function shard_bounds() returns integer[] stable language plpgsql as $$
begin
  return (select array_agg(s.shardminvalue::integer order by s.shardminvalue::integer) from pg_dist_shard s where s.logicalrelid = 'players'::regclass);
end $$;

-- Runs a statement in shards, each named by one of its parts, with a row of arguments for each: {name} stands for the shard of a table, $1
-- for the arguments. Each machine is asked once for all of its shards, in their order, and returns an answer for each. There PostgreSQL alone
-- plans the statement. An `insert … select` through Citus copies each row through the coordinator, and each row that it returns: grants,
-- completions and scores of an event cost the coordinator 47 µs that way, and 16 this way. `in_prepared`: as `run_prepared_in_shards`.
create or replace function at_shards(in_parts smallint[], in_statement text, in_arguments text[], in_prepared boolean default false)
returns setof text[] language plpgsql as $$
begin
  return query select * from ask_shards(in_parts, in_statement, in_arguments, open_writes(), in_prepared);
end $$;

drop function if exists at_shards(smallint[], text, text[]);
drop function if exists ask_shards(smallint[], text, text[]);

-- As `at_shards`, but without `written` it only reads, and shards may be moved meanwhile. A delete of no row tells Citus that the transaction
-- writes on a machine. The query calls the function once, as a count of no rows is one row: Citus keeps the plan of so simple a query. The
-- machines are found by a plan that is kept too, as making it takes as long as asking one.
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
    if in_prepared then
      select case when count(*) = 0 then run_prepared_in_shards(own.parts, in_statement, own.arguments) end into answers
      from players where part = own.part and player_id = '00000000-0000-0000-0000-000000000000';
    else
      select case when count(*) = 0 then run_in_shards(own.parts, in_statement, own.arguments) end into answers
      from players where part = own.part and player_id = '00000000-0000-0000-0000-000000000000';
    end if;
    return query select array(select unnest(answers[k:k])) from generate_subscripts(answers, 1) k;
  end loop;
end $$;

-- The same in every shard, for background work that asks whether there is anything to do.
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

-- The same for statements that take longer to plan than to run: several, separated by semicolons, of which the last one answers. This
-- connection prepares them for each shard. Those of a purchase take 700 kB a shard, so all are forgotten once there are many.
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

drop function if exists note_writes(smallint[]);
drop function if exists at_shard(smallint, text, text[]);
drop function if exists run_in_shard(smallint, text, text[]);

-- Citus locks rows in one shard at a time only. Players of several shards are locked by their machines, each asked once, in the order of shards
-- and, there, of the key.
create or replace function lock_players(in_parts smallint[], in_players uuid[])
returns table (part smallint, player_id uuid, external_id text, time_zone text, hidden_at timestamptz, analytics_epoch integer, last_active_on date)
language plpgsql as $$
#variable_conflict use_column
declare
  bounds integer[] := shard_bounds();
  parts smallint[];
  arguments text[];
begin
  select array_agg(o.part order by o.shard), array_agg(o.columns order by o.shard) into parts, arguments
  from (
    select width_bucket(hashint2(k.part), bounds) as shard, min(k.part) as part, array[array_agg(k.part)::text, array_agg(k.player_id)::text] as columns
    from unnest(in_parts, in_players) as k(part, player_id)
    group by 1
  ) o;
  if cardinality(parts) = 1 then
    return query
      select p.part, p.player_id, p.external_id::text, p.time_zone, p.hidden_at::timestamptz, p.analytics_epoch, p.last_active_on
      from players p where p.part = any(in_parts) and p.player_id = any(in_players)
      order by p.part, p.player_id
      for no key update;
    return;
  end if;
  return query
    select u.*
    from at_shards(parts, $statement$
      with locked as materialized (
        select p.* from unnest($1[1]::smallint[], $1[2]::uuid[]) as k(part, player_id)
        join {players} p on p.part = k.part and p.player_id = k.player_id
        order by p.part, p.player_id
        for no key update of p
      )
      select array[array_agg(part)::text, array_agg(player_id)::text, array_agg(external_id)::text, array_agg(time_zone)::text,
        array_agg(hidden_at)::text, array_agg(analytics_epoch)::text, array_agg(last_active_on)::text] from locked
    $statement$, arguments) a(answer)
    cross join unnest(a.answer[1]::smallint[], a.answer[2]::uuid[], a.answer[3]::text[], a.answer[4]::text[], a.answer[5]::timestamptz[],
      a.answer[6]::integer[], a.answer[7]::date[]) u;
end $$;

-- Splits rows by the shard of their part.
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

-- Appends events to the log, on their machines (`appendEvents` in server/game/events/store.ts), and returns the positions of those that it did
-- not have. The rows are JSON texts, which the machine of their part reads. `in_received_at`, which newer versions leave null, replaces
-- the instant of each row if given. Through Citus a single event costs the coordinator and the machines twice as much, and one of a hundred
-- the machines five times.
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

drop function if exists log_events(integer, smallint[], json[]);

-- Positions in the order of facts are the coordinator's.
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

create or replace function complete_missions(in_rows json)
returns table (environment_id integer, part smallint, player_id uuid, mission_id integer, accepted_at timestamptz, completed_at timestamptz, rewards json)
language plpgsql as $$
declare
  parts smallint[];
  arguments text[];
begin
  select array_agg(r.part), array_agg(array[r.rows]) into parts, arguments from rows_by_shard(in_rows) r;
  return query
    select u.*
    from at_shards(parts, $statement$
      with written as (
        insert into {mission_completions}
          (part, player_id, environment_id, occurrence_id, mission_id, occurrence_number, started_at, accepted_at, completed_at, objectives, rewards)
        select part, "playerId", "environmentId", "occurrenceId", "missionId", "occurrenceNumber",
          to_timestamp("startedAt" / 1000), to_timestamp("acceptedAt" / 1000), to_timestamp("completedAt" / 1000), objectives, rewards
        from json_to_recordset($1[1]::json) as r("part" smallint, "playerId" uuid, "environmentId" int, "occurrenceId" uuid, "missionId" int,
          "occurrenceNumber" int, "startedAt" float8, "acceptedAt" float8, "completedAt" float8, "objectives" json, "rewards" json)
        on conflict do nothing
        returning environment_id, part, player_id, mission_id, accepted_at, completed_at, rewards
      )
      select array[array_agg(environment_id)::text, array_agg(part)::text, array_agg(player_id)::text, array_agg(mission_id)::text,
        array_agg(accepted_at)::text, array_agg(completed_at)::text, array_agg(rewards)::text] from written
    $statement$, arguments) a(answer)
    cross join unnest(a.answer[1]::integer[], a.answer[2]::smallint[], a.answer[3]::uuid[], a.answer[4]::integer[],
      a.answer[5]::timestamptz[], a.answer[6]::timestamptz[], a.answer[7]::json[]) u;
end $$;

-- Leaves out the days that the statement itself added: the other machines see them already.
create or replace function days_before(in_parts smallint[], in_players uuid[], in_days date[], in_hours smallint[])
returns table (part smallint, player_id uuid, day date, hour smallint, first_before date, was_active_in_week boolean, was_active_in_month boolean)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
    with added as materialized (
      select unnest(in_parts) as part, unnest(in_players) as player_id, unnest(in_days) as day, unnest(in_hours) as hour
    ), known as materialized (
      select d.part, d.player_id, d.day from (select distinct a.part, a.player_id from added a) a
      join player_days d on d.part = a.part and d.player_id = a.player_id and (d.part = in_parts[1] or d.part = any(in_parts))
    ), before as materialized (
      select k.* from known k where not exists (select from added a where a.player_id = k.player_id and a.day = k.day)
    )
    select a.part, a.player_id, a.day, a.hour, min(b.day),
      coalesce(bool_or(date_trunc('week', b.day::timestamp) = date_trunc('week', a.day::timestamp)), false),
      coalesce(bool_or(date_trunc('month', b.day::timestamp) = date_trunc('month', a.day::timestamp)), false)
    from added a left join before b on b.player_id = a.player_id
    group by a.part, a.player_id, a.day, a.hour;
end $$;

create or replace function first_days(in_parts smallint[], in_players uuid[])
returns table (part smallint, player_id uuid, day date) language plpgsql as $$
#variable_conflict use_column
begin
  return query
    with asked as materialized (
      select unnest(in_parts) as part, unnest(in_players) as player_id
    )
    select a.part, a.player_id, min(d.day) from asked a join player_days d on d.part = a.part and d.player_id = a.player_id and (d.part = in_parts[1] or d.part = any(in_parts))
    group by a.part, a.player_id;
end $$;

create or replace function streaks_before(in_parts smallint[], in_players uuid[], in_streaks integer[], in_starts date[])
returns table (at bigint, origin date, first date, last date, length integer, freezes integer, paid integer[], state text) language plpgsql as $$
#variable_conflict use_column
begin
  return query
    with asked as materialized (
      select unnest(in_parts) as part, unnest(in_players) as player_id, unnest(in_streaks) as streak_id, unnest(in_starts) as start,
        generate_series(1, cardinality(in_parts))::bigint as at
    ), runs as materialized (
      select distinct on (k.at) k.at, s.origin, s.first, s.last, s.length, s.freezes, s.paid
      from asked k join streak_runs s on s.part = k.part and s.player_id = k.player_id and s.streak_id = k.streak_id and (s.part = in_parts[1] or s.part = any(in_parts))
      order by k.at, s.origin desc
    ), periods as materialized (
      select k.at, p.state from asked k join streak_periods p on p.part = k.part and p.player_id = k.player_id and p.streak_id = k.streak_id and p.start = k.start
        and (p.part = in_parts[1] or p.part = any(in_parts))
    )
    select coalesce(r.at, p.at), r.origin, r.first, r.last, r.length, r.freezes, r.paid, p.state from runs r full join periods p on p.at = r.at;
end $$;

-- The shards of their queries depend on the values, so a generic plan is useless.
alter function player_streaks(smallint, uuid, integer[], date[]) set plan_cache_mode = auto;
alter function rollup_ranges(smallint, uuid, json) set plan_cache_mode = auto;
alter function listings_sold(smallint, uuid, json) set plan_cache_mode = auto;

create or replace function environments_with_begun_periods() returns setof integer language plpgsql as $$
begin
  return query
    select distinct unnest(a.answer[1]::integer[])
    from ask_every_shard($statement$
      select array[array_agg(e.id)::text] from unnest($1[1]::integer[], $1[2]::timestamptz[]) as e(id, at)
      where exists (select from {streak_beginnings} b where b.environment_id = e.id and b.due_at <= e.at)
    $statement$, (
      select array[array_agg(e.id)::text, array_agg(now() + e.clock_offset_ms * interval '1 millisecond')::text] from environments e
    )) a(answer);
end $$;

-- `skip locked` does not work across machines: the transaction that deletes a row has taken it.
create or replace function take_begun_periods(in_environment_id integer, in_limit integer)
returns table (part smallint, player_id uuid, streak_id integer, start date, at timestamptz) language plpgsql as $$
#variable_conflict use_column
declare
  moment timestamptz;
begin
  select now() + e.clock_offset_ms * interval '1 millisecond' into moment from environments e where e.id = in_environment_id;
  return query
    with due as materialized (
      select b.part, b.player_id, b.streak_id, b.start from streak_beginnings b
      where b.environment_id = in_environment_id and b.due_at <= moment
      order by b.due_at, b.part, b.player_id, b.streak_id limit in_limit
    ), begun as (
      delete from streak_beginnings b using due d
      where b.part = d.part and b.player_id = d.player_id and b.streak_id = d.streak_id and b.start = d.start
      returning b.part, b.player_id, b.streak_id, b.start
    )
    select b.part, b.player_id, b.streak_id, b.start, moment from begun b;
end $$;

create or replace function periods_with_unseated() returns setof integer language plpgsql as $$
begin
  return query
    select distinct unnest(a.answer[1]::integer[])
    from ask_every_shard($statement$
      select array[array_agg(p.id)::text] from unnest($1[1]::integer[]) as p(id)
      where exists (select from {leaderboard_seats} s where s.period_id = p.id and s.group_number is null)
    $statement$, (select array[array_agg(p.id)::text] from leaderboard_periods p where p.step <> 'Settled')) a(answer);
end $$;

create or replace function leaderboard_add(
  in_parts smallint[], in_players uuid[], in_periods integer[], in_scores numeric[], in_first bigint[], in_moved bigint[], in_leagues integer[]
) returns table (period_id integer, lane smallint, score numeric, change integer) language plpgsql as $$
declare
  bounds integer[] := shard_bounds();
  parts smallint[];
  arguments text[];
  answer text[];
  updated bigint := 0;
begin
  select array_agg(o.part), array_agg(o.columns) into parts, arguments
  from (
    select min(g.part) as part, array[array_agg(g.part)::text, array_agg(g.player_id)::text, array_agg(g.period_id)::text,
      array_agg(g.score)::text, array_agg(g.first)::text, array_agg(g.moved)::text, in_leagues::text] as columns
    from unnest(in_parts, in_players, in_periods, in_scores, in_first, in_moved) as g(part, player_id, period_id, score, first, moved)
    group by width_bucket(hashint2(g.part), bounds)
  ) o;
  for answer in
    select * from at_shards(parts, $statement$
      with updated as (
        update {leaderboard_scores} s set sort_score = s.sort_score + g.score, reached_seq = g.moved
        from unnest($1[1]::smallint[], $1[2]::uuid[], $1[3]::integer[], $1[4]::numeric[], $1[6]::bigint[]) as g(part, player_id, period_id, score, moved)
        where s.part = g.part and s.player_id = g.player_id and s.period_id = g.period_id and g.moved is not null
        returning s.period_id, ((hashint2(s.part)::bigint + 2147483648) >> 30)::smallint as lane, s.sort_score - g.score as before, s.sort_score as after
      )
      select array[array_agg(period_id)::text, array_agg(lane)::text, array_agg(before)::text, array_agg(after)::text, count(*)::text] from updated
    $statement$, arguments)
  loop
    return query
      select u.period_id, u.lane, c.score, c.change
      from unnest(answer[1]::integer[], answer[2]::smallint[], answer[3]::numeric[], answer[4]::numeric[]) as u(period_id, lane, before, after)
      cross join lateral (values (u.before, -1), (u.after, 1)) as c(score, change);
    updated := updated + answer[5]::bigint;
  end loop;
  if updated = cardinality(in_parts) then
    return;
  end if;

  return query
    select i.period_id, i.lane, i.score, 1
    from at_shards(parts, $statement$
      with given as (
        select * from unnest($1[1]::smallint[], $1[2]::uuid[], $1[3]::integer[], $1[4]::numeric[], $1[5]::bigint[], $1[6]::bigint[])
          as g(part, player_id, period_id, score, first, moved)
      ), inserted as (
        insert into {leaderboard_scores} (part, player_id, period_id, sort_score, reached_seq)
        select g.part, g.player_id, g.period_id, g.score, coalesce(g.moved, g.first) from given g
        on conflict do nothing
        returning part, player_id, period_id, sort_score
      ), seated as (
        insert into {leaderboard_seats} (part, player_id, period_id, first_seq)
        select i.part, i.player_id, i.period_id, g.first
        from inserted i join given g on g.part = i.part and g.player_id = i.player_id and g.period_id = i.period_id
        where i.period_id = any($1[7]::integer[])
        on conflict do nothing
      )
      select array[array_agg(period_id)::text, array_agg(((hashint2(part)::bigint + 2147483648) >> 30)::smallint)::text, array_agg(sort_score)::text] from inserted
    $statement$, arguments) a(answer)
    cross join unnest(a.answer[1]::integer[], a.answer[2]::smallint[], a.answer[3]::numeric[]) as i(period_id, lane, score);
end $$;

create or replace function leaderboard_keep(
  in_signs smallint[], in_parts smallint[], in_players uuid[], in_periods integer[], in_scores numeric[], in_first bigint[], in_reached bigint[], in_leagues integer[]
) returns table (period_id integer, lane smallint, score numeric, change integer) language plpgsql as $$
declare
  bounds integer[] := shard_bounds();
  parts smallint[];
  arguments text[];
begin
  select array_agg(o.part), array_agg(o.columns) into parts, arguments
  from (
    select min(g.part) as part, array[array_agg(g.part)::text, array_agg(g.player_id)::text, array_agg(g.period_id)::text,
      array_agg(g.score)::text, array_agg(g.first)::text, array_agg(g.reached)::text, in_leagues::text, array_agg(g.sign)::text] as columns
    from unnest(in_parts, in_players, in_periods, in_scores, in_first, in_reached, in_signs) as g(part, player_id, period_id, score, first, reached, sign)
    group by width_bucket(hashint2(g.part), bounds)
  ) o;
  return query
    select u.period_id, u.lane, c.score, c.change
    from at_shards(parts, $statement$
      with changed as materialized (
        select g.*, s.sort_score as before
        from unnest($1[1]::smallint[], $1[2]::uuid[], $1[3]::integer[], $1[4]::numeric[], $1[5]::bigint[], $1[6]::bigint[], $1[8]::smallint[])
          as g(part, player_id, period_id, score, first, reached, sign)
        left join {leaderboard_scores} s on s.part = g.part and s.player_id = g.player_id and s.period_id = g.period_id
        where s.sort_score is null or (g.score - s.sort_score) * g.sign > 0
      ), updated as (
        update {leaderboard_scores} s set sort_score = c.score, reached_seq = c.reached
        from changed c
        where c.before is not null and s.part = c.part and s.player_id = c.player_id and s.period_id = c.period_id
      ), inserted as (
        insert into {leaderboard_scores} (part, player_id, period_id, sort_score, reached_seq)
        select c.part, c.player_id, c.period_id, c.score, c.reached from changed c where c.before is null
      ), seated as (
        insert into {leaderboard_seats} (part, player_id, period_id, first_seq)
        select c.part, c.player_id, c.period_id, c.first from changed c where c.before is null and c.period_id = any($1[7]::integer[])
        on conflict do nothing
      )
      select array[array_agg(period_id)::text, array_agg(((hashint2(part)::bigint + 2147483648) >> 30)::smallint)::text, array_agg(before)::text, array_agg(score)::text] from changed
    $statement$, arguments) a(answer)
    cross join unnest(a.answer[1]::integer[], a.answer[2]::smallint[], a.answer[3]::numeric[], a.answer[4]::numeric[]) as u(period_id, lane, before, after)
    cross join lateral (values (u.before, -1), (u.after, 1)) as c(score, change) where c.score is not null;
end $$;

-- A volatile function takes a new snapshot. That of the calling statement is older than the log as it reads it, on the other machines: an event
-- that was accepted in between would be counted with the history, and again when it is applied.
create or replace function unapplied_of(in_environment_id integer, in_parts smallint[], in_players uuid[]) returns setof bigint volatile language plpgsql as $$
begin
  return query
    select q.seq from unnest(in_parts, in_players) as k(part, player_id) join queued_facts q on q.part = k.part and q.player_id = k.player_id
    union all
    select q.seq from quarantined_facts q join unnest(in_parts, in_players) as k(part, player_id) on k.part = q.part and k.player_id = q.player_id
    where q.environment_id = in_environment_id;
end $$;

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

-- Each machine locks its buyers and returns what it knows of them in one call, in the order of shards and, there, of the key. If a balance is
-- missing in a shard, the first statement locks all of them there, otherwise the second one does.
create or replace function marketplace_lock(
  in_parts smallint[], in_players uuid[], in_keys text[], in_listing_id integer, in_listing_key text, in_round text, in_limit integer
) returns table (
  place bigint, funds bigint, bought bigint, is_known boolean, purchase_id uuid, contents json, occurrence_number integer, price bigint
) language plpgsql as $$
#variable_conflict use_column
declare
  bounds integer[] := shard_bounds();
  parts smallint[];
  arguments text[];
begin
  select array_agg(o.part), array_agg(o.columns) into parts, arguments
  from (
    select min(k.part) as part, array[array_agg(k.part)::text, array_agg(k.player_id)::text, array_agg(k.key)::text, array_agg(k.place)::text,
      in_listing_id::text, in_listing_key, in_round, in_limit::text] as columns
    from unnest(in_parts, in_players, in_keys) with ordinality as k(part, player_id, key, place)
    group by width_bucket(hashint2(k.part), bounds)
  ) o;
  return query
    select u.*
    from at_shards(parts, $statement$
      with buyers as materialized (
        select distinct * from unnest($1[1]::smallint[], $1[2]::uuid[]) as k(part, player_id)
      )
      insert into {balances} as b (part, player_id, balance)
      select p.part, p.player_id, 0 from buyers k join {players} p on p.part = k.part and p.player_id = k.player_id
      where exists (select from buyers o where not exists (select from {balances} b where b.part = o.part and b.player_id = o.player_id))
      order by 1, 2
      on conflict (part, player_id) do update set balance = b.balance
      returning array['']
    ;
      with locked as materialized (
        select b.part from unnest($1[1]::smallint[], $1[2]::uuid[]) as k(part, player_id)
        join {balances} b on b.part = k.part and b.player_id = k.player_id
        order by b.part, b.player_id
        for no key update of b
      )
      select array[count(*)::text] from locked
    ;
      select array[array_agg(k.place)::text, array_agg(case when p.player_id is not null then b.balance end)::text,
        array_agg(case when $1[8] is not null then (
          select count(*) from {marketplace_purchases} m
          where m.part = k.part and m.player_id = k.player_id and m.listing_id = $1[5]::integer and m.round = $1[7] and m.reversed_at is null) end)::text,
        array_agg(t.id is not null)::text, array_agg(m.id)::text, array_agg(m.contents)::text, array_agg(m.occurrence_number)::text,
        array_agg(m.price)::text]
      from unnest($1[1]::smallint[], $1[2]::uuid[], $1[3]::text[], $1[4]::bigint[]) as k(part, player_id, key, place)
      left join {players} p on p.part = k.part and p.player_id = k.player_id
      left join {balances} b on b.part = k.part and b.player_id = k.player_id
      left join lateral (
        select * from {points_transactions} t where t.part = k.part and t.player_id = k.player_id and t.idempotency_key = k.key limit 1
      ) t on true
      left join lateral (
        select * from {marketplace_purchases} m
        where m.part = k.part and m.player_id = k.player_id and m.id = t.source_id and t.type = 'Spend' and m.listing_key = $1[6] limit 1
      ) m on true
    $statement$, arguments, true) a(answer)
    cross join unnest(a.answer[1]::bigint[], a.answer[2]::bigint[], a.answer[3]::bigint[], a.answer[4]::boolean[], a.answer[5]::uuid[],
      a.answer[6]::json[], a.answer[7]::integer[], a.answer[8]::bigint[]) u(place)
    order by u.place;
end $$;

-- The epochs are read in the statement that writes, and the lock against recounts is taken before it. Owed items are as old as their
-- deliveries, which are found by that (`findDeliveryStates` in server/delivery/service/deliveries.ts): the machines' clocks are not asked.
create or replace function marketplace_write(
  in_environment_id integer, in_parts smallint[], in_players uuid[], in_ids uuid[], in_spends uuid[], in_places bigint[], in_keys text[],
  in_items json[], in_times timestamptz[], in_listing_id integer, in_listing_key text, in_round text, in_occurrence_number integer, in_name json,
  in_contents json, in_price bigint, in_limit integer, in_endpoint uuid
) returns integer[] language plpgsql as $$
declare
  bounds integer[] := shard_bounds();
  parts smallint[];
  arguments text[];
begin
  perform analytics_hold(array_fill(in_environment_id, array[cardinality(in_parts)]), in_parts);
  select array_agg(o.part), array_agg(o.columns) into parts, arguments
  from (
    select min(w.part) as part, array[array_agg(w.part)::text, array_agg(w.player_id)::text, array_agg(w.id)::text, array_agg(w.spend_id)::text,
      array_agg(w.place)::text, array_agg(w.key)::text, array_agg(w.items)::text, array_agg(w.at)::text, in_environment_id::text,
      in_listing_id::text, in_listing_key, in_round, in_occurrence_number::text, in_name::text, in_contents::text, in_price::text,
      in_limit::text, in_endpoint::text, now()::text] as columns
    from unnest(in_parts, in_players, in_ids, in_spends, in_places, in_keys, in_items, in_times)
      as w(part, player_id, id, spend_id, place, key, items, at)
    group by width_bucket(hashint2(w.part), bounds)
  ) o;
  return array(
    select u.epoch
    from at_shards(parts, $statement$
      with written as materialized (
        select * from unnest($1[1]::smallint[], $1[2]::uuid[], $1[3]::uuid[], $1[4]::uuid[], $1[5]::bigint[], $1[6]::text[], $1[7]::json[],
          $1[8]::timestamptz[]) as w(part, player_id, id, spend_id, place, key, items, at)
      ), spent as (
        insert into {points_transactions}
          (part, player_id, id, environment_id, seq, type, amount, source_type, source_id, source_definition_id, idempotency_key, occurred_at)
        select part, player_id, spend_id, $1[9]::integer, place, 'Spend', -$1[16]::bigint, 'MarketplacePurchase', id, $1[10]::integer, key, at
        from written
      ), debited as (
        update {balances} b set balance = b.balance - w.count * $1[16]::bigint, total_spent = b.total_spent + w.count * $1[16]::bigint
        from (select part, player_id, count(*) from written group by 1, 2) w
        where b.part = w.part and b.player_id = w.player_id
      ), bought as (
        insert into {marketplace_purchases}
          (part, player_id, id, environment_id, seq, listing_id, listing_key, round, occurrence_number, name, contents, price,
            limit_per_player, idempotency_key, purchased_at)
        select part, player_id, id, $1[9]::integer, place, $1[10]::integer, $1[11], $1[12], $1[13]::integer, $1[14]::json, $1[15]::json,
          $1[16]::bigint, $1[17]::integer, key, at
        from written
      ), owed as (
        insert into {owed_items}
          (part, player_id, id, environment_id, source_type, source_id, ordinal, catalog_item_key, value_type, value, owed_at, endpoint_id,
            created_at)
        select w.part, w.player_id, i.id, $1[9]::integer, 'MarketplacePurchase', w.id, i.ordinal, i."catalogItemKey", i."valueType", i.value, w.at,
          $1[18]::uuid, $1[19]::timestamptz
        from written w
        cross join json_to_recordset(w.items) as i("id" uuid, "ordinal" smallint, "catalogItemKey" text, "valueType" text, "value" json)
      )
      select array[array_agg(w.place)::text, array_agg(coalesce(p.analytics_epoch, 0))::text]
      from written w left join {players} p on p.part = w.part and p.player_id = w.player_id
    $statement$, arguments, true) a(answer)
    cross join unnest(a.answer[1]::bigint[], a.answer[2]::integer[]) as u(place, epoch)
    order by u.place);
end $$;

-- Runs a statement about leaderboards on each machine that has players of these parts, of any part if null, and returns the answers.
-- {scores} stands for all shards of scores there, with the column `shard`, and {name} for the display name of a row `s` of them. So a
-- machine is asked once, whatever the number of its shards, and PostgreSQL alone plans the statement there, once for each connection. The
-- machine writes the names of its shards into the statement then: sending them with every call took a fifth of a read.
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

-- Runs a statement in these shards of scores and players; this connection prepares it the first time. If a shard has moved away meanwhile, it
-- fails as after a conflict, and the caller tries again.
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

drop function if exists at_each_machine(text, text[]);
drop function if exists run_prepared(text, text[]);
drop function if exists leaderboard_rows_of(integer, smallint[], uuid[]);

-- First the readers' own rows, then those around them from every machine. Reads need no transaction on the machines: opening and ending
-- one on each took a tenth of a read.
create or replace function leaderboard_standings_of(
  in_period integer, in_parts smallint[], in_players uuid[], in_top integer, in_neighbours integer[],
  out participants bigint, out top json, out readers json
) stable language plpgsql set plan_cache_mode = force_generic_plan set citus.function_opens_transaction_block = off as $$
begin
  select coalesce(sum(c.total), 0) into participants from leaderboard_counts c where c.period_id = in_period;

  with asked as materialized (
    select o.*, in_neighbours[o.at] as neighbours, r.lower, r.before
    from at_each_machine(in_parts, $statement$
      select array[array_agg(k.at)::text, array_agg(s.player_id)::text, array_agg(s.sort_score)::text, array_agg(s.reached_seq)::text,
        array_agg(coalesce(s.team_key, {name}))::text]
      from unnest($1[2]::smallint[], $1[3]::uuid[]) with ordinality as k(part, player_id, at)
      join {scores} s on s.part = k.part and s.player_id = k.player_id and s.period_id = $1[1]::integer
    $statement$, array[in_period::text, in_parts::text, in_players::text]) own(answer)
    cross join lateral unnest(own.answer[1]::bigint[], own.answer[2]::uuid[], own.answer[3]::numeric[], own.answer[4]::bigint[], own.answer[5]::text[])
      as o(at, player_id, score, seq, name)
    cross join lateral leaderboard_range(in_period, o.score) r
  ), answers as materialized (
    select a.answer
    from at_each_machine(null, $statement$
      with readers as materialized (
        select * from unnest($1[3]::bigint[], $1[4]::integer[], $1[5]::numeric[], $1[6]::bigint[], $1[7]::uuid[], $1[8]::numeric[])
          as r(at, neighbours, score, seq, player_id, lower)
      ), shown as materialized (
        (select 0::bigint as at, 0 as side, s.* from {scores} s
          where s.period_id = $1[1]::integer order by s.sort_score, s.reached_seq, s.player_id limit $1[2]::integer)
        union all
        select r.at, -1, s.* from readers r cross join lateral (
          select s.* from {scores} s
          where s.period_id = $1[1]::integer and (s.sort_score, s.reached_seq, s.player_id) < (r.score, r.seq, r.player_id)
          order by s.sort_score desc, s.reached_seq desc, s.player_id desc limit case when r.neighbours = 0 then 0 else r.neighbours + 1 end
        ) s
        union all
        select r.at, 1, s.* from readers r cross join lateral (
          select s.* from {scores} s
          where s.period_id = $1[1]::integer and (s.sort_score, s.reached_seq, s.player_id) > (r.score, r.seq, r.player_id)
          order by s.sort_score, s.reached_seq, s.player_id limit r.neighbours
        ) s
      )
      select array[array_agg(s.at)::text, array_agg(s.side)::text, array_agg(s.sort_score)::text, array_agg(s.reached_seq)::text,
        array_agg(s.player_id)::text, array_agg(coalesce(s.team_key, {name}))::text,
        (select array_agg(r.at)::text from readers r),
        (select array_agg((
          select count(*) from {scores} s
          where s.period_id = $1[1]::integer and s.sort_score >= r.lower and s.sort_score < r.score))::text from readers r)]
      from shown s
    $statement$, (
      select array[in_period::text, in_top::text, coalesce(array_agg(a.at), '{}')::text, coalesce(array_agg(a.neighbours), '{}')::text,
        coalesce(array_agg(a.score), '{}')::text, coalesce(array_agg(a.seq), '{}')::text, coalesce(array_agg(a.player_id), '{}')::text,
        coalesce(array_agg(a.lower), '{}')::text] from asked a
    )) a(answer)
  ), shown as materialized (
    select s.* from answers a cross join lateral
      unnest(a.answer[1]::bigint[], a.answer[2]::integer[], a.answer[3]::numeric[], a.answer[4]::bigint[], a.answer[5]::uuid[], a.answer[6]::text[])
        as s(at, side, score, seq, player_id, name)
  ), beside as materialized (
    select c.at, sum(c.count)::bigint as count
    from answers a cross join lateral unnest(a.answer[7]::bigint[], a.answer[8]::bigint[]) as c(at, count) group by c.at
  )
  select
    (select coalesce(json_agg(json_build_array(s.name, s.score, s.player_id) order by s.score, s.seq, s.player_id), '[]') from (
      select * from shown s where s.at = 0 order by s.score, s.seq, s.player_id limit in_top) s),
    (select coalesce(json_agg(json_build_array(k.at, r.ranks,
        json_build_array(coalesce(a.names[:k.neighbours], '{}'), coalesce(a.scores[:k.neighbours], '{}')),
        json_build_array(k.name, k.score),
        json_build_array(coalesce(b.names, '{}'), coalesce(b.scores, '{}')))), '[]')
      from (select a.*, 1 + a.before + c.count as rank from asked a join beside c on c.at = a.at) k
      cross join lateral (
        select array_agg(s.score order by s.score desc, s.seq desc, s.player_id desc) as scores,
          array_agg(s.name order by s.score desc, s.seq desc, s.player_id desc) as names
        from (select * from shown s where s.at = k.at and s.side = -1
          order by s.score desc, s.seq desc, s.player_id desc limit k.neighbours + 1) s
      ) a
      cross join lateral (
        select array_agg(s.score order by s.score, s.seq, s.player_id) as scores, array_agg(s.name order by s.score, s.seq, s.player_id) as names
        from (select * from shown s where s.at = k.at and s.side = 1 order by s.score, s.seq, s.player_id limit k.neighbours) s
      ) b
      cross join lateral (select coalesce(a.scores[least(k.neighbours, cardinality(a.scores))], k.score) as score, a.scores[k.neighbours + 1] as before) f
      cross join lateral (select case when f.score = f.before then (
        select min(m.score) from unnest(a.scores[:k.neighbours] || k.score || b.scores) as m(score) where m.score > f.score) end as second) n
      cross join lateral (
        -- Rows above with worse scores than the first one are all shown, and so are those with its score unless one of them is above it.
        select array[
          case when f.before = f.score and f.score < k.score then leaderboard_rank(in_period, f.score)
            else k.rank - (select count(*) from unnest(a.scores[:k.neighbours]) as m(score) where m.score < k.score) end,
          case when n.second is null then null
            when n.second > k.score then leaderboard_rank(in_period, n.second)
            else k.rank - (select count(*) from unnest(a.scores[:k.neighbours]) as m(score) where m.score >= n.second and m.score < k.score) end
        ] as ranks
      ) r)
  into top, readers;
end $$;

-- The query's shards depend on the values, so a generic plan is useless.
alter function leaderboard_rank(integer, numeric) set plan_cache_mode = force_custom_plan;
