import type { Transaction } from "#db/client.ts";
import { keysText } from "./players.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { PlayerKey } from "../../model/players/identity.ts";

/** A grant of points; `id` is derived from player, source and ordinal, so that it is granted once. */
export interface Grant extends PlayerKey {
  environmentId: number;
  id: string;
  amount: number;
  sourceType: "Mission" | "StreakMilestone" | "Leaderboard";
  sourceId: string;
  /** The mission, streak or leaderboard. */
  sourceDefinitionId: number;
  /** Which of the source's rewards. */
  ordinal: number;
  occurredAt: number;
}

/**
 * Writes a set of grants; one that the ledger has already changes nothing. Rows are taken in the order of the key, so that concurrent sets
 * do not deadlock. A balance that would pass 2^53 − 1 makes the statement fail, and with it the caller's transaction; with `isCut` the
 * grant is cut to the room in the balance, so that it does not hold up other players.
 */
export async function writeGrants(
  tx: Transaction,
  grants: readonly Grant[],
  { isCut }: { isCut: boolean } = { isCut: false },
): Promise<void> {
  if (grants.length === 0) return;
  const rows = grants.map((grant, order) => ({ ...grant, order }));
  const room = tx`${Number.MAX_SAFE_INTEGER}::bigint
    - coalesce(sum(amount) over (partition by part, "playerId" order by "order" rows between unbounded preceding and 1 preceding), 0)
    - coalesce((select b.balance from held b where b.player_id = r."playerId"), 0)`;
  const granted = isCut ? tx`greatest(least(amount, ${room}), 0)` : tx`amount`;
  const held = isCut
    ? tx`held as materialized (
        select distinct b.player_id, b.balance from json_to_recordset(${keysText(rows)}::text::json)
          as r("part" smallint, "playerId" uuid) join balances b on b.part = r.part and b.player_id = r."playerId"), `
    : tx``;
  await tx`
    with ${held}granted as (
      insert into points_transactions
        (part, player_id, id, environment_id, seq, type, amount, source_type, source_id, source_definition_id, ordinal, occurred_at)
      select part, "playerId", id, "environmentId", nextval('fact_seq'), 'Grant', ${granted}, "sourceType", "sourceId", "sourceDefinitionId", ordinal,
        to_timestamp("occurredAt" / 1000)
      from json_to_recordset(${writeJson(rows)}::text::json) as r("part" smallint, "playerId" uuid, "id" uuid, "environmentId" int,
        "amount" bigint, "sourceType" text, "sourceId" uuid, "sourceDefinitionId" int, "ordinal" smallint, "occurredAt" float8, "order" int)
      order by part, "playerId", "order"
      on conflict do nothing
      returning part, player_id, amount, environment_id, source_type, source_definition_id, occurred_at
    ), credited as (
      insert into balances (part, player_id, balance, total_granted)
      select part, player_id, sum(amount), sum(amount) from granted group by part, player_id order by part, player_id
      on conflict (part, player_id) do update
        set balance = balances.balance + excluded.balance, total_granted = balances.total_granted + excluded.total_granted
      returning part
    )
    select analytics_count_transactions(array_agg(environment_id), array_agg(part), array_agg(player_id), array_agg('Grant'::text), array_agg(amount),
      array_agg(source_type), array_agg(source_definition_id), array_agg(occurred_at::timestamptz))
    from granted where (select count(*) from credited) > 0 having count(*) > 0`;
}

/**
 * Whether a ledger row grants an amount, or as much of it as the balance had room for: `grant` and `amount` are SQL, the name of the
 * ledger's row and an expression.
 */
export const isGranted = (tx: Transaction, grant: string, amount: string) =>
  tx.unsafe(`(${grant}.amount = ${amount} or ${grant}.amount < ${amount} and ${grant}.amount = ${Number.MAX_SAFE_INTEGER} - (
    select coalesce(sum(s.amount), 0) from points_transactions s
    where s.part = ${grant}.part and s.player_id = ${grant}.player_id and s.seq < ${grant}.seq))`);
