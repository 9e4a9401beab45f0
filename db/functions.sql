-- The functions of the database and their triggers. Every migration runs this file again (db/migrate.ts), so it holds each function as it
-- is now. Old code calls them during an upgrade: a function whose arguments or result change gets a new name (docs/upgrading.md).
-- A comment that begins with "spread:" is a condition for a distributed database alone (db/scale/parts.ts); db/migrate.ts puts it in.

-- A writer of players' data holds this lock shared; a reset and an erasure, which delete it, hold it exclusively
-- (server/operations/sandbox/reset.ts, server/operations/privacy/erase.ts). A function takes a new snapshot for each of its statements:
-- reads after the lock see the last commit, even if the calling statement began before.

-- Waits briefly for a running reset, then fails with 55P03: a waiting connection is missing elsewhere. It returns the environment, so that
-- a statement which takes it from here cannot act before it has the lock.
create or replace function hold_players(in_environment_id integer) returns integer language plpgsql as $$
declare
  patience text := current_setting('lock_timeout');
begin
  if not pg_try_advisory_xact_lock_shared(3, in_environment_id) then
    perform set_config('lock_timeout', '2s', true);
    perform pg_advisory_xact_lock_shared(3, in_environment_id);
    perform set_config('lock_timeout', patience, true);
  end if;
  return in_environment_id;
end $$;

-- Whether the players are spread over several machines (db/scale/functions.sql).
create or replace function is_spread() returns boolean immutable parallel safe language sql as $$ select false $$;

-- Transactions that are not committed on all machines of players yet, by name: none on one server.
create or replace function prepared_elsewhere() returns setof text immutable parallel safe language sql as $$ select null::text where false $$;

-- For a caller that caches players: false during a reset or an erasure, and if there was one since the caller's state.
create or replace function hold_known_players(in_environment_id integer, in_resets integer) returns boolean language plpgsql as $$
begin
  return pg_try_advisory_xact_lock_shared(3, in_environment_id)
    and exists (select from environments e where e.id = in_environment_id and e.resets = in_resets);
end $$;

-- The same for a request whose key a process remembers. It returns no row if the key, or anything else that the request was judged by, has
-- changed. Without `rows 1` the statement that calls it is planned for 100,000 events, and anew at each call, since a plan made for the values
-- then looks cheaper: a fifth of PostgreSQL's CPU for an event sent alone.
create or replace function hold_remembered_caller(
  in_environment_id integer, in_resets integer, in_key_hash bytea, in_version bigint, in_clock_offset_ms bigint, in_organization_id uuid,
  in_keeps_bodies boolean, in_now timestamptz
) returns table (real_now timestamptz, is_use_due boolean) language plpgsql rows 1 as $$
begin
  if pg_try_advisory_xact_lock_shared(3, in_environment_id) then
    return query
      select date_trunc('milliseconds', clock_timestamp()), coalesce(k.last_used_at < clock_timestamp() - interval '1 minute', true)
      from api_keys k join environments e on e.id = k.environment_id join projects p on p.id = e.project_id
      where k.hash = in_key_hash and k.revoked_at is null and e.id = in_environment_id and e.resets = in_resets
        and e.definitions_version = in_version and e.clock_offset_ms = in_clock_offset_ms
        and coalesce(e.keeps_bodies, e.kind = 'sandbox') = in_keeps_bodies
        and p.organization_id = in_organization_id and p.archived_at is null
        and clock_timestamp() between in_now - interval '10 s' and in_now + interval '10 s';
  end if;
end $$;

-- Locks players until the transaction ends, in the order of the key. Unknown ones are left out.
create or replace function lock_players(in_parts smallint[], in_players uuid[])
returns table (part smallint, player_id uuid, external_id text, time_zone text, hidden_at timestamptz, analytics_epoch integer, last_active_on date)
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    select p.part, p.player_id, p.external_id::text, p.time_zone, p.hidden_at::timestamptz, p.analytics_epoch, p.last_active_on
    from unnest(in_parts, in_players) as k(part, player_id) join players p on p.part = k.part and p.player_id = k.player_id
    order by p.part, p.player_id
    for no key update of p;
end $$;

-- Players with their current state and what conditions read, by their keys (server/engine/store/players.ts). Unknown ones are left out.
create or replace function player_parts(in_parts smallint[], in_players uuid[])
returns table (part smallint, player_id uuid, external_id text, time_zone text, completed text, is_hidden boolean, partitions text, attributes text,
  balance bigint)
language plpgsql stable set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    select p.part, p.player_id, p.external_id::text, p.time_zone, p.completed_missions::text, p.hidden_at is not null,
      (select json_agg(json_build_array(s.topic_id, s.state)) from mission_states s where s.part = p.part and s.player_id = p.player_id)::text,
      (select json_agg(json_build_array(a.attribute_id, a.value, (extract(epoch from a.occurred_at) * 1000)::bigint))
        from attribute_values a where a.part = p.part and a.player_id = p.player_id)::text,
      (select b.balance::bigint from balances b where b.part = p.part and b.player_id = p.player_id)
    from unnest(in_parts, in_players) as k(part, player_id) join players p on p.part = k.part and p.player_id = k.player_id;
end $$;

-- Whether an environment has players whose history is not in this analytics epoch; with null, whether it has any players.
create or replace function has_players_behind(in_environment_id integer, in_epoch integer) returns boolean language plpgsql stable as $$
begin
  if in_epoch is null then
    return exists (select 1 from players p where p.environment_id = in_environment_id);
  end if;
  return exists (select 1 from players p where p.environment_id = in_environment_id and p.analytics_epoch < in_epoch);
end $$;

-- Players' new days of activity, with the state before the statement that added them: the first day, and whether there was one in the day's
-- week and month. It shares that statement's snapshot.
create or replace function days_before(in_parts smallint[], in_players uuid[], in_days date[], in_hours smallint[])
returns table (part smallint, player_id uuid, day date, hour smallint, first_before date, was_active_in_week boolean, was_active_in_month boolean)
stable language sql as $$
  select a.part, a.player_id, a.day, a.hour,
    (select d.day from player_days d where d.part = a.part and d.player_id = a.player_id order by d.day limit 1),
    exists (select from player_days d where d.part = a.part and d.player_id = a.player_id
      and d.day between date_trunc('week', a.day::timestamp)::date and date_trunc('week', a.day::timestamp)::date + 6),
    exists (select from player_days d where d.part = a.part and d.player_id = a.player_id
      and d.day between date_trunc('month', a.day::timestamp)::date and (date_trunc('month', a.day::timestamp) + interval '1 month')::date - 1)
  from unnest(in_parts, in_players, in_days, in_hours) as a(part, player_id, day, hour)
$$;

-- The first days of players.
create or replace function first_days(in_parts smallint[], in_players uuid[])
returns table (part smallint, player_id uuid, day date) stable language sql as $$
  select k.part, k.player_id, d.day from unnest(in_parts, in_players) as k(part, player_id)
  cross join lateral (select d.day from player_days d where d.part = k.part and d.player_id = k.player_id order by d.day limit 1) d
$$;

-- For each key the last run of the streak, and the period; `at` is the key's index. A key with neither is left out.
create or replace function streaks_before(in_parts smallint[], in_players uuid[], in_streaks integer[], in_starts date[])
returns table (at bigint, origin date, first date, last date, length integer, freezes integer, paid integer[], state text) stable language sql as $$
  select k.at, r.origin, r.first, r.last, r.length, r.freezes, r.paid, p.state
  from unnest(in_parts, in_players, in_streaks, in_starts) with ordinality as k(part, player_id, streak_id, start, at)
  left join lateral (
    select * from streak_runs s where s.part = k.part and s.player_id = k.player_id and s.streak_id = k.streak_id order by s.origin desc limit 1) r on true
  left join streak_periods p on p.part = k.part and p.player_id = k.player_id and p.streak_id = k.streak_id and p.start = k.start
  where r.origin is not null or p.start is not null
$$;

-- A player's streaks, each in the period that begins at its `start`: the last run that has begun by then, the first one after it (facts may
-- lie in the future), the longest length, and the state of the period. Planned once: planning took three quarters of a read.
create or replace function player_streaks(in_part smallint, in_player uuid, in_streaks integer[], in_starts date[])
returns table (streak_id integer, begun text, later text, longest integer, state text) language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
  return query
    select k.streak_id,
      (select concat_ws(' ', s.origin, s.first, s.last, s.length, s.freezes, s.paid) from streak_runs s
        where s.part = in_part and s.player_id = in_player and s.streak_id = k.streak_id and s.first <= k.start order by s.origin desc limit 1),
      (select concat_ws(' ', s.origin, s.first, s.last, s.length, s.freezes, s.paid) from streak_runs s
        where s.part = in_part and s.player_id = in_player and s.streak_id = k.streak_id and s.first > k.start order by s.origin limit 1),
      (select max(s.length) from streak_runs s where s.part = in_part and s.player_id = in_player and s.streak_id = k.streak_id),
      (select p.state from streak_periods p
        where p.part = in_part and p.player_id = in_player and p.streak_id = k.streak_id and p.start = k.start)
    from unnest(in_streaks, in_starts) as k(streak_id, start);
end $$;

-- What a player's rollups hold in ranges of buckets (server/engine/store/rollups.ts), in any order; `at` is the range's index. A value comes last
-- in a bucket's name and has 36 characters; a day has fewer. Planned once, as `player_streaks`. Not `exists`, which may be planned as a scan
-- of all of the player's buckets.
create or replace function rollup_ranges(in_part smallint, in_player uuid, in_ranges json)
returns table (at integer, is_kept boolean, count bigint, readings json) language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
  return query
    select a.at,
      (select true from rollups m
        where m.part = in_part and m.player_id = in_player and m.rollup_id = a."rollupId" and m.bucket = a.mark) is not null,
      found.count, found.readings
    from json_to_recordset(in_ranges) as a("at" int, "rollupId" int, "mark" text, "from" text, "to" text, "isCounted" boolean)
    cross join lateral (
      select count(distinct right(r.bucket, 36)) as count, case when a."isCounted" then null else json_agg(r.reading) end as readings
      from rollups r
      where r.part = in_part and r.player_id = in_player and r.rollup_id = a."rollupId" and r.bucket between a."from" and a."to"
    ) found;
end $$;

-- The environments in which a waiting period of a streak has begun, on their clocks.
create or replace function environments_with_begun_periods() returns setof integer stable language sql as $$
  select e.id from environments e where exists (
    select from streak_beginnings b where b.environment_id = e.id and b.due_at <= now() + e.clock_offset_ms * interval '1 millisecond')
$$;

-- Takes periods of streaks that have begun; `at` is now on the environment's clock. Skips rows locked by another transaction.
create or replace function take_begun_periods(in_environment_id integer, in_limit integer)
returns table (part smallint, player_id uuid, streak_id integer, start date, at timestamptz) language plpgsql as $$
#variable_conflict use_column
begin
  return query
    with due as materialized (
      select b.part, b.player_id, b.streak_id, b.start, b.due_at, now() + e.clock_offset_ms * interval '1 millisecond' as at
      from environments e join streak_beginnings b on b.environment_id = e.id
      where e.id = in_environment_id and b.due_at <= now() + e.clock_offset_ms * interval '1 millisecond'
      order by b.due_at, b.part, b.player_id, b.streak_id limit in_limit
      for update of b skip locked
    ), begun as (
      delete from streak_beginnings b using due d
      where b.part = d.part and b.player_id = d.player_id and b.streak_id = d.streak_id and b.start = d.start
    )
    select d.part, d.player_id, d.streak_id, d.start, d.at from due d order by d.due_at, d.part, d.player_id, d.streak_id;
end $$;

-- The open periods of leagues with players waiting for a seat.
create or replace function periods_with_unseated() returns setof integer stable language sql as $$
  select p.id from leaderboard_periods p
  where p.step <> 'Settled' and exists (select from leaderboard_seats s where s.period_id = p.id and s.group_number is null)
$$;

-- An adjustment of a player's points in one round trip. The balance row is the lock: later reads see all earlier commits, so that a
-- replayed key is found and the check holds. `outcome` is 'adjusted', 'replayed' or the code of a refusal; a refusal writes nothing.
create or replace function points_adjust(
  in_part smallint, in_player_id uuid, in_environment_id integer, in_id uuid,
  in_amount bigint, in_reason text, in_key text, in_occurred_at timestamptz,
  out outcome text, out transaction_id uuid, out amount bigint, out reason text, out occurred_at timestamptz, out new_balance bigint
) language plpgsql as $$
#variable_conflict use_column
declare
  earlier points_transactions;
begin
  if not exists (select from players p where p.part = in_part and p.player_id = in_player_id) then
    outcome := 'player.not_found';
    return;
  end if;

  select b.balance into new_balance from balances b where b.part = in_part and b.player_id = in_player_id for no key update;
  if not found then
    insert into balances (part, player_id, balance) values (in_part, in_player_id, 0) on conflict do nothing;
    select b.balance into new_balance from balances b where b.part = in_part and b.player_id = in_player_id for no key update;
  end if;

  if in_key is not null then
    select t.* into earlier from points_transactions t
    where t.part = in_part and t.player_id = in_player_id and t.idempotency_key = in_key;
    if found then
      outcome := case when earlier.type = 'Adjustment' and earlier.amount = in_amount
        then 'replayed' else 'points_adjustment.idempotency_key_conflict' end;
      transaction_id := earlier.id;
      amount := earlier.amount;
      reason := earlier.reason;
      occurred_at := earlier.occurred_at;
      return;
    end if;
  end if;

  new_balance := new_balance + in_amount;
  if new_balance < 0 then
    outcome := 'points.insufficient_balance';
    return;
  elsif new_balance > 9007199254740991 then
    outcome := 'points_adjustment.amount_invalid';
    return;
  end if;

  insert into points_transactions (part, player_id, id, environment_id, seq, type, amount, reason, idempotency_key, occurred_at)
  values (in_part, in_player_id, in_id, in_environment_id, nextval('fact_seq'), 'Adjustment', in_amount, in_reason, in_key, in_occurred_at);
  update balances b set balance = new_balance where b.part = in_part and b.player_id = in_player_id;
  perform analytics_count_transactions(array[in_environment_id], array[in_part], array[in_player_id], array['Adjustment'], array[in_amount],
    array[null::text], array[null::integer], array[in_occurred_at]);
  outcome := 'adjusted';
  transaction_id := in_id;
  amount := in_amount;
  reason := in_reason;
  occurred_at := in_occurred_at;
end $$;

-- Counts sold units and takes them from the round, which other buyers contend for: it is locked last and only held for the commit. Where
-- another buyer took the last unit after the check, it fails with SHOP1.
create or replace function marketplace_take(
  in_environment_id integer, in_parts smallint[], in_players uuid[], in_times timestamptz[], in_listing_id integer, in_round text, in_price bigint,
  in_stock integer
) returns void language plpgsql set enable_seqscan = off as $$
declare
  units constant integer := cardinality(in_parts);
begin
  perform analytics_count_sales(in_environment_id, in_parts, in_players, in_times, in_listing_id, in_round, in_price);
  update marketplace_rounds r set sold = r.sold + units, stock = in_stock
  where r.listing_id = in_listing_id and r.round = in_round and (in_stock is null or r.sold + units <= in_stock);
  if not found then
    insert into marketplace_rounds as r (listing_id, round, environment_id, sold, stock)
    values (in_listing_id, in_round, in_environment_id, units, in_stock)
    on conflict (listing_id, round) do update set sold = r.sold + units, stock = excluded.stock
    where excluded.stock is null or r.sold + units <= excluded.stock;
    if not found then
      raise exception 'Somebody else has bought the last unit.' using errcode = 'SHOP1';
    end if;
  end if;
end $$;

-- Takes the locks of a purchase against a reset, and against a change of definitions or clock since the caller's checks
-- (server/engine/store/locks.ts). False: there was such a change.
create or replace function marketplace_hold(in_environment_id integer, in_version bigint, in_clock_offset_ms bigint) returns boolean
language plpgsql as $$
begin
  perform hold_players(in_environment_id), pg_advisory_xact_lock_shared(1, in_environment_id);
  return exists (
    select from environments e
    where e.id = in_environment_id and e.definitions_version = in_version and e.clock_offset_ms = in_clock_offset_ms
  );
end $$;

-- Purchases of one listing in one round, with one commit and one change of the round, which is locked last. Attempts are judged in turn, each
-- by what those before it have bought, and written in sets. The caller has made the checks against definitions and audience: an attempt's
-- `refusal` is the code of the first of those that failed, if any. `outcome` is 'bought', 'replayed', 'stale' (definitions or clock are no
-- longer the caller's) or the code of a refusal; only 'bought' is written. The balance row is the lock of all the player's purchases, whatever
-- the outcome; balances are locked in key order, which avoids deadlocks. If one purchase cannot be written, all fail. The planner is
-- restricted to index lookups: a plan made while the tables were small would stay.
create or replace function marketplace_buy_together(
  in_environment_id integer, in_version bigint, in_clock_offset_ms bigint, in_listing_key text, in_listing_id integer, in_round text,
  in_occurrence_number integer, in_price bigint, in_stock integer, in_limit integer, in_name json, in_contents json, in_attempts json
) returns table (outcome text, purchase_id uuid, contents json, occurrence_number integer, price bigint, new_balance bigint, is_told boolean)
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  is_current constant boolean := marketplace_hold(in_environment_id, in_version, in_clock_offset_ms);
  attempt record;
  -- By buyer, once each, in key order: what they have, and what they bought in the round.
  buyer_parts smallint[] := '{}';
  buyers uuid[] := '{}';
  funds bigint[] := '{}';
  bought integer[] := '{}';
  at integer;
  own bigint;
  sold integer := (select r.sold from marketplace_rounds r where r.listing_id = in_listing_id and r.round = in_round);
  earlier points_transactions;
  endpoint uuid;
  -- By purchase.
  parts smallint[] := '{}';
  players uuid[] := '{}';
  ids uuid[] := '{}';
  spends uuid[] := '{}';
  places bigint[] := '{}';
  own_keys text[] := '{}';
  owed json[] := '{}';
  times timestamptz[] := '{}';
begin
  for attempt in
    select distinct a.part, a.player_id from json_to_recordset(in_attempts) as a("part" smallint, "player_id" uuid) where is_current order by 1, 2
  loop
    -- A balance whose player is gone is no player's.
    select b.balance into own from balances b where b.part = attempt.part and b.player_id = attempt.player_id for no key update;
    if not exists (select from players p where p.part = attempt.part and p.player_id = attempt.player_id) then
      own := null;
    elsif own is null then
      insert into balances as b (part, player_id, balance) values (attempt.part, attempt.player_id, 0)
      on conflict (part, player_id) do update set balance = b.balance returning b.balance into own;
    end if;
    buyer_parts := buyer_parts || attempt.part;
    buyers := buyers || attempt.player_id;
    funds := funds || own;
    bought := bought || (
      select count(*)::integer from marketplace_purchases m
      where m.part = attempt.part and m.player_id = attempt.player_id and m.listing_id = in_listing_id and m.round = in_round
        and m.reversed_at is null and in_limit is not null
    );
  end loop;
  -- One endpoint at most, switched on or off; a change of subscriptions waits for the environment's lock.
  select e.id into endpoint from webhook_endpoints e
  where e.environment_id = in_environment_id and 'catalog_item.fulfillment_requested' = any(e.events);

  for attempt in
    select a.*, to_timestamp(a.at_ms / 1000) as at from json_to_recordset(in_attempts)
      as a("part" smallint, "player_id" uuid, "key" text, "refusal" text, "id" uuid, "spend_id" uuid, "items" json, "at_ms" float8)
  loop
    outcome := 'bought';
    purchase_id := attempt.id;
    contents := in_contents;
    occurrence_number := in_occurrence_number;
    price := in_price;
    is_told := false;
    at := array_position(buyers, attempt.player_id);
    new_balance := funds[at];
    if not is_current then
      outcome := 'stale';
    elsif new_balance is null then
      outcome := 'player.not_found';
    else
      if attempt.key is not null then
        select t.* into earlier from points_transactions t
        where t.part = attempt.part and t.player_id = attempt.player_id and t.idempotency_key = attempt.key;
        if found then
          select 'replayed', m.id, m.contents, m.occurrence_number, m.price into outcome, purchase_id, contents, occurrence_number, price
          from marketplace_purchases m
          where m.part = attempt.part and m.player_id = attempt.player_id and m.id = earlier.source_id and m.listing_key = in_listing_key
            and earlier.type = 'Spend';
          if not found then
            outcome := 'marketplace_purchase.idempotency_key_conflict';
          end if;
        end if;
        for i in 1..cardinality(players) loop
          if players[i] = attempt.player_id and own_keys[i] = attempt.key then
            outcome := 'replayed';
            purchase_id := ids[i];
            exit;
          end if;
        end loop;
      end if;
      if outcome <> 'bought' then
        null;
      elsif attempt.refusal is not null then
        outcome := attempt.refusal;
      elsif in_stock - cardinality(players) <= coalesce(sold, 0) then
        outcome := 'marketplace_item.out_of_stock';
      elsif in_limit <= bought[at] then
        outcome := 'marketplace_item.purchase_limit_reached';
      elsif new_balance < in_price then
        outcome := 'points.insufficient_balance';
      else
        new_balance := new_balance - in_price;
        is_told := endpoint is not null;
        funds[at] := new_balance;
        bought[at] := bought[at] + 1;
        parts := parts || attempt.part;
        players := players || attempt.player_id;
        ids := ids || attempt.id;
        spends := spends || attempt.spend_id;
        places := places || nextval('fact_seq');
        own_keys := own_keys || attempt.key;
        owed := owed || attempt.items;
        times := times || attempt.at;
      end if;
    end if;
    return next;
  end loop;
  if cardinality(players) = 0 then
    return;
  end if;

  insert into points_transactions
    (part, player_id, id, environment_id, seq, type, amount, source_type, source_id, source_definition_id, idempotency_key, occurred_at)
  select w.part, w.player_id, w.spend_id, in_environment_id, w.place, 'Spend', -in_price, 'MarketplacePurchase', w.id, in_listing_id, w.key, w.at
  from unnest(parts, players, ids, spends, places, own_keys, times) as w(part, player_id, id, spend_id, place, key, at);
  update balances b set balance = b.balance - w.count * in_price, total_spent = b.total_spent + w.count * in_price
  from (select u.part, u.player_id, count(*)::bigint as count from unnest(parts, players) as u(part, player_id) group by 1, 2) w
  where b.part = w.part and b.player_id = w.player_id;
  insert into marketplace_purchases
    (part, player_id, id, environment_id, seq, listing_id, listing_key, round, occurrence_number, name, contents, price,
      limit_per_player, idempotency_key, purchased_at)
  select w.part, w.player_id, w.id, in_environment_id, w.place, in_listing_id, in_listing_key, in_round, in_occurrence_number, in_name, in_contents,
    in_price, in_limit, w.key, w.at
  from unnest(parts, players, ids, places, own_keys, times) as w(part, player_id, id, place, key, at);
  insert into owed_items
    (part, player_id, id, environment_id, source_type, source_id, ordinal, catalog_item_key, value_type, value, owed_at, endpoint_id)
  select w.part, w.player_id, i.id, in_environment_id, 'MarketplacePurchase', w.id, i.ordinal, i."catalogItemKey", i."valueType", i.value, w.at, endpoint
  from unnest(parts, players, ids, owed, times) as w(part, player_id, id, items, at)
  cross join json_to_recordset(w.items) as i("id" uuid, "ordinal" smallint, "catalogItemKey" text, "valueType" text, "value" json);
  -- A purchase is only written once, and so are its deliveries: their ids need not be derived.
  if endpoint is not null then
    insert into webhook_deliveries (id, endpoint_id, environment_id, event, source_id, data, occurred_at, traceparent)
    select gen_random_uuid(), endpoint, in_environment_id, 'catalog_item.fulfillment_requested', i.id, i.data, w.at, i.traceparent
    from unnest(owed, times) as w(items, at) cross join json_to_recordset(w.items) as i("id" uuid, "data" json, "traceparent" text);
  end if;
  -- Copies for listeners (server/delivery/store/listeners.ts); mostly there are none.
  if exists (select from webhook_listeners l where l.environment_id = in_environment_id) then
    insert into webhook_copies (id, listener_id, environment_id, event, data, occurred_at)
    select gen_random_uuid(), l.id, in_environment_id, 'catalog_item.fulfillment_requested', i.data, w.at
    from webhook_listeners l cross join unnest(owed, times) as w(items, at) cross join json_to_recordset(w.items) as i("data" json)
    where l.environment_id = in_environment_id and 'catalog_item.fulfillment_requested' = any(l.events);
  end if;
  perform marketplace_take(in_environment_id, parts, players, times, in_listing_id, in_round, in_price, in_stock);
end $$;

-- One purchase in one round trip.
create or replace function marketplace_buy(
  in_part smallint, in_player_id uuid, in_environment_id integer, in_version bigint, in_clock_offset_ms bigint,
  in_key text, in_listing_key text, in_refusal text,
  in_id uuid, in_spend_id uuid, in_listing_id integer, in_round text, in_occurrence_number integer,
  in_price bigint, in_stock integer, in_limit integer, in_name json, in_contents json, in_items json, in_at timestamptz,
  out outcome text, out purchase_id uuid, out contents json, out occurrence_number integer, out price bigint, out new_balance bigint,
  out is_told boolean
) language plpgsql as $$
#variable_conflict use_column
begin
  select s.* into outcome, purchase_id, contents, occurrence_number, price, new_balance, is_told
  from marketplace_buy_together(in_environment_id, in_version, in_clock_offset_ms, in_listing_key, in_listing_id, in_round, in_occurrence_number,
    in_price, in_stock, in_limit, in_name, in_contents, json_build_array(json_build_object('part', in_part, 'player_id', in_player_id, 'key', in_key,
      'refusal', in_refusal, 'id', in_id, 'spend_id', in_spend_id, 'items', in_items, 'at_ms', extract(epoch from in_at) * 1000))) s;
end $$;

drop function if exists marketplace_sell(smallint, uuid, integer, text, text, text, uuid, uuid, integer, text, integer, integer, bigint, integer, integer,
  json, json, json, timestamptz);

-- Leaderboards keep ranks as counts by score range (server/game/leaderboards/README.md): a rank is one more than the scores of all
-- better ranges and the better scores of its own range, which is short. Scores are `sort_score`: the smaller, the better.

-- Adds to the counts of a period, at the end of a transaction that has written scores: the lane, score and change of each. Cutting ranges
-- takes the same lock (class 4) exclusively: a score that is written but not yet counted is then counted in the new ranges. If scores only
-- move within a range, nothing is locked or written. One call counts for all lanes: a small slice's changes are spread over them.
create or replace function leaderboard_count_changes(in_period integer, in_lanes integer[], in_scores numeric[], in_changes integer[])
returns void language plpgsql set enable_seqscan = off set enable_nestloop = off as $$
declare
  -- A range with this many scores of one lane should be cut: with four lanes a range has a few hundred.
  most constant integer := 250;
  all_blocks integer[];
  all_lowers numeric[];
  touched record;
  own leaderboard_blocks;
  own_counts integer[];
  full_places integer[];
  place integer;
begin
  perform pg_advisory_xact_lock_shared(4, in_period);
  select array_agg(b.block order by b.lower nulls first), coalesce(array_agg(b.lower order by b.lower) filter (where b.lower is not null), '{}')
  into all_blocks, all_lowers from leaderboard_blocks b where b.period_id = in_period;

  for touched in
    with placed as materialized (
      select c.lane, all_blocks[width_bucket(c.score, all_lowers) + 1] as block, c.score, c.change
      from unnest(in_lanes, in_scores, in_changes) as c(lane, score, change)
    ), blocks as materialized (
      -- Joining nothing on unpacks the array once, and not for every score.
      select b.block, b.bounds || '{}'::numeric[] as bounds from leaderboard_blocks b
      where b.period_id = in_period and b.block = any((select array_agg(distinct p.block) from placed p)::integer[])
    ), changed as (
      select p.lane, b.block, width_bucket(p.score, b.bounds) + 1 as place, sum(p.change)::integer as change
      from placed p join blocks b on b.block = p.block group by 1, 2, 3 having sum(p.change) <> 0
    )
    select c.lane, c.block, array_agg(c.place) as places, array_agg(c.change) as changes, sum(c.change) as total
    from changed c group by 1, 2 order by 1, 2
  loop
    select c.counts into own_counts from leaderboard_counts c
    where c.period_id = in_period and c.block = touched.block and c.lane = touched.lane for no key update;
    if not found then
      insert into leaderboard_counts (period_id, block, lane, total, counts)
      select in_period, b.block, touched.lane, 0, array_fill(0, array[cardinality(b.bounds) + 1])
      from leaderboard_blocks b where b.period_id = in_period and b.block = touched.block
      on conflict do nothing;
      select c.counts into own_counts from leaderboard_counts c
      where c.period_id = in_period and c.block = touched.block and c.lane = touched.lane for no key update;
    end if;

    full_places := '{}';
    for i in 1..cardinality(touched.places) loop
      place := touched.places[i];
      own_counts[place] := own_counts[place] + touched.changes[i];
      if own_counts[place] > most then
        full_places := full_places || place;
      end if;
    end loop;
    update leaderboard_counts c set counts = own_counts, total = c.total + touched.total
    where c.period_id = in_period and c.block = touched.block and c.lane = touched.lane;

    continue when cardinality(full_places) = 0;
    select b.* into own from leaderboard_blocks b where b.period_id = in_period and b.block = touched.block and not b.is_full;
    continue when not found;
    foreach place in array full_places loop
      -- A range of one score cannot be cut; scores have at most eight decimals.
      continue when coalesce(own.bounds[place], own.upper) - coalesce(own.bounds[place - 1], own.lower) is not distinct from 0.00000001;
      -- Another transaction is already marking it.
      update leaderboard_blocks b set is_full = true where b.period_id = in_period and b.block = (
        select f.block from leaderboard_blocks f where f.period_id = in_period and f.block = own.block and not f.is_full for no key update skip locked);
      exit;
    end loop;
  end loop;
end $$;

-- As it was called with one lane, by versions before this function's successor.
create or replace function leaderboard_count(in_period integer, in_lane integer, in_scores numeric[], in_changes integer[]) returns void
language sql as $$
  select leaderboard_count_changes(in_period, array_fill(in_lane, array[cardinality(in_scores)]), in_scores, in_changes)
$$;

-- Adds to scores without reading them first, and returns the rows to count: each score before and after, as `sort_score`. The caller holds
-- the players' locks. `in_moved` is the last fact that moved a score, null if none did; a new score counts as reached by that fact, else by
-- the first one. A new player in one of `in_leagues` gets a row that waits for a seat. The planner's settings are fixed because statements
-- are planned once, when the tables are still empty.
create or replace function leaderboard_add(
  in_parts smallint[], in_players uuid[], in_periods integer[], in_scores numeric[], in_first bigint[], in_moved bigint[], in_leagues integer[]
) returns table (period_id integer, lane smallint, score numeric, change integer)
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  answered integer;
begin
  return query
    with updated as (
      update leaderboard_scores s set sort_score = s.sort_score + g.score, reached_seq = g.moved
      from (select unnest(in_parts) as part, unnest(in_players) as player_id, unnest(in_periods) as period_id, unnest(in_scores) as score,
        unnest(in_moved) as moved) g
      where s.part = g.part and s.player_id = g.player_id and s.period_id = g.period_id and g.moved is not null /* spread: and (s.part = in_parts[1] or s.part = any(in_parts)) */
      returning s.period_id, ((hashint2(s.part)::bigint + 2147483648) >> 30)::smallint as lane, s.sort_score - g.score as before, s.sort_score as after
    )
    select u.period_id, u.lane, c.score, c.change from updated u cross join lateral (values (u.before, -1), (u.after, 1)) as c(score, change);
  get diagnostics answered = row_count;

  if answered < 2 * cardinality(in_parts) then
    return query
      with given as (
        select * from unnest(in_parts, in_players, in_periods, in_scores, in_first, in_moved)
          as g(part, player_id, period_id, score, first, moved)
      ), inserted as (
        insert into leaderboard_scores (part, player_id, period_id, sort_score, reached_seq)
        select g.part, g.player_id, g.period_id, g.score, coalesce(g.moved, g.first) from given g
        on conflict do nothing
        returning part, player_id, period_id, sort_score
      ), seated as (
        insert into leaderboard_seats (part, player_id, period_id, first_seq)
        select i.part, i.player_id, i.period_id, g.first
        from inserted i join given g on g.part = i.part and g.player_id = i.player_id and g.period_id = i.period_id
        where i.period_id = any(in_leagues)
        on conflict do nothing
      )
      select i.period_id, ((hashint2(i.part)::bigint + 2147483648) >> 30)::smallint, i.sort_score, 1 from inserted i;
  end if;
end $$;

-- Replaces worse scores and adds missing ones, without reading them first; otherwise like leaderboard_add. The better
-- `sort_score` is the larger one where `in_signs` is 1, the smaller one where it is -1.
create or replace function leaderboard_keep(
  in_signs smallint[], in_parts smallint[], in_players uuid[], in_periods integer[], in_scores numeric[], in_first bigint[], in_reached bigint[], in_leagues integer[]
) returns table (period_id integer, lane smallint, score numeric, change integer)
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    with changed as materialized (
      select g.part, g.player_id, g.period_id, g.score, g.first, g.reached, s.sort_score as before
      from (select unnest(in_signs) as sign, unnest(in_parts) as part, unnest(in_players) as player_id, unnest(in_periods) as period_id,
        unnest(in_scores) as score, unnest(in_first) as first, unnest(in_reached) as reached) g
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
    select c.period_id, ((hashint2(c.part)::bigint + 2147483648) >> 30)::smallint, n.score, n.change
    from changed c cross join lateral (values (c.before, -1), (c.score, 1)) as n(score, change) where n.score is not null;
end $$;

-- The lower bound of the range that a score falls into, and the number of scores before that range. Planned once: planning took longer than
-- execution, and with these settings there is only one plan.
create or replace function leaderboard_range(in_period integer, in_score numeric, out lower numeric, out before bigint) stable
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
declare
  own leaderboard_blocks;
  place integer;
begin
  select b.* into own from leaderboard_blocks b
  where b.period_id = in_period and (b.lower is null or b.lower <= in_score) and (b.upper is null or in_score < b.upper);
  place := width_bucket(in_score, own.bounds);
  lower := coalesce(own.bounds[place], own.lower, '-infinity');

  select coalesce(sum(case when c.block = own.block then (select coalesce(sum(n), 0) from unnest(c.counts[1:place]) n) else c.total end), 0)
  into before from leaderboard_blocks b join leaderboard_counts c on c.period_id = b.period_id and c.block = b.block
  where b.period_id = in_period and (b.block = own.block or b.upper <= in_score);
end $$;

-- The competition rank that a score has, or would have, in a period.
create or replace function leaderboard_rank(in_period integer, in_score numeric) returns bigint stable
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
declare
  own record;
  beside bigint := 0;
begin
  own := leaderboard_range(in_period, in_score);
  if own.lower < in_score then
    select count(*) into beside from leaderboard_scores s
    where s.period_id = in_period and s.sort_score >= own.lower and s.sort_score < in_score;
  end if;
  return 1 + own.before + beside;
end $$;

-- The standings of a period for several readers, in one snapshot. `top`: the first rows, each [name, sort_score, player_id]. `readers`: for
-- each reader with a row [the reader's number from 1, ranks, above, own, below]. Above and below are [names, scores], the nearest first,
-- own is one name and one score. The ranks are of the first row shown, and of the first one with another score; the second one is null
-- where the row before those shown has another score, since it then follows from the rows: one more row is read above for that. Reads once
-- for all readers: the running sums of block counts, the top rows, and the start of the statements. Rows of a reader's range are counted
-- from the end nearer to the score. Each `offset 0` prevents an expression from being evaluated for every use. JIT is off: limits unknown
-- at planning raise the cost estimate, and compiling takes longer than thousands of readers.
create or replace function leaderboard_standings_of(
  in_period integer, in_parts smallint[], in_players uuid[], in_top integer, in_neighbours integer[],
  out participants bigint, out top json, out readers json
) stable language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_memoize = off
  set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  all_blocks integer[];
  all_lowers numeric[];
  all_before bigint[];
  all_through bigint[];
begin
  select array_agg(b.block order by b.lower nulls first), coalesce((array_agg(b.lower order by b.lower nulls first))[2:], '{}'),
    array_agg(b.through - b.total order by b.lower nulls first), array_agg(b.through order by b.lower nulls first), coalesce(max(b.through), 0)
  into all_blocks, all_lowers, all_before, all_through, participants
  from (
    select t.block, t.lower, t.total, (sum(t.total) over (order by t.lower nulls first))::bigint as through
    from (
      select u.block, max(u.lower) as lower, sum(u.total) as total from (
        select b.block, b.lower, 0 as total from leaderboard_blocks b where b.period_id = in_period
        union all
        select c.block, null, c.total from leaderboard_counts c where c.period_id = in_period
      ) u group by u.block
    ) t
  ) b;

  select coalesce(json_agg(json_build_array(coalesce(s.team_key, p.display_name), s.sort_score, s.player_id)), '[]') into top
  from (
    select s.part, s.player_id, s.sort_score, s.team_key from leaderboard_scores s
    where s.period_id = in_period order by s.sort_score, s.reached_seq, s.player_id limit in_top
  ) s left join players p on p.part = s.part and p.player_id = s.player_id;

  select coalesce(json_agg(json_build_array(k.at, r.ranks,
      json_build_array(coalesce(a.names, '[]'), coalesce(a.scores[:k.neighbours], '{}')),
      json_build_array(coalesce(o.team_key, p.display_name), o.sort_score),
      json_build_array(coalesce(c.names, '[]'), coalesce(c.scores, '{}')))), '[]')
  into readers
  from unnest(in_parts, in_players, in_neighbours) with ordinality as k(part, player_id, neighbours, at)
  join leaderboard_scores o on o.part = k.part and o.player_id = k.player_id and o.period_id = in_period
  left join players p on p.part = o.part and p.player_id = o.player_id
  cross join lateral (
    select array_agg(s.sort_score) as scores, json_agg(coalesce(s.team_key, n.display_name)) as names
    from (
      select s.part, s.player_id, s.sort_score, s.team_key from leaderboard_scores s
      where s.period_id = in_period and (s.sort_score, s.reached_seq, s.player_id) < (o.sort_score, o.reached_seq, o.player_id)
      order by s.sort_score desc, s.reached_seq desc, s.player_id desc limit case when k.neighbours = 0 then 0 else k.neighbours + 1 end
    ) s left join players n on n.part = s.part and n.player_id = s.player_id
  ) a
  cross join lateral (
    select array_agg(s.sort_score) as scores, json_agg(coalesce(s.team_key, n.display_name)) as names
    from (
      select s.part, s.player_id, s.sort_score, s.team_key from leaderboard_scores s
      where s.period_id = in_period and (s.sort_score, s.reached_seq, s.player_id) > (o.sort_score, o.reached_seq, o.player_id)
      order by s.sort_score, s.reached_seq, s.player_id limit k.neighbours
    ) s left join players n on n.part = s.part and n.player_id = s.player_id
  ) c
  cross join lateral (
    select f.score, width_bucket(f.score, all_lowers) + 1 as at,
      case when f.score = f.before then (
        select min(m.score) from unnest(a.scores[:k.neighbours] || o.sort_score || c.scores) as m(score) where m.score > f.score) end as second
    from (
      select coalesce(a.scores[least(k.neighbours, cardinality(a.scores))], o.sort_score) as score, a.scores[k.neighbours + 1] as before offset 0
    ) f offset 0
  ) f
  cross join lateral (
    select array[t.first, case
        when f.second is null then null
        when f.second < t.high or t.high is null then t.first + (
          select count(*) from leaderboard_scores s where s.period_id = in_period and s.sort_score >= f.score and s.sort_score < f.second)
        else 1 + t.edged + case when t.from_upper then 0 else (
          select sum(q.counts[t.place + 1]) from leaderboard_counts q where q.period_id = in_period and q.block = t.block) end
      end] as ranks
    from (
      select z.*, 1 + z.edged + case when z.from_upper then -z.beside else z.beside end as first
      from (
        select y.block, y.place, y.high, y.from_upper,
          case when y.is_early then all_before[f.at] else all_through[f.at] end + case when y.is_early then 1 else -1 end * (
            select coalesce(sum(g.n), 0) from (
              select unnest(case when y.is_early then q.counts[:y.edge] else q.counts[y.edge + 1:] end) as n
              from leaderboard_counts q where q.period_id = in_period and q.block = y.block) g) as edged,
          (select count(*) from leaderboard_scores s
            where s.period_id = in_period and s.sort_score >= case when y.from_upper then f.score else coalesce(y.low, '-infinity') end
              and s.sort_score < case when y.from_upper then y.high else f.score end) as beside
        from (
          select w.*, w.place + case when w.from_upper then 1 else 0 end as edge
          from (
            select u.*, coalesce(u.high - f.score < f.score - u.low, false) as from_upper
            from (
              select x.block, x.place, 2 * x.place <= cardinality(x.bounds) as is_early,
                coalesce(x.bounds[x.place], x.lower) as low, coalesce(x.bounds[x.place + 1], x.upper) as high
              from (
                select b.block, b.lower, b.upper, b.bounds, width_bucket(f.score, b.bounds) as place
                from leaderboard_blocks b where b.period_id = in_period and b.block = all_blocks[f.at]
                offset 0
              ) x offset 0
            ) u offset 0
          ) w offset 0
        ) y offset 0
      ) z offset 0
    ) t
  ) r;
end $$;

-- The begin of a streak's period depends on the player's zone. A change of the zone makes waiting periods due at once, to be recomputed;
-- one that has not begun yet is due again when it begins (server/model/streaks/advance.ts).
create or replace function streak_beginnings_of_player() returns trigger language plpgsql as $$
begin
  update streak_beginnings set due_at = to_timestamp(0) where part = new.part and player_id = new.player_id;
  return null;
end $$;

create or replace trigger players_time_zone after update of time_zone on players for each row
  when (old.time_zone is distinct from new.time_zone) execute function streak_beginnings_of_player();

create or replace function streak_beginnings_of_project() returns trigger language plpgsql as $$
begin
  update streak_beginnings b set due_at = to_timestamp(0) from environments e where e.project_id = new.id and b.environment_id = e.id;
  return null;
end $$;

create or replace trigger projects_time_zone after update of time_zone on projects for each row
  when (old.time_zone is distinct from new.time_zone) execute function streak_beginnings_of_project();

-- The number of lanes, the indexes of those with waiting facts, and whether fewer than `in_few` facts wait in all. Steps from lane to lane in
-- the index, above the queue's floor (db/schema/worker.ts): PostgreSQL 18 skips to it, older ones pass over the applied facts by the index
-- alone. Planned once, for the index, however long the queue was then.
create or replace function waiting_lanes(in_default integer, in_fine_lanes integer, in_few integer)
returns table (count integer, waiting json, are_few boolean) language plpgsql stable rows 1
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
#variable_conflict use_column
begin
  return query
    with recursive lanes(count, width) as (
      select n.count, in_fine_lanes / n.count from (select coalesce((select i.lanes from installation i), in_default) as count) n
    ), waiting(lane) as (
      (select q.lane / l.width from queued_facts q cross join lanes l where q.seq > (select floor from queue_floor) order by q.lane limit 1)
      union all
      select (select q.lane / l.width from queued_facts q
        where q.lane >= (w.lane + 1) * l.width and q.seq > (select floor from queue_floor) order by q.lane limit 1)
      from waiting w cross join lanes l where w.lane is not null
    )
    select l.count, to_json(array(select w.lane from waiting w where w.lane is not null)),
      (select count(*) < in_few from (
        select from queued_facts q where q.seq > (select floor from queue_floor) order by q.lane, q.environment_id, q.seq limit in_few) f)
    from lanes l;
end $$;

-- For each listing in its round: the units sold in all, and to this player (server/game/marketplace/store/sales.ts). Planned once.
create or replace function listings_sold(in_part smallint, in_player uuid, in_rounds json)
returns table (id integer, sold integer, bought bigint) language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
  return query
    with own as materialized (
      select p.listing_id, p.round, count(*) as count from marketplace_purchases p
      where p.part = in_part and p.player_id = in_player and p.reversed_at is null
        and (p.listing_id, p.round) in (select a.id, a.round from json_to_recordset(in_rounds) as a("id" int, "round" text))
      group by 1, 2
    )
    select a.id, coalesce((select r.sold from marketplace_rounds r where r.listing_id = a.id and r.round = a.round), 0),
      coalesce((select o.count from own o where o.listing_id = a.id and o.round = a.round), 0)
    from json_to_recordset(in_rounds) as a("id" int, "round" text);
end $$;

-- Raises the queue's floor (db/schema/worker.ts) to its next position, if no fact up to there waits. The caller has seen the end of every
-- transaction that may have taken such a position. The row is locked before the queue is read: a return from the quarantine is seen there,
-- or lowers the floor afterwards.
create or replace function raise_queue_floor(in_seq bigint) returns boolean
language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  known bigint;
begin
  select f.floor into known from queue_floor f where f.next = in_seq for no key update skip locked;
  if known is null or exists (select from queued_facts q where q.seq > known and q.seq <= in_seq) then
    return false;
  end if;
  update queue_floor f set floor = greatest(f.floor, in_seq), next = null;
  return true;
end $$;

-- What leaves the quarantine may have gone back to the queue, at its old position. The update is made even where it changes nothing: it
-- waits for a transaction that raises the floor without seeing these facts.
create or replace function lower_queue_floor() returns trigger language plpgsql as $$
declare
  first bigint := (select min(g.seq) from gone g);
begin
  if first is not null then
    update queue_floor f set floor = least(f.floor, first - 1);
  end if;
  return null;
end $$;

create or replace trigger quarantined_facts_return after delete on quarantined_facts referencing old table as gone
  for each statement execute function lower_queue_floor();

-- The id of a delivery, derived from event, source and endpoint: a retried transaction finds its deliveries, and so does a search by
-- player. After a reset of the environment the same sources may occur again, but the ids, which receivers have seen, must be new.
create or replace function webhook_delivery_id(in_event text, in_source_id uuid, in_endpoint_id uuid, in_resets integer) returns uuid
language sql stable as $$
  select overlay(overlay(encode(sha256(convert_to(concat_ws(' ', in_event, in_source_id, in_endpoint_id, nullif(in_resets, 0)), 'UTF8')), 'hex')
    placing '8' from 13) placing 'a' from 17)::varchar(32)::uuid
$$;
-- Analytics (server/insight/analytics/README.md). A player's figures are in the sums of `players.analytics_epoch`; with 0 they are not
-- counted yet. Ledger, purchases and completions are counted by functions that their writers call. The sums of a row are defined once, and
-- recounts from the tables use the same definition: `audit` finds a writer that forgot the call.

-- The day and the hour of an instant in a zone. Everything in them is immutable, so that they are inlined: `to_char` is not, and a call of a
-- function for each row and measure took half the time of counting sales.
create or replace function analytics_day(at timestamptz, zone text) returns date immutable parallel safe language sql
  as $$ select (at at time zone zone)::date $$;
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

-- Writes grants, in the order of the key, so that concurrent sets do not deadlock, and returns those that the ledger did not have. With
-- `in_cuts` a grant is cut to the room in the balance, else one beyond it fails. Without `force_generic_plan` each call is planned anew, which
-- takes as long as writing three grants: a plan for few rows looks cheaper than the general one.
create or replace function points_grant(in_rows json, in_cuts boolean)
returns table (part smallint, player_id uuid, amount bigint, environment_id integer, source_type text, source_definition_id integer, occurred_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    with given as (
      select *, case when not in_cuts then points else greatest(0, least(points, (1::bigint << 53) - 1
        - coalesce(sum(points) over (partition by part, "playerId" order by "order" rows between unbounded preceding and 1 preceding), 0)
        - coalesce((select b.balance from balances b where b.part = r.part and b.player_id = r."playerId"), 0))) end as amount
      from json_to_recordset(in_rows) as r("part" smallint, "playerId" uuid, "id" uuid, "environmentId" int, "points" bigint,
        "sourceType" text, "sourceId" uuid, "sourceDefinitionId" int, "ordinal" smallint, "at" float8, "order" int)
    ), granted as (
      insert into points_transactions
        (part, player_id, id, environment_id, seq, type, amount, source_type, source_id, source_definition_id, ordinal, occurred_at)
      select part, "playerId", id, "environmentId", nextval('fact_seq'), 'Grant', amount, "sourceType", "sourceId", "sourceDefinitionId", ordinal,
        to_timestamp("at" / 1000)
      from given order by part, "playerId", "order"
      on conflict do nothing
      returning part, player_id, amount, environment_id, source_type, source_definition_id, occurred_at
    ), credited as (
      insert into balances as b (part, player_id, balance, total_granted)
      select part, player_id, sum(amount), sum(amount) from granted group by part, player_id order by part, player_id
      on conflict (part, player_id) do update
        set balance = b.balance + excluded.balance, total_granted = b.total_granted + excluded.total_granted
    )
    select part, player_id, amount, environment_id, source_type::text, source_definition_id, occurred_at::timestamptz from granted;
end $$;

-- Writes completed occurrences, and returns those that were not there.
create or replace function complete_missions(in_rows json)
returns table (environment_id integer, part smallint, player_id uuid, mission_id integer, accepted_at timestamptz, completed_at timestamptz, rewards json)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
    insert into mission_completions
      (part, player_id, environment_id, occurrence_id, mission_id, occurrence_number, started_at, accepted_at, completed_at, objectives, rewards)
    select part, "playerId", "environmentId", "occurrenceId", "missionId", "occurrenceNumber",
      to_timestamp("startedAt" / 1000), to_timestamp("acceptedAt" / 1000), to_timestamp("completedAt" / 1000), objectives, rewards
    from json_to_recordset(in_rows) as r("part" smallint, "playerId" uuid, "environmentId" int, "occurrenceId" uuid, "missionId" int,
      "occurrenceNumber" int, "startedAt" float8, "acceptedAt" float8, "completedAt" float8, "objectives" json, "rewards" json)
    on conflict do nothing
    returning environment_id, part, player_id, mission_id, accepted_at::timestamptz, completed_at::timestamptz, rewards;
end $$;

-- The analytics epoch of each player; 0: not counted yet. Planned once, as `points_grant` is.
create or replace function analytics_epochs(in_parts smallint[], in_players uuid[]) returns integer[]
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  return array(
    select coalesce(p.analytics_epoch, 0) from unnest(in_parts, in_players) with ordinality as k(part, player_id, at)
    left join players p on p.part = k.part and p.player_id = k.player_id order by k.at);
end $$;

-- They count the rows that a transaction has just written. The writer calls them after those rows and after every other row of the player
-- that it locks. They are no triggers: a distributed table cannot have any that write to another table. `in_epoch` is the epoch of all of
-- the players, if the caller has locked them and knows it; with null the epochs are read.
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

-- Purchases of a listing in one round, with what they spent.
create or replace function analytics_count_sales(
  in_environment_id integer, in_parts smallint[], in_players uuid[], in_times timestamptz[], in_listing_id integer, in_round text, in_price bigint
) returns void language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  epochs integer[];
begin
  perform analytics_hold(array_fill(in_environment_id, array[cardinality(in_parts)]), in_parts);
  epochs := analytics_epochs(in_parts, in_players);
  insert into analytics_deltas (environment_id, epoch, measure, subject, detail, day, hour, count, amount)
  with written as materialized (
    select * from (select unnest(epochs) as analytics_epoch, unnest(in_times) as at) w
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

-- The reversal of a purchase; `in_is_reversal` is true.
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

-- All sums that the tables give for some players. Unapplied events, queued or failed, are left out. Days of activity come from
-- `player_days`, which `analytics_days` makes from the log.
create or replace function analytics_recount(in_environment_id integer, in_parts smallint[], in_players uuid[], in_zone text)
returns table (measure text, subject integer, detail text, day date, count bigint, amount numeric)
stable language plpgsql set enable_seqscan = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    with page as materialized (
      select * from unnest(in_parts, in_players) as k(part, player_id)
    ), unapplied as materialized (
      select q.seq from page k join queued_facts q on q.part = k.part and q.player_id = k.player_id
      union all
      select q.seq from quarantined_facts q join page k on k.part = q.part and k.player_id = q.player_id where q.environment_id = in_environment_id
    ), facts as materialized (
      select e.definition_id, analytics_day(e.occurred_at, in_zone) as day, analytics_hour(e.occurred_at, in_zone) as hour, null::numeric as amount
      from page k join events e on e.part = k.part and e.player_id = k.player_id
      where e.seq not in (select u.seq from unapplied u)
      union all
      select m.definition_id, analytics_day(m.occurred_at, in_zone), analytics_hour(m.occurred_at, in_zone), m.normalized_value
      from page k join metric_events m on m.part = k.part and m.player_id = k.player_id
      where m.seq not in (select u.seq from unapplied u)
    ), days as materialized (
      select d.part, d.player_id, d.day, d.hour, date_trunc('week', d.day::timestamp)::date as week, date_trunc('month', d.day::timestamp)::date as month,
        min(d.day) over (partition by d.part, d.player_id) as first
      from page k join player_days d on d.part = k.part and d.player_id = k.player_id
    ), weeks as (
      select distinct d.part, d.player_id, d.week, date_trunc('week', d.first::timestamp)::date as cohort from days d
    )
    select case when f.amount is null then 'event' else 'metric' end, f.definition_id, ''::text, f.day, count(*), coalesce(sum(f.amount), 0)
    from facts f group by f.amount is null, 1, 2, 4
    union all
    select 'hour.events', 0, f.hour, f.day, count(*), 0 from facts f group by f.hour, f.day
    union all
    select 'active.day', 0, '', d.day, count(*), 0 from days d group by d.day
    union all
    select 'hour.active', 0, lpad(d.hour::text, 2, '0'), d.day, count(*), 0 from days d group by d.hour, d.day
    union all
    select 'active.week', 0, '', w.week, count(*), 0 from weeks w group by w.week
    union all
    select 'active.month', 0, '', m.month, count(*), 0 from (select distinct d.part, d.player_id, d.month from days d) m group by m.month
    union all
    select 'new', 0, '', d.first, count(*), 0 from days d where d.day = d.first group by d.first
    union all
    select 'retention', 0, w.cohort::text, w.week, count(*), 0 from weeks w group by w.cohort, w.week
    union all
    select m.measure, m.subject, m.detail, t.day, count(*), sum(m.amount)
    from (
      select w.*, analytics_day(w.occurred_at, in_zone) as day
      from page k join points_transactions w on w.part = k.part and w.player_id = k.player_id
    ) t cross join lateral analytics_of_transaction(t.type, t.amount, t.source_type, t.source_definition_id, analytics_hour(t.occurred_at, in_zone)) m
    group by 1, 2, 3, 4
    union all
    select m.measure, m.subject, m.detail, analytics_day(c.completed_at, in_zone), sum(m.count)::bigint, sum(m.amount)
    from page k join mission_completions c on c.part = k.part and c.player_id = k.player_id
    cross join lateral analytics_of_completed(c.mission_id, c.accepted_at, c.completed_at, c.rewards, analytics_hour(c.completed_at, in_zone)) m
    group by 1, 2, 3, 4
    union all
    select m.measure, m.subject, m.detail, m.day, count(*), sum(p.price)
    from page k join marketplace_purchases p on p.part = k.part and p.player_id = k.player_id
    cross join lateral (values
      ('purchased', p.listing_id, p.round::text, analytics_day(p.purchased_at, in_zone)),
      ('hour.purchased', 0, analytics_hour(p.purchased_at, in_zone), analytics_day(p.purchased_at, in_zone)),
      ('reversed', p.listing_id, p.round::text, analytics_day(p.reversed_at, in_zone))) as m(measure, subject, detail, day)
    where m.day is not null
    group by 1, 2, 3, 4
    union all
    select 'streak.started', r.streak_id, '', r.first, count(*), 0
    from page k join streak_runs r on r.part = k.part and r.player_id = k.player_id
    group by r.streak_id, r.first;
end $$;

-- The sums of some measures for a segment's members, as of one count, for the days from one up to another. Measures without a table
-- (offers, accepts, progress, refusals) are not included. Instants are first narrowed with a day to spare, which covers every zone, and
-- then by their day: an hour that occurs twice belongs to one day, whatever its offset. It does in sets what `analytics_of_transaction` and
-- `analytics_of_completed` do for one row: calling them took longer than finding the rows. A property test
-- (server/insight/analytics/recount.test.ts) compares the two.
create or replace function analytics_of_members(
  in_segment_id integer, in_generation integer, in_measures text[], in_from date, in_to date, in_zone text
)
returns table (measure text, subject integer, detail text, day date, count bigint, amount numeric)
stable language plpgsql set plan_cache_mode = force_custom_plan set jit = off as $$
#variable_conflict use_column
declare
  earliest timestamptz := in_from::timestamp at time zone 'UTC' - interval '1 day';
  latest timestamptz := in_to::timestamp at time zone 'UTC' + interval '1 day';
begin
  if in_measures && array['active.day', 'active.week', 'active.month'] then
    return query
      with days as materialized (
        select d.part, d.player_id, d.day
        from segment_members k join player_days d on d.part = k.part and d.player_id = k.player_id
        where k.segment_id = in_segment_id and k.generation = in_generation and d.day >= in_from and d.day < in_to
      )
      select 'active.day', 0, '', d.day, count(*), 0::numeric from days d where 'active.day' = any(in_measures) group by d.day
      union all
      select 'active.week', 0, '', w.week, count(*), 0
      from (select distinct d.part, d.player_id, date_trunc('week', d.day::timestamp)::date as week from days d) w
      where 'active.week' = any(in_measures) group by w.week
      union all
      select 'active.month', 0, '', m.month, count(*), 0
      from (select distinct d.part, d.player_id, date_trunc('month', d.day::timestamp)::date as month from days d) m
      where 'active.month' = any(in_measures) group by m.month;
  end if;
  if in_measures && array['new', 'retention'] then
    return query
      with firsts as materialized (
        select k.part, k.player_id, f.day, date_trunc('week', f.day::timestamp)::date as week
        from segment_members k
        cross join lateral (select min(d.day) as day from player_days d where d.part = k.part and d.player_id = k.player_id) f
        where k.segment_id = in_segment_id and k.generation = in_generation and f.day < in_to
      )
      select 'new', 0, '', f.day, count(*), 0::numeric from firsts f where 'new' = any(in_measures) and f.day >= in_from group by f.day
      union all
      select 'retention', 0, w.cohort::text, w.week, count(*), 0
      from (
        select distinct d.part, d.player_id, date_trunc('week', d.day::timestamp)::date as week, f.week as cohort
        from firsts f join player_days d on d.part = f.part and d.player_id = f.player_id
        where 'retention' = any(in_measures) and d.day >= in_from and d.day < in_to
      ) w group by w.cohort, w.week;
  end if;
  if in_measures && array['completed', 'duration', 'items'] then
    return query
      with told as materialized (
        select w.mission_id, d.day, analytics_duration(w.completed_at - w.accepted_at) as duration, w.rewards::text as rewards, count(*) as count
        from segment_members k join mission_completions w on w.part = k.part and w.player_id = k.player_id
        cross join lateral (select analytics_day(w.completed_at, in_zone) as day) d
        where k.segment_id = in_segment_id and k.generation = in_generation and w.completed_at >= earliest and w.completed_at < latest
          and d.day >= in_from and d.day < in_to
        group by 1, 2, 3, 4
      )
      select 'completed', t.mission_id, '', t.day, sum(t.count)::bigint, 0::numeric from told t
      where 'completed' = any(in_measures) group by t.mission_id, t.day
      union all
      select 'duration', t.mission_id, t.duration, t.day, sum(t.count)::bigint, 0 from told t
      where 'duration' = any(in_measures) group by t.mission_id, t.duration, t.day
      union all
      select 'items', t.mission_id, '', t.day, sum(t.count * i.count)::bigint, sum(t.count * i.amount)
      from told t cross join lateral analytics_items(t.rewards::json) i
      where 'items' = any(in_measures) group by t.mission_id, t.day;
  end if;
  if in_measures && array['points.granted', 'points.spent', 'points.refunded', 'points.credited', 'points.debited'] then
    return query
      select m.measure, coalesce(w.source_definition_id, 0), coalesce(w.source_type, ''), m.day, count(*), sum(abs(w.amount))
      from segment_members k join points_transactions w on w.part = k.part and w.player_id = k.player_id
      cross join lateral (select analytics_points(w.type, w.amount) as measure, analytics_day(w.occurred_at, in_zone) as day) m
      where k.segment_id = in_segment_id and k.generation = in_generation and w.occurred_at >= earliest and w.occurred_at < latest
        and m.measure = any(in_measures) and m.day >= in_from and m.day < in_to
      group by 1, 2, 3, 4;
  end if;
  if in_measures && array['purchased', 'reversed'] then
    return query
      select m.measure, p.listing_id, p.round::text, m.day, count(*), sum(p.price)
      from segment_members k join marketplace_purchases p on p.part = k.part and p.player_id = k.player_id
      cross join lateral (values
        ('purchased', analytics_day(p.purchased_at, in_zone)), ('reversed', analytics_day(p.reversed_at, in_zone))) as m(measure, day)
      where k.segment_id = in_segment_id and k.generation = in_generation and m.measure = any(in_measures) and m.day >= in_from and m.day < in_to
      group by 1, 2, 3, 4;
  end if;
end $$;

-- The bucket of a webhook attempt's duration in milliseconds (server/model/kernel/durations.ts).
create or replace function webhook_latency(in_ms integer) returns integer immutable parallel safe language sql as $$
  select width_bucket(in_ms, array[1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724, 1024, 1448, 2048, 2896, 4096, 5793,
    8192, 11585, 16384, 23170, 32768, 46341, 65536])
$$;

-- The endpoints with pending deliveries, deleted ones too. Steps through the index: one probe for each endpoint, however long its backlog, and
-- a last one, which finds null. `order by` leaves one index.
create or replace function pending_endpoints() returns setof uuid language plpgsql stable rows 10
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
begin
  return query
    with recursive pending(endpoint_id) as (
      (select d.endpoint_id from webhook_deliveries d where d.status = 'Pending' order by d.endpoint_id, d.due_at limit 1)
      union all
      select (
        select d.endpoint_id from webhook_deliveries d
        where d.status = 'Pending' and d.endpoint_id > p.endpoint_id order by d.endpoint_id, d.due_at limit 1
      )
      from pending p where p.endpoint_id is not null
    )
    select p.endpoint_id from pending p where p.endpoint_id is not null;
end $$;

-- The endpoints with pending deliveries and their states (server/delivery/store/sending.ts). At most one row of held deliveries is read, and
-- none of a supplied endpoint: the scan would pass over all leased and recently delivered rows. `exists` was planned as one scan of
-- everything due.
create or replace function webhook_backlogs(in_held_ms float8, in_supplied uuid[]) returns table (endpoint_id uuid, state text)
language plpgsql stable set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_sort = off as $$
begin
  return query
    select p.id, case
        when e.id is null then 'Gone'
        when e.disabled_at is null then
          case when p.id = any(in_supplied) or (
            select true from webhook_deliveries d
            where d.endpoint_id = p.id and d.status = 'Pending' and d.due_at <= now()
              and (d.leased_until is null or d.leased_until <= now())
            order by d.due_at limit 1
          ) then 'Due' else 'Waiting' end
        when e.disabled_at <= now() - h.held and (
          select true from webhook_deliveries d
          where d.endpoint_id = p.id and d.status = 'Pending' and d.due_at <= now() - h.held
          order by d.due_at limit 1
        ) then 'HeldTooLong'
        else 'Held'
      end
    from pending_endpoints() p(id)
    cross join (select in_held_ms * interval '1 ms' as held) h
    left join webhook_endpoints e on e.id = p.id;
end $$;

-- Leases due deliveries and returns them, longest due first. Rows that another process has leased or locked are skipped. The rows are found
-- again by `ctid`, which cannot change while they are locked.
create or replace function claim_deliveries(in_quotas json, in_lease_ms float8)
returns table (
  id uuid, endpoint_id uuid, event text, data text, attempts smallint, occurred_at timestamptz, traceparent text,
  url text, secret text, previous_secret text
) language plpgsql set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    with claimed as (
      update webhook_deliveries d set leased_until = now() + in_lease_ms * interval '1 ms'
      from webhook_endpoints e
      where e.id = d.endpoint_id and d.ctid = any(array(
        select due.ctid
        from json_to_recordset(in_quotas) as r("endpointId" uuid, "quota" int)
        join webhook_endpoints active on active.id = r."endpointId" and active.disabled_at is null
        cross join lateral (
          select q.ctid from webhook_deliveries q
          where q.endpoint_id = r."endpointId" and q.status = 'Pending' and q.due_at <= now()
            and (q.leased_until is null or q.leased_until <= now())
          order by q.due_at limit r.quota for update skip locked
        ) due
      ))
      returning d.due_at, d.id, d.endpoint_id, d.event, d.data::text as data, d.attempts, d.occurred_at, d.traceparent, e.url, e.secret,
        case when e.previous_secret_expires_at > now() then e.previous_secret end as previous_secret
    )
    select c.id, c.endpoint_id, c.event, c.data, c.attempts, c.occurred_at, c.traceparent, c.url, c.secret, c.previous_secret
    from claimed c order by c.due_at;
end $$;

-- Records attempts with their responses, the state of their deliveries and the health of their endpoints, all or nothing. An attempt is
-- recorded once. If a lease ran out and two attempts were made, a success counts whenever it arrives. Returns the endpoints whose attempts
-- have all failed for `in_patience_ms`. The sums look each delivery up by its key, since `saved` and `written` cannot be joined quickly
-- without a hash.
create or replace function record_attempts(in_attempts json, in_patience_ms float8) returns setof uuid
language plpgsql set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  return query
    with r as materialized (
      select * from json_to_recordset(in_attempts) as r("deliveryId" uuid, "endpointId" uuid, "number" smallint, "startedAt" float8,
        "durationMs" int, "responseStatus" smallint, "error" text, "status" text, "waitMs" float8,
        "answerHeaders" json, "answerBody" text, "answerIsCut" boolean)
    ),
    saved as (
      update webhook_deliveries d
      set status = r.status, attempts = r.number, due_at = now() + r."waitMs" * interval '1 ms', leased_until = null,
        given_up = null
      from r
      where d.id = r."deliveryId"
        and ((d.status = 'Pending' and d.attempts = r.number - 1) or (d.status <> 'Delivered' and r.status = 'Delivered'))
      returning r.*
    ),
    written as (
      insert into webhook_attempts (delivery_id, number, started_at, duration_ms, response_status, error)
      select s."deliveryId", s.number, to_timestamp(s."startedAt" / 1000), s."durationMs", s."responseStatus", s.error from saved s
      on conflict do nothing
      returning *
    ),
    counted as (
      insert into analytics_webhooks as w (environment_id, endpoint_id, quarter, attempts, delivered, retries, latencies)
      select d.environment_id, d.endpoint_id, date_bin('15 minutes', a.started_at, 'epoch'), count(*),
        count(*) filter (where a.response_status between 200 and 299), count(*) filter (where a.number > 1),
        array(select count(l.bucket) from generate_series(0, 32) n left join unnest(array_agg(webhook_latency(a.duration_ms))) l(bucket) on l.bucket = n
          group by n order by n)
      from written a join webhook_deliveries d on d.id = a.delivery_id
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (environment_id, endpoint_id, quarter) do update
      set attempts = w.attempts + excluded.attempts, delivered = w.delivered + excluded.delivered, retries = w.retries + excluded.retries,
        latencies = array(select a + b from unnest(w.latencies, excluded.latencies) with ordinality as u(a, b, place) order by place)
    ),
    answered as (
      insert into webhook_answers (delivery_id, number, started_at, headers, body, is_cut)
      select s."deliveryId", s.number, to_timestamp(s."startedAt" / 1000), s."answerHeaders", decode(s."answerBody", 'base64'), s."answerIsCut"
      from saved s where s."answerBody" is not null
      on conflict do nothing
    ),
    seen as (
      select r."endpointId" as id, bool_or(r.status = 'Delivered') as succeeded, to_timestamp(min(r."startedAt") / 1000) as since
      from r group by 1
    ),
    health as (
      update webhook_endpoints e
      set failing_since = case when not seen.succeeded then coalesce(e.failing_since, seen.since) end
      from seen
      where e.id = seen.id and e.disabled_at is null and seen.succeeded <> (e.failing_since is null)
    )
    select e.id from seen join webhook_endpoints e on e.id = seen.id
    where not seen.succeeded and e.disabled_at is null and e.failing_since <= now() - in_patience_ms * interval '1 ms';
end $$;

-- The days on which some players had an applied event, by the log, each with the hour of the first one in the order of facts.
create or replace function analytics_days(in_environment_id integer, in_parts smallint[], in_players uuid[], in_zone text)
returns table (part smallint, player_id uuid, day date, hour smallint)
stable language plpgsql set enable_seqscan = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    with page as materialized (
      select * from unnest(in_parts, in_players) as k(part, player_id)
    ), unapplied as materialized (
      select q.seq from page k join queued_facts q on q.part = k.part and q.player_id = k.player_id
      union all
      select q.seq from quarantined_facts q join page k on k.part = q.part and k.player_id = q.player_id where q.environment_id = in_environment_id
    ), facts as (
      select e.part, e.player_id, e.seq, e.occurred_at from page k join events e on e.part = k.part and e.player_id = k.player_id
      union all
      select m.part, m.player_id, m.seq, m.occurred_at from page k join metric_events m on m.part = k.part and m.player_id = k.player_id
    )
    select distinct on (f.part, f.player_id, analytics_day(f.occurred_at, in_zone))
      f.part, f.player_id, analytics_day(f.occurred_at, in_zone), analytics_hour(f.occurred_at, in_zone)::smallint
    from facts f where f.seq not in (select u.seq from unapplied u)
    order by f.part, f.player_id, analytics_day(f.occurred_at, in_zone), f.seq;
end $$;

-- Days are those of the project's zone: when it changes, all history is recounted.
create or replace function analytics_of_zone() returns trigger language plpgsql as $$
begin
  update environments e set analytics_epoch = e.analytics_epoch + 1 where e.project_id = new.id;
  return null;
end $$;

create or replace trigger analytics_time_zone after update of time_zone on projects for each row
  when (old.time_zone is distinct from new.time_zone) execute function analytics_of_zone();

-- Views of analytics for SQL tools (server/insight/analytics/README.md). Days are those of the project's zone, `is_live` distinguishes the
-- two environments of a project. `subject` is the definition's key; null if it has none, or was deleted.
create or replace view analytics_sums as
  select j.slug as project, e.kind = 'live' as is_live, s.day, s.measure, d.kind as subject_kind, d.key as subject, nullif(s.detail, '') as detail,
    sum(s.count)::bigint as count, sum(s.amount) as amount
  from (
    select environment_id, epoch, measure, day, subject, detail, count, amount from analytics_daily
    union all
    select environment_id, epoch, measure, day, subject, detail, count, amount from analytics_deltas
  ) s
  join environments e on e.id = s.environment_id and s.epoch in (0, e.analytics_epoch)
  join projects j on j.id = e.project_id
  left join definitions d on d.id = s.subject and d.environment_id = s.environment_id
  where s.measure not like 'hour.%'
  group by 1, 2, 3, 4, 5, 6, 7;

create or replace view analytics_activity as
  select project, is_live, day, coalesce(sum(count) filter (where measure = 'active.day'), 0)::bigint as active_players,
    coalesce(sum(count) filter (where measure = 'new'), 0)::bigint as new_players,
    coalesce(sum(count) filter (where measure in ('event', 'metric')), 0)::bigint as events
  from analytics_sums where measure in ('active.day', 'new', 'event', 'metric') group by 1, 2, 3;

create or replace view analytics_retention as
  select project, is_live, detail::date as first_week, day as week, count as active_players from analytics_sums where measure = 'retention';

create or replace view analytics_missions as
  select project, is_live, day, subject as mission, coalesce(sum(count) filter (where measure = 'entered'), 0)::bigint as entered,
    coalesce(sum(count) filter (where measure = 'accepted'), 0)::bigint as accepted,
    coalesce(sum(count) filter (where measure = 'progressed'), 0)::bigint as progressed,
    coalesce(sum(count) filter (where measure = 'completed'), 0)::bigint as completed,
    coalesce(sum(amount) filter (where measure = 'points.granted'), 0) as points, coalesce(sum(amount) filter (where measure = 'items'), 0)::bigint as items
  from analytics_sums
  where measure in ('entered', 'accepted', 'progressed', 'completed', 'items') or (measure = 'points.granted' and detail = 'Mission')
  group by 1, 2, 3, 4;

create or replace view analytics_points as
  select project, is_live, day, substr(measure, 8) as movement, detail as source_type, subject as source, count as transactions, amount as points
  from analytics_sums where measure like 'points.%';

create or replace view analytics_shop as
  select project, is_live, day, subject as listing, coalesce(sum(count) filter (where measure = 'purchased'), 0)::bigint as units,
    coalesce(sum(amount) filter (where measure = 'purchased'), 0) as revenue,
    coalesce(sum(count) filter (where measure = 'reversed'), 0)::bigint as reversed_units,
    coalesce(sum(count) filter (where measure = 'refused'), 0)::bigint as refused
  from analytics_sums where measure in ('purchased', 'reversed', 'refused') group by 1, 2, 3, 4;
