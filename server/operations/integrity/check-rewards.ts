import type { Transaction } from "#db/client.ts";
import { isGranted } from "../../engine/store/grants.ts";

export async function checkLedger(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<
    { externalId: string; balance: number; total: string; granted: number; totalGranted: string; spent: number; totalSpent: string }[]
  >`
    select p.external_id, coalesce(b.balance, 0) as balance, coalesce(t.total, 0)::text as total,
      coalesce(b.total_granted, 0) as granted, coalesce(t.granted, 0)::text as total_granted,
      coalesce(b.total_spent, 0) as spent, coalesce(t.spent, 0)::text as total_spent
    from players p
    left join balances b on b.part = p.part and b.player_id = p.player_id
    left join (
      select part, player_id, sum(amount) as total, sum(amount) filter (where type = 'Grant') as granted,
        -coalesce(sum(amount) filter (where type in ('Spend', 'Refund')), 0) as spent
      from points_transactions where environment_id = ${environmentId} group by part, player_id
    ) t on t.part = p.part and t.player_id = p.player_id
    where p.environment_id = ${environmentId} and (coalesce(b.balance, 0) <> coalesce(t.total, 0) or coalesce(b.balance, 0) < 0
      or coalesce(b.total_granted, 0) <> coalesce(t.granted, 0) or coalesce(b.total_spent, 0) <> coalesce(t.spent, 0))`;
  return rows.map(
    (row) =>
      `player "${row.externalId}": balance ${row.balance} (granted ${row.granted}, spent ${row.spent}), but the transactions give ${row.total} (${row.totalGranted}, ${row.totalSpent})`,
  );
}

/** Every completion has its rewards: points in the ledger, catalog items among the owed items. */
export async function unpaidRewards(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ occurrenceId: string; ordinal: number; kind: string }[]>`
    select c.occurrence_id, r.ordinal - 1 as ordinal, r.reward ->> 'kind' as kind
    from mission_completions c cross join lateral json_array_elements(c.rewards) with ordinality as r(reward, ordinal)
    left join points_transactions t on t.part = c.part and t.player_id = c.player_id and t.source_id = c.occurrence_id
      and t.source_type = 'Mission' and t.type = 'Grant' and t.ordinal = r.ordinal - 1
      and ${isGranted(tx, "t", "(r.reward ->> 'points')::bigint")}
    left join owed_items o on o.part = c.part and o.player_id = c.player_id and o.source_id = c.occurrence_id
      and o.source_type = 'Mission' and o.ordinal = r.ordinal - 1 and o.catalog_item_key = r.reward ->> 'catalogItemKey'
    where c.environment_id = ${environmentId}
      and case r.reward ->> 'kind' when 'Points' then t.id is null else o.id is null end`;
  return rows.map(({ occurrenceId, ordinal, kind }) => `completion ${occurrenceId}: reward ${ordinal} (${kind}) was not granted`);
}

/** No mission reward without a completion, and none twice. */
export async function strayRewards(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ sourceId: string; ordinal: number; count: number; isStray: boolean }[]>`
    select g.source_id, g.ordinal, count(*) as count, bool_or(c.occurrence_id is null) as is_stray
    from (
      select part, player_id, source_id, ordinal from points_transactions where environment_id = ${environmentId} and type = 'Grant' and source_type = 'Mission'
      union all
      select part, player_id, source_id, ordinal from owed_items where environment_id = ${environmentId} and source_type = 'Mission'
    ) g
    left join mission_completions c on c.part = g.part and c.player_id = g.player_id and c.occurrence_id = g.source_id
    group by g.part, g.player_id, g.source_id, g.ordinal
    having count(*) > 1 or bool_or(c.occurrence_id is null)`;
  return rows.map(({ sourceId, ordinal, count, isStray }) =>
    isStray
      ? `reward ${ordinal} of ${sourceId} was granted, but there is no such completion`
      : `reward ${ordinal} of ${sourceId} was granted ${count} times`,
  );
}
