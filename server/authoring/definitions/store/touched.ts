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
const kept = (tx: Transaction, { id, environmentId }: Definition, measure: CountedMeasure): Query[] =>
  // The deltas first: rows move from them to the other.
  (["analytics_deltas", "analytics_daily"] as const).map(
    (table) => tx`
      select 1 from ${tx(table)}
      where environment_id = ${environmentId}::int and epoch = ${KEPT_EPOCH}::int and measure = ${measure} and subject = ${id}::int`,
  );

/**
 * Rows that show that a player ever met a definition. Listings and boards use an index; the others scan a whole table if nothing is found.
 */
const ROWS: Record<MetKind, (tx: Transaction, definition: Definition) => Query[]> = {
  events: (tx, definition) => [tx`select 1 from events where definition_id = ${definition.id}::int`, ...kept(tx, definition, "event")],
  metrics: (tx, definition) => [
    tx`select 1 from metric_totals where definition_id = ${definition.id}::int`,
    ...kept(tx, definition, "metric"),
  ],
  attributes: (tx, { id }) => [tx`select 1 from attribute_values where attribute_id = ${id}::int`],
  catalogItems: (tx, { environmentId, key }) => [
    tx`select 1 from owed_items where environment_id = ${environmentId}::int and catalog_item_key = ${key}`,
  ],
  missions: (tx, definition) => [
    tx`select 1 from mission_completions where mission_id = ${definition.id}::int`,
    // A state concatenates its missions, each a list that begins with the mission's id (model/missions/state.ts).
    tx`select 1 from mission_states s
      where s.state like ${`%[${definition.id},%`} and exists (select from json_array_elements(s.state::json) as mission where mission ->> 0 = ${String(definition.id)})`,
    ...kept(tx, definition, "entered"),
  ],
  streaks: (tx, definition) => [
    tx`select 1 from streak_periods where streak_id = ${definition.id}::int`,
    tx`select 1 from streak_runs where streak_id = ${definition.id}::int`,
    ...kept(tx, definition, "streak.started"),
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
  for (const query of ROWS[kind](tx, { id, key, environmentId })) {
    if (await onlyValue(tx<{ found: boolean }[]>`select exists (${query}) as found`)) return true;
  }
  return false;
}
