import type { Sql } from "#db/client.ts";
import type { Definitions } from "#server/model/definitions/compiled.ts";
import { pickText } from "#server/model/kernel/texts.ts";
import { selectPeriodsOf } from "../../leaderboards/service/periods-seen.ts";
import { periodIdOf } from "#server/model/leaderboards/scores.ts";
import { listingsOfPurchases } from "../../marketplace/service/history.ts";
import { missionsOfOccurrences } from "../../missions/service/read.ts";
import { streaksOfRuns } from "../../streaks/service/read.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";

/** What points or an item were for. */
export interface NamedRewardSource {
  kind: "missions" | "streaks" | "leaderboards" | "marketplaceItems";
  key: string;
  /** The name at that time, of a purchase; else that of now. */
  name: string;
  /** The local date on which the period of a leaderboard began; null where it has one period alone, and elsewhere. */
  period: string | null;
}

export type Sourced = { sourceType: string | null; sourceId: string | null };

/** The sources of rewards and purchases of a player by their ids, as far as their definitions are still there. */
export async function rewardSources(
  sql: Sql,
  definitions: Definitions,
  key: PlayerKey,
  rows: readonly Sourced[],
): Promise<Map<string, NamedRewardSource>> {
  const idsOf = (wanted: string): string[] => [
    ...new Set(rows.flatMap(({ sourceType, sourceId }) => (sourceType === wanted && sourceId !== null ? [sourceId] : []))),
  ];
  const [occurrences, purchases] = [idsOf("Mission"), idsOf("MarketplacePurchase")];
  const [missions, listings, streaks, periods] = await Promise.all([
    missionsOfOccurrences(sql, key, occurrences),
    listingsOfPurchases(sql, key, purchases),
    idsOf("StreakMilestone").length === 0 ? new Map<string, never>() : streaksOfRuns(sql, key, definitions.streaks),
    idsOf("Leaderboard").length === 0 ? [] : selectPeriodsOf(sql, key),
  ]);
  const { defaultLanguage: language } = definitions;
  const sources = new Map<string, NamedRewardSource>();
  for (const [id, missionId] of missions) {
    const mission = definitions.missionsById.get(missionId);
    if (mission !== undefined)
      sources.set(id, { kind: "missions", key: mission.key, name: pickText(mission.name, language), period: null });
  }
  for (const [id, { listingKey, name }] of listings)
    sources.set(id, { kind: "marketplaceItems", key: listingKey, name: pickText(name, language), period: null });
  for (const [id, { key: streak, name }] of streaks)
    sources.set(id, { kind: "streaks", key: streak, name: pickText(name, language), period: null });
  for (const { leaderboardId, start } of periods) {
    const board = definitions.leaderboardsById.get(leaderboardId);
    if (board === undefined) continue;
    const period = start === "" ? null : start;
    sources.set(periodIdOf(leaderboardId, start), {
      kind: "leaderboards",
      key: board.key,
      name: pickText(board.name, language),
      period,
    });
  }
  return sources;
}
