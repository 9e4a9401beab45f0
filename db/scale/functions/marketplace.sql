-- One call to each machine locks its buyers, by shard and then by key, and reads their rows. If a balance is missing in a shard, the first
-- statement makes it and locks all buyers there; otherwise the second one locks them.
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

-- Since the statement that writes also reads the epochs, the lock against recounts is taken before it. An owed item is created at the same
-- instant as its delivery, which is found by that (`findDeliveryStates` in server/delivery/service/deliveries.ts): by the coordinator's clock.
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

-- The shards of its query depend on the values, so a generic plan is useless.
alter function listings_sold(smallint, uuid, json) set plan_cache_mode = auto;
