-- An adjustment of a player's points in one round trip (api.md 4.10; called by server/points/store.ts). The balance row is
-- the lock: everything after it sees what was committed before, so that a replayed key is found and the check holds.
-- `outcome` is 'adjusted', 'replayed' or the code of a refusal; a refusal writes nothing.
create function points_adjust(
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
  outcome := 'adjusted';
  transaction_id := in_id;
  amount := in_amount;
  reason := in_reason;
  occurred_at := in_occurred_at;
end $$;
