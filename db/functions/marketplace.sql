-- Counts sold units and takes them from the round. Buyers contend for the round's row: it is locked last, and held only during the commit.
-- Fails with SHOP1 if another buyer took the last unit after the check.
create or replace function marketplace_take(
  in_environment_id integer, in_epochs integer[], in_times timestamptz[], in_listing_id integer, in_round text, in_price bigint, in_stock integer
) returns void language plpgsql set enable_seqscan = off as $$
declare
  units constant integer := cardinality(in_epochs);
begin
  perform analytics_count_sales(in_environment_id, in_epochs, in_times, in_listing_id, in_round, in_price);
  update marketplace_rounds r set sold = r.sold + units, stock = in_stock
  where r.listing_id = in_listing_id and r.round = in_round and (in_stock is null or r.sold + units <= in_stock);
  if not found then
    insert into marketplace_rounds as r (listing_id, round, environment_id, sold, stock)
    values (in_listing_id, in_round, in_environment_id, units, in_stock)
    on conflict (listing_id, round) do update set sold = r.sold + units, stock = excluded.stock
    where excluded.stock is null or r.sold + units <= excluded.stock;
    if not found then
      raise exception 'The last units were sold meanwhile.' using errcode = 'SHOP1';
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

-- Locks the buyers of one listing and returns for each attempt, in their order: the buyer's balance (null: there is no such player), what
-- they bought in the round if there is a limit, whether their key is known, and its purchase, if it is one of this listing. The balance row
-- is the lock of all the player's purchases; it is created if missing, unless the player is gone. Balances are locked in key order, which
-- avoids deadlocks. Planned once, as `points_grant` is.
create or replace function marketplace_lock(
  in_parts smallint[], in_players uuid[], in_keys text[], in_listing_id integer, in_listing_key text, in_round text, in_limit integer
) returns table (
  place bigint, funds bigint, bought bigint, is_known boolean, purchase_id uuid, contents json, occurrence_number integer, price bigint
) language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  buyer record;
begin
  for buyer in select distinct k.part, k.player_id from unnest(in_parts, in_players) as k(part, player_id) order by 1, 2 loop
    perform from balances b where b.part = buyer.part and b.player_id = buyer.player_id for no key update;
    if not found then
      insert into balances as b (part, player_id, balance)
      select p.part, p.player_id, 0 from players p where p.part = buyer.part and p.player_id = buyer.player_id
      on conflict (part, player_id) do update set balance = b.balance;
    end if;
  end loop;
  return query
    select k.place, case when p.player_id is not null then b.balance end,
      case when in_limit is not null then (
        select count(*) from marketplace_purchases m
        where m.part = k.part and m.player_id = k.player_id and m.listing_id = in_listing_id and m.round = in_round and m.reversed_at is null) end,
      t.id is not null, m.id, m.contents, m.occurrence_number, m.price
    from unnest(in_parts, in_players, in_keys) with ordinality as k(part, player_id, key, place)
    left join players p on p.part = k.part and p.player_id = k.player_id
    left join balances b on b.part = k.part and b.player_id = k.player_id
    left join lateral (
      select * from points_transactions t where t.part = k.part and t.player_id = k.player_id and t.idempotency_key = k.key limit 1
    ) t on true
    left join lateral (
      select * from marketplace_purchases m
      where m.part = k.part and m.player_id = k.player_id and m.id = t.source_id and t.type = 'Spend' and m.listing_key = in_listing_key limit 1
    ) m on true
    order by k.place;
end $$;

-- Writes the purchases of one listing in one round, of players who are locked, and returns the players' analytics epochs.
create or replace function marketplace_write(
  in_environment_id integer, in_parts smallint[], in_players uuid[], in_ids uuid[], in_spends uuid[], in_places bigint[], in_keys text[],
  in_items json[], in_times timestamptz[], in_listing_id integer, in_listing_key text, in_round text, in_occurrence_number integer, in_name json,
  in_contents json, in_price bigint, in_limit integer, in_endpoint uuid
) returns integer[] language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into points_transactions
    (part, player_id, id, environment_id, seq, type, amount, source_type, source_id, source_definition_id, idempotency_key, occurred_at)
  select w.part, w.player_id, w.spend_id, in_environment_id, w.place, 'Spend', -in_price, 'MarketplacePurchase', w.id, in_listing_id, w.key, w.at
  from unnest(in_parts, in_players, in_ids, in_spends, in_places, in_keys, in_times) as w(part, player_id, id, spend_id, place, key, at);
  update balances b set balance = b.balance - w.count * in_price, total_spent = b.total_spent + w.count * in_price
  from (select u.part, u.player_id, count(*)::bigint as count from unnest(in_parts, in_players) as u(part, player_id) group by 1, 2) w
  where b.part = w.part and b.player_id = w.player_id;
  insert into marketplace_purchases
    (part, player_id, id, environment_id, seq, listing_id, listing_key, round, occurrence_number, name, contents, price,
      limit_per_player, idempotency_key, purchased_at)
  select w.part, w.player_id, w.id, in_environment_id, w.place, in_listing_id, in_listing_key, in_round, in_occurrence_number, in_name, in_contents,
    in_price, in_limit, w.key, w.at
  from unnest(in_parts, in_players, in_ids, in_places, in_keys, in_times) as w(part, player_id, id, place, key, at);
  insert into owed_items
    (part, player_id, id, environment_id, source_type, source_id, ordinal, catalog_item_key, value_type, value, owed_at, endpoint_id)
  select w.part, w.player_id, i.id, in_environment_id, 'MarketplacePurchase', w.id, i.ordinal, i."catalogItemKey", i."valueType", i.value, w.at,
    in_endpoint
  from unnest(in_parts, in_players, in_ids, in_items, in_times) as w(part, player_id, id, items, at)
  cross join json_to_recordset(w.items) as i("id" uuid, "ordinal" smallint, "catalogItemKey" text, "valueType" text, "value" json);
  perform analytics_hold(array_fill(in_environment_id, array[cardinality(in_parts)]), in_parts);
  return analytics_epochs(in_parts, in_players);
end $$;

-- Purchases of one listing in one round, with one commit and one change of the round, which is locked last. Attempts are checked in order,
-- each after the purchases before it, and written in sets. The caller has made the checks against definitions and audience: an attempt's
-- `refusal` is the code of the first of those that failed, if any. `outcome` is 'bought', 'replayed', 'stale' (definitions or clock are no
-- longer the caller's) or the code of a refusal; only 'bought' is written. The buyers are locked whatever the outcome. If one purchase
-- cannot be written, all fail. Planned once, for index lookups: a plan made while the tables were small would stay.
create or replace function marketplace_buy_together(
  in_environment_id integer, in_version bigint, in_clock_offset_ms bigint, in_listing_key text, in_listing_id integer, in_round text,
  in_occurrence_number integer, in_price bigint, in_stock integer, in_limit integer, in_name json, in_contents json, in_attempts json
) returns table (outcome text, purchase_id uuid, contents json, occurrence_number integer, price bigint, new_balance bigint, is_told boolean)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  attempt record;
  -- By buyer: the balance, and the purchases in the round.
  buyers uuid[] := '{}';
  funds bigint[] := '{}';
  bought bigint[] := '{}';
  at integer;
  sold integer;
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
  epochs integer[];
begin
  if not marketplace_hold(in_environment_id, in_version, in_clock_offset_ms) then
    return query select 'stale', null::uuid, null::json, null::integer, null::bigint, null::bigint, false from json_array_elements(in_attempts);
    return;
  end if;
  sold := coalesce((select r.sold from marketplace_rounds r where r.listing_id = in_listing_id and r.round = in_round), 0);
  -- One endpoint at most, switched on or off; a change of subscriptions waits for the environment's lock.
  select e.id into endpoint from webhook_endpoints e
  where e.environment_id = in_environment_id and 'catalog_item.fulfillment_requested' = any(e.events);

  for attempt in
    with asked as materialized (
      select a.* from rows from (json_to_recordset(in_attempts)
        as ("part" smallint, "player_id" uuid, "key" text, "refusal" text, "id" uuid, "spend_id" uuid, "items" json, "at_ms" float8))
        with ordinality as a(part, player_id, key, refusal, id, spend_id, items, at_ms, place)
    )
    select a.part, a.player_id, a.key, a.refusal, a.id, a.spend_id, a.items, to_timestamp(a.at_ms / 1000) as at, k.funds, k.bought, k.is_known,
      k.purchase_id, k.contents, k.occurrence_number, k.price
    from (select array_agg(a.part order by a.place) as parts, array_agg(a.player_id order by a.place) as players,
      array_agg(a.key order by a.place) as keys from asked a) g
    cross join marketplace_lock(g.parts, g.players, g.keys, in_listing_id, in_listing_key, in_round, in_limit) k
    join asked a on a.place = k.place
    order by a.place
  loop
    at := array_position(buyers, attempt.player_id);
    if at is null then
      buyers := buyers || attempt.player_id;
      funds := funds || attempt.funds;
      bought := bought || attempt.bought;
      at := cardinality(buyers);
    end if;
    outcome := 'bought';
    purchase_id := attempt.id;
    contents := in_contents;
    occurrence_number := in_occurrence_number;
    price := in_price;
    is_told := false;
    new_balance := funds[at];
    if new_balance is null then
      outcome := 'player.not_found';
    elsif attempt.purchase_id is not null then
      outcome := 'replayed';
      purchase_id := attempt.purchase_id;
      contents := attempt.contents;
      occurrence_number := attempt.occurrence_number;
      price := attempt.price;
    elsif attempt.is_known then
      outcome := 'marketplace_purchase.idempotency_key_conflict';
    else
      for i in 1..cardinality(players) loop
        if players[i] = attempt.player_id and own_keys[i] = attempt.key then
          outcome := 'replayed';
          purchase_id := ids[i];
          exit;
        end if;
      end loop;
      if outcome <> 'bought' then
        null;
      elsif attempt.refusal is not null then
        outcome := attempt.refusal;
      elsif in_stock - cardinality(players) <= sold then
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

  epochs := marketplace_write(in_environment_id, parts, players, ids, spends, places, own_keys, owed, times, in_listing_id, in_listing_key, in_round,
    in_occurrence_number, in_name, in_contents, in_price, in_limit, endpoint);
  -- A purchase is only written once, and so are its deliveries: their ids need not be derived.
  if endpoint is not null then
    insert into webhook_deliveries (id, endpoint_id, environment_id, event, source_id, data, occurred_at, traceparent)
    select gen_random_uuid(), endpoint, in_environment_id, 'catalog_item.fulfillment_requested', i.id, i.data, w.at, i.traceparent
    from unnest(owed, times) as w(items, at) cross join json_to_recordset(w.items) as i("id" uuid, "data" json, "traceparent" text);
  end if;
  -- Copies for listeners (server/delivery/store/listeners.ts); there rarely are any.
  if exists (select from webhook_listeners l where l.environment_id = in_environment_id) then
    insert into webhook_copies (id, listener_id, environment_id, event, data, occurred_at)
    select gen_random_uuid(), l.id, in_environment_id, 'catalog_item.fulfillment_requested', i.data, w.at
    from webhook_listeners l cross join unnest(owed, times) as w(items, at) cross join json_to_recordset(w.items) as i("data" json)
    where l.environment_id = in_environment_id and 'catalog_item.fulfillment_requested' = any(l.events);
  end if;
  perform marketplace_take(in_environment_id, epochs, times, in_listing_id, in_round, in_price, in_stock);
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
