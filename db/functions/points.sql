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

-- Writes grants, in the order of the key, so that concurrent sets do not deadlock, and returns those that the ledger did not have. With
-- `in_cuts` a grant is reduced to what the balance can still hold; otherwise a grant beyond that fails. Without `force_generic_plan` each
-- call is planned anew, which takes as long as writing three grants: a plan for few rows looks cheaper than the general one.
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
