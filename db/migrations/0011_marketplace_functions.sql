-- The row that all buyers of a listing want is rewritten with every sale: an update stays on its page.
ALTER TABLE "marketplace_rounds" SET (fillfactor = 50);
--> statement-breakpoint
-- A purchase in one round trip (api.md 4.15; called by server/marketplace/store.ts). The caller has judged what definitions
-- and audience say: `in_refusal` is the code of the first of those checks that failed, or null. The balance row is the lock
-- of all that the player buys; the round, which others want too, is taken last and held for nothing but the commit.
-- `outcome` is 'bought', 'replayed', 'stale' (the caller's definitions or clock are no longer those of the environment) or
-- the code of a refusal; then nothing is written. Where the last unit went to somebody else after the look, it fails with SHOP1.
-- The planner is kept to the keys: a plan made while the tables were small would stay.
create function marketplace_buy(
  in_part smallint, in_player_id uuid, in_environment_id integer, in_version bigint, in_clock_offset_ms bigint,
  in_key text, in_listing_key text, in_refusal text,
  in_id uuid, in_spend_id uuid, in_listing_id integer, in_round text, in_occurrence_number integer,
  in_price bigint, in_stock integer, in_limit integer, in_name json, in_contents json, in_items json, in_at timestamptz,
  out outcome text, out purchase_id uuid, out contents json, out occurrence_number integer, out price bigint, out new_balance bigint,
  out is_told boolean
) language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  earlier points_transactions;
  sale marketplace_purchases;
  place bigint;
  endpoint uuid;
begin
  -- Against a reset, and against whoever changes what the caller has judged by (server/engine/store.ts).
  perform hold_players(in_environment_id), pg_advisory_xact_lock_shared(1, in_environment_id);
  if not exists (
    select from environments e
    where e.id = in_environment_id and e.definitions_version = in_version and e.clock_offset_ms = in_clock_offset_ms
  ) then
    outcome := 'stale';
    return;
  end if;

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
      if earlier.type = 'Spend' then
        select p.* into sale from marketplace_purchases p
        where p.part = in_part and p.player_id = in_player_id and p.id = earlier.source_id;
      end if;
      if sale.listing_key = in_listing_key then
        outcome := 'replayed';
        purchase_id := sale.id;
        contents := sale.contents;
        occurrence_number := sale.occurrence_number;
        price := sale.price;
      else
        outcome := 'marketplace_purchase.idempotency_key_conflict';
      end if;
      return;
    end if;
  end if;

  if in_refusal is not null then
    outcome := in_refusal;
  elsif in_stock <= coalesce((select r.sold from marketplace_rounds r where r.listing_id = in_listing_id and r.round = in_round), 0) then
    outcome := 'marketplace_item.out_of_stock';
  elsif in_limit <= (
    select count(*) from marketplace_purchases p
    where p.part = in_part and p.player_id = in_player_id and p.listing_id = in_listing_id and p.round = in_round and p.reversed_at is null
  ) then
    outcome := 'marketplace_item.purchase_limit_reached';
  elsif new_balance < in_price then
    outcome := 'points.insufficient_balance';
  end if;
  if outcome is not null then
    return;
  end if;

  place := nextval('fact_seq');
  insert into points_transactions
    (part, player_id, id, environment_id, seq, type, amount, source_type, source_id, idempotency_key, occurred_at)
  values (in_part, in_player_id, in_spend_id, in_environment_id, place, 'Spend', -in_price, 'MarketplacePurchase', in_id, in_key, in_at);
  update balances b set balance = b.balance - in_price, total_spent = b.total_spent + in_price
  where b.part = in_part and b.player_id = in_player_id
  returning b.balance into new_balance;
  insert into marketplace_purchases
    (part, player_id, id, environment_id, seq, listing_id, listing_key, round, occurrence_number, name, contents, price,
      limit_per_player, idempotency_key, purchased_at)
  values (in_part, in_player_id, in_id, in_environment_id, place, in_listing_id, in_listing_key, in_round, in_occurrence_number,
    in_name, in_contents, in_price, in_limit, in_key, in_at);

  insert into owed_items
    (part, player_id, id, environment_id, source_type, source_id, ordinal, catalog_item_key, value_type, value, owed_at)
  select in_part, in_player_id, i.id, in_environment_id, 'MarketplacePurchase', in_id, i.ordinal, i."catalogItemKey", i."valueType",
    i.value, in_at
  from json_to_recordset(in_items) as i("id" uuid, "ordinal" smallint, "catalogItemKey" text, "valueType" text, "value" json);
  -- One endpoint at most. A purchase is new when it is written, and so are its deliveries: their ids need not be derived.
  select e.id into endpoint from webhook_endpoints e
  where e.environment_id = in_environment_id and 'catalog_item.fulfillment_requested' = any(e.events) and e.disabled_at is null;
  is_told := found;
  if is_told then
    insert into webhook_deliveries (id, endpoint_id, environment_id, event, source_id, data, occurred_at)
    select gen_random_uuid(), endpoint, in_environment_id, 'catalog_item.fulfillment_requested', i.id, i.data, in_at
    from json_to_recordset(in_items) as i("id" uuid, "data" json);
  end if;

  update marketplace_rounds r set sold = r.sold + 1, stock = in_stock
  where r.listing_id = in_listing_id and r.round = in_round and (in_stock is null or r.sold < in_stock);
  if not found then
    insert into marketplace_rounds as r (listing_id, round, environment_id, sold, stock)
    values (in_listing_id, in_round, in_environment_id, 1, in_stock)
    on conflict (listing_id, round) do update set sold = r.sold + 1, stock = excluded.stock
    where excluded.stock is null or r.sold < excluded.stock;
    if not found then
      raise exception 'Somebody else has bought the last unit.' using errcode = 'SHOP1';
    end if;
  end if;

  outcome := 'bought';
  purchase_id := in_id;
  contents := in_contents;
  occurrence_number := in_occurrence_number;
  price := in_price;
end $$;
