import type { Transaction } from "../../../db/client.ts";
import type { Stored } from "../stored.ts";

/**
 * Whether a player ever had to do with a definition. Listings and boards have an index to go by; the others read a table to
 * its end where nothing is found, so this needs a time limit. `environmentId` is the definition's.
 */
export function hasTouched(tx: Transaction, environmentId: number, { kind, id, shaped: { key } }: Stored): Promise<boolean> {
  switch (kind) {
    case "events":
      return anyOf(tx, tx`select from events where definition_id = ${id}::int`);
    case "metrics":
      return anyOf(tx, tx`select from metric_totals where definition_id = ${id}::int`);
    case "attributes":
      return anyOf(tx, tx`select from attribute_values where attribute_id = ${id}::int`);
    case "catalogItems":
      return anyOf(tx, tx`select from owed_items where environment_id = ${environmentId}::int and catalog_item_key = ${key}`);
    case "streaks":
      return anyOf(
        tx,
        tx`select from streak_periods where streak_id = ${id}::int`,
        tx`select from streak_runs where streak_id = ${id}::int`,
      );
    case "marketplaceItems":
      return anyOf(tx, tx`select from marketplace_rounds where listing_id = ${id}::int`);
    case "leaderboards": {
      const periods = tx`select id from leaderboard_periods where leaderboard_id = ${id}::int`;
      return anyOf(
        tx,
        tx`select from leaderboard_scores where period_id in (${periods})`,
        tx`select from leaderboard_contributions where period_id in (${periods})`,
        tx`select from leaderboard_periods where leaderboard_id = ${id}::int and participants > 0`,
      );
    }
    case "missions":
      return anyOf(
        tx,
        tx`select from mission_completions where mission_id = ${id}::int`,
        // A state has its missions one after the other, each a list that begins with the mission's id (missions/state.ts).
        tx`select from mission_states s
          where s.state like ${`%[${id},%`} and exists (select from json_array_elements(s.state::json) as mission where mission ->> 0 = ${String(id)})`,
      );
    case "exchangeRates":
    case "segments":
    case "missionCollections":
    case "marketplaceCollections":
    case "pointsValuations":
      return Promise.resolve(false);
  }
}

async function anyOf(tx: Transaction, ...found: ReturnType<Transaction>[]): Promise<boolean> {
  for (const query of found) {
    const [row] = await tx<{ found: boolean }[]>`select exists (${query}) as found`;
    if (row?.found) return true;
  }
  return false;
}
