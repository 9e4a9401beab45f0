import { onlyValue, type Transaction } from "#db/client.ts";
import { waitUntilSeen } from "#server/engine/store/locks.ts";
import { type CountedMeasure, KEPT_EPOCH } from "#server/model/kernel/counts.ts";
import { isMetByPlayers, type MetKind } from "#server/model/definitions/kinds.ts";
import type { Stored } from "#server/model/definitions/stored.ts";

interface Definition {
  id: number;
  key: string;
  environmentId: number;
}

type Query = ReturnType<Transaction>;

/** The sums that are never recounted: those of purged events and of erased players remain there, and reports name the definition. */
const kept = (tx: Transaction, environmentId: number, ids: readonly number[], measure: CountedMeasure): Query[] =>
  // Deltas first: they move to the daily sums.
  (["analytics_deltas", "analytics_daily"] as const).map(
    (table) => tx`
      select 1 from ${tx(table)}
      where environment_id = ${environmentId}::int and epoch = ${KEPT_EPOCH}::int and measure = ${measure} and subject = any(${ids as number[]}::int[])`,
  );

const amounts = (tx: Transaction, environmentId: number, metricIds: readonly number[]): Query[] => [
  tx`select 1 from metric_totals where definition_id = any(${metricIds as number[]}::int[])`,
  ...kept(tx, environmentId, metricIds, "metric"),
];

/**
 * Rows that show that a player ever met a definition. Listings and boards use an index; the others scan a whole table if nothing is found.
 */
const ROWS: Record<MetKind, (tx: Transaction, definition: Definition) => Query[]> = {
  events: (tx, { environmentId, id }) => [
    tx`select 1 from events where definition_id = ${id}::int`,
    ...kept(tx, environmentId, [id], "event"),
  ],
  metrics: (tx, { environmentId, id }) => amounts(tx, environmentId, [id]),
  attributes: (tx, { id }) => [tx`select 1 from attribute_values where attribute_id = ${id}::int`],
  catalogItems: (tx, { environmentId, key }) => [
    tx`select 1 from owed_items where environment_id = ${environmentId}::int and catalog_item_key = ${key}`,
  ],
  missions: (tx, { environmentId, id }) => [
    tx`select 1 from mission_completions where mission_id = ${id}::int`,
    // A state concatenates its missions, each a list that begins with the mission's id (model/missions/state.ts).
    tx`select 1 from mission_states s
      where s.state like ${`%[${id},%`} and exists (select from json_array_elements(s.state::json) as mission where mission ->> 0 = ${String(id)})`,
    ...kept(tx, environmentId, [id], "entered"),
  ],
  streaks: (tx, { environmentId, id }) => [
    tx`select 1 from streak_periods where streak_id = ${id}::int`,
    tx`select 1 from streak_runs where streak_id = ${id}::int`,
    ...kept(tx, environmentId, [id], "streak.started"),
  ],
  leaderboards: (tx, { id }) => {
    // Hidden players' rows are filed under the negated id.
    const periods = tx`select p.id * side from leaderboard_periods p cross join (values (1), (-1)) as sides(side) where p.leaderboard_id = ${id}::int`;
    return [
      tx`select 1 from leaderboard_scores where period_id in (${periods})`,
      tx`select 1 from leaderboard_contributions where period_id in (${periods})`,
      tx`select from leaderboard_periods where leaderboard_id = ${id}::int and participants > 0`,
    ];
  },
  marketplaceItems: (tx, { id }) => [tx`select from marketplace_rounds where listing_id = ${id}::int`],
};

/** Whether a player ever met a definition. Needs a time limit. `environmentId` is the definition's. Throws Postponed. */
export async function hasTouched(tx: Transaction, environmentId: number, { kind, id, shaped: { key } }: Stored): Promise<boolean> {
  if (!isMetByPlayers(kind)) return false;
  await waitUntilSeen(tx);
  return isAny(tx, ROWS[kind](tx, { id, key, environmentId }));
}

/** Whether an amount was ever added to one of these metrics of an environment, also by players who are erased. */
export const haveAmounts = async (tx: Transaction, environmentId: number, metricIds: readonly number[]): Promise<boolean> =>
  metricIds.length > 0 && isAny(tx, amounts(tx, environmentId, metricIds));

async function isAny(tx: Transaction, queries: readonly Query[]): Promise<boolean> {
  for (const query of queries) if (await onlyValue(tx<{ found: boolean }[]>`select exists (${query}) as found`)) return true;
  return false;
}
