-- Analytics (server/insight/analytics/README.md). A player's figures are in the sums of `players.analytics_epoch`; with 0 they are not
-- counted yet. Ledger, purchases and completions are counted by functions that their writers call. The sums of a row are defined once, and
-- recounts from the tables use the same definition: `audit` finds a writer that forgot the call.

-- The day and the hour of an instant in a zone. Everything in them is immutable, so that they are inlined: `to_char` is not, and a call of
-- a function for each row and measure took half the time of counting sales. No instant, such as that of a reversal that was never made, has no
-- day, although `greatest` ignores nulls.
create or replace function analytics_day(at timestamptz, zone text) returns date immutable parallel safe language sql
  as $$ select greatest((at at time zone zone)::date, case when at is not null then date '0001-01-01' end) $$;
create or replace function analytics_hour(at timestamptz, zone text) returns text immutable parallel safe language sql
  as $$ select lpad(extract(hour from at at time zone zone)::integer::text, 2, '0') $$;

-- The second number of the lock (class 5) that writers of a player's ledger, purchases or completions hold shared, and a recount
-- exclusively. Folds also lock the player; other writers do not.
create or replace function analytics_key(in_environment_id integer, in_part smallint) returns integer immutable parallel safe language sql
  as $$ select (in_environment_id % 1000000) * 1024 + in_part $$;

-- The measure of points that a transaction of the ledger counts for.
create or replace function analytics_points(in_type text, in_amount bigint) returns text immutable parallel safe language sql as $$
  select case in_type when 'Grant' then 'points.granted' when 'Spend' then 'points.spent' when 'Refund' then 'points.refunded'
    else case when in_amount < 0 then 'points.debited' else 'points.credited' end end
$$;

-- What a transaction of the ledger adds to the sums.
create or replace function analytics_of_transaction(in_type text, in_amount bigint, in_source_type text, in_definition_id integer, in_hour text)
returns table (measure text, subject integer, detail text, amount numeric) immutable parallel safe language sql as $$
  select analytics_points(in_type, in_amount), coalesce(in_definition_id, 0), coalesce(in_source_type, ''), abs(in_amount)::numeric
  union all
  select case in_type when 'Grant' then 'hour.granted' when 'Adjustment' then 'hour.adjusted' else 'hour.spent' end, 0, in_hour,
    case when in_type in ('Grant', 'Adjustment') then in_amount else -in_amount end::numeric
$$;

-- The bucket of a duration in whole seconds: 0, 1, 2 to 3, 4 to 7, …
create or replace function analytics_duration(in_duration interval) returns text immutable parallel safe language sql as $$
  select lpad(width_bucket(floor(extract(epoch from in_duration))::bigint,
    '{1,2,4,8,16,32,64,128,256,512,1024,2048,4096,8192,16384,32768,65536,131072,262144,524288,1048576,2097152,4194304,8388608,16777216,33554432,67108864,134217728,268435456,536870912,1073741824}'::bigint[])::text, 2, '0')
$$;

-- The items among the rewards of a completion: how many rewards, and their quantity. A reward whose value is not a number counts as one.
create or replace function analytics_items(in_rewards json) returns table (count bigint, amount numeric) immutable parallel safe language sql as $$
  select count(*), sum(case when json_typeof(r -> 'value') = 'number' then (r ->> 'value')::numeric else 1 end)
  from json_array_elements(in_rewards) r where r ->> 'kind' <> 'Points' having count(*) > 0
$$;

-- What a completed occurrence adds.
create or replace function analytics_of_completed(in_mission_id integer, in_accepted timestamptz, in_completed timestamptz, in_rewards json, in_hour text)
returns table (measure text, subject integer, detail text, count bigint, amount numeric) immutable parallel safe language sql as $$
  select 'completed', in_mission_id, '', 1::bigint, 0::numeric
  union all
  select 'hour.completed', 0, in_hour, 1::bigint, 0
  union all
  select 'duration', in_mission_id, analytics_duration(in_completed - in_accepted), 1::bigint, 0
  union all
  select 'items', in_mission_id, '', i.count, i.amount from analytics_items(in_rewards) i
$$;

-- Takes the lock of the parts that are written, for writers that have not locked their players. They take it after they have written the
-- rows and before they read the epoch: a recount either waits for them, or they wait for it and then read its epoch.
create or replace function analytics_hold(in_environments integer[], in_parts smallint[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(5, k.key)
  from (select distinct analytics_key(w.environment_id, w.part) as key from unnest(in_environments, in_parts) as w(environment_id, part) order by 1) k;
end $$;

-- The analytics epoch of each player; 0: not counted yet. Planned once, as `points_grant` is.
create or replace function analytics_epochs(in_parts smallint[], in_players uuid[]) returns integer[]
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  return array(
    select coalesce(p.analytics_epoch, 0) from unnest(in_parts, in_players) with ordinality as k(part, player_id, at)
    left join players p on p.part = k.part and p.player_id = k.player_id order by k.at);
end $$;

-- The `analytics_add_` functions count rows that a transaction has just written. The writer calls them after those rows and after every
-- other row of the player that it locks. They are not triggers: a distributed table cannot have any that write to another table. `in_epoch`
-- is the epoch of all of the players, if the caller has locked them and knows it; with null the epochs are read.
create or replace function analytics_add_transactions(
  in_environments integer[], in_parts smallint[], in_players uuid[], in_epoch integer, in_types text[], in_amounts bigint[], in_sources text[],
  in_definitions integer[], in_times timestamptz[]
) returns void language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  epochs integer[] := array_fill(in_epoch, array[cardinality(in_parts)]);
begin
  if in_epoch is null then
    perform analytics_hold(in_environments, in_parts);
    epochs := analytics_epochs(in_parts, in_players);
  end if;
  insert into analytics_deltas (environment_id, epoch, measure, subject, detail, day, hour, count, amount)
  with written as materialized (
    select *
    from (
      select unnest(epochs) as analytics_epoch, unnest(in_environments) as environment_id, unnest(in_types) as type,
        unnest(in_amounts) as amount, unnest(in_sources) as source_type, unnest(in_definitions) as source_definition_id, unnest(in_times) as occurred_at
    ) w
    where w.analytics_epoch > 0
  )
  select w.environment_id, w.analytics_epoch, m.measure, m.subject, m.detail, analytics_day(w.occurred_at, j.time_zone), h.hour::smallint, count(*),
    sum(m.amount)
  from written w
  join environments e on e.id = w.environment_id
  join projects j on j.id = e.project_id
  cross join lateral (select analytics_hour(w.occurred_at, j.time_zone) as hour) h
  cross join lateral analytics_of_transaction(w.type, w.amount, w.source_type, w.source_definition_id, h.hour) m
  group by 1, 2, 3, 4, 5, 6, 7;
end $$;

create or replace function analytics_count_transactions(
  in_environments integer[], in_parts smallint[], in_players uuid[], in_types text[], in_amounts bigint[], in_sources text[], in_definitions integer[],
  in_times timestamptz[]
) returns void language sql as $$
  select analytics_add_transactions(in_environments, in_parts, in_players, null, in_types, in_amounts, in_sources, in_definitions, in_times)
$$;

create or replace function analytics_add_completions(
  in_environments integer[], in_parts smallint[], in_players uuid[], in_epoch integer, in_missions integer[], in_accepted timestamptz[],
  in_completed timestamptz[], in_rewards json[]
) returns void language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  epochs integer[] := array_fill(in_epoch, array[cardinality(in_parts)]);
begin
  if in_epoch is null then
    perform analytics_hold(in_environments, in_parts);
    epochs := analytics_epochs(in_parts, in_players);
  end if;
  insert into analytics_deltas (environment_id, epoch, measure, subject, detail, day, hour, count, amount)
  with written as materialized (
    select *
    from (
      select unnest(epochs) as analytics_epoch, unnest(in_environments) as environment_id, unnest(in_missions) as mission_id,
        unnest(in_accepted) as accepted_at, unnest(in_completed) as completed_at, unnest(in_rewards) as rewards
    ) w
    where w.analytics_epoch > 0
  )
  select w.environment_id, w.analytics_epoch, m.measure, m.subject, m.detail, analytics_day(w.completed_at, j.time_zone), h.hour::smallint,
    sum(m.count), sum(m.amount)
  from written w
  join environments e on e.id = w.environment_id
  join projects j on j.id = e.project_id
  cross join lateral (select analytics_hour(w.completed_at, j.time_zone) as hour) h
  cross join lateral analytics_of_completed(w.mission_id, w.accepted_at, w.completed_at, w.rewards, h.hour) m
  group by 1, 2, 3, 4, 5, 6, 7;
end $$;

-- Called by versions that do not pass an epoch.
create or replace function analytics_count_completions(
  in_environments integer[], in_parts smallint[], in_players uuid[], in_missions integer[], in_accepted timestamptz[], in_completed timestamptz[], in_rewards json[]
) returns void language sql as $$
  select analytics_add_completions(in_environments, in_parts, in_players, null, in_missions, in_accepted, in_completed, in_rewards)
$$;

-- Counts purchases of a listing in one round, with the points spent. Their writer has read the epochs.
create or replace function analytics_count_sales(
  in_environment_id integer, in_epochs integer[], in_times timestamptz[], in_listing_id integer, in_round text, in_price bigint
) returns void language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into analytics_deltas (environment_id, epoch, measure, subject, detail, day, hour, count, amount)
  with written as materialized (
    select * from (select unnest(in_epochs) as analytics_epoch, unnest(in_times) as at) w
    where w.analytics_epoch > 0
  )
  select in_environment_id, w.analytics_epoch, m.measure, m.subject, m.detail, analytics_day(w.at, j.time_zone), h.hour::smallint, count(*),
    sum(m.amount)
  from written w
  join environments e on e.id = in_environment_id
  join projects j on j.id = e.project_id
  cross join lateral (select analytics_hour(w.at, j.time_zone) as hour) h
  cross join lateral (
    select t.measure, t.subject, t.detail, t.amount
    from analytics_of_transaction('Spend', -in_price, 'MarketplacePurchase', in_listing_id, h.hour) t
    union all
    values ('purchased', in_listing_id, in_round, in_price::numeric), ('hour.purchased', 0, h.hour, in_price::numeric)
  ) m
  group by 1, 2, 3, 4, 5, 6, 7;
end $$;

-- Counts the reversal of a purchase; `in_is_reversal` is always true.
create or replace function analytics_count_purchase(
  in_environment_id integer, in_part smallint, in_player_id uuid, in_listing_id integer, in_round text, in_price bigint, in_at timestamptz, in_is_reversal boolean
) returns void language plpgsql as $$
declare
  epoch integer;
  zone text;
begin
  perform analytics_hold(array[in_environment_id], array[in_part]);
  select p.analytics_epoch into epoch from players p where p.part = in_part and p.player_id = in_player_id;
  if coalesce(epoch, 0) = 0 then
    return;
  end if;
  select j.time_zone into zone from environments e join projects j on j.id = e.project_id where e.id = in_environment_id;
  insert into analytics_deltas (environment_id, epoch, measure, subject, detail, day, hour, count, amount)
  values (in_environment_id, epoch, 'reversed', in_listing_id, in_round, analytics_day(in_at, zone), analytics_hour(in_at, zone)::smallint, 1, in_price);
end $$;
