import type { Transaction } from "#db/client.ts";
import { grantedRewards, isUngranted, joinGranted } from "../../engine/store/rewards.ts";

/** No balance is negative, and balances and totals equal the sums of the transactions. */
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

/** Every completion has its rewards. */
export async function unpaidRewards(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ occurrenceId: string; ordinal: number; kind: string }[]>`
    select c.occurrence_id, r.ordinal, r.reward ->> 'kind' as kind
    from mission_completions c
    cross join lateral (
      select c.part, c.player_id, c.occurrence_id as source_id, reward, place - 1 as ordinal
      from json_array_elements(c.rewards) with ordinality as e(reward, place)
    ) r
    ${joinGranted(tx, "Mission")}
    where c.environment_id = ${environmentId} and ${isUngranted(tx)}`;
  return rows.map(({ occurrenceId, ordinal, kind }) => `completion ${occurrenceId}: reward ${ordinal} (${kind}) was not granted`);
}

/** No mission reward without a completion, and none twice. */
export async function strayRewards(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ sourceId: string; ordinal: number; count: number; isStray: boolean }[]>`
    select g.source_id, g.ordinal, count(*) as count, bool_or(c.occurrence_id is null) as is_stray
    from (${grantedRewards(tx, "Mission")}) g
    left join mission_completions c on c.part = g.part and c.player_id = g.player_id and c.occurrence_id = g.source_id
    where g.environment_id = ${environmentId}
    group by g.part, g.player_id, g.source_id, g.ordinal
    having count(*) > 1 or bool_or(c.occurrence_id is null)`;
  return rows.map(({ sourceId, ordinal, count, isStray }) =>
    isStray
      ? `reward ${ordinal} of ${sourceId} was granted, but there is no such completion`
      : `reward ${ordinal} of ${sourceId} was granted ${count} times`,
  );
}
