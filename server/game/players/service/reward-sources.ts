import type { Sql } from "#db/client.ts";
import type { Definitions } from "#server/model/definitions/compiled.ts";
import { pickText } from "#server/model/kernel/texts.ts";
import { selectPeriodsOf } from "../../leaderboards/service/periods-seen.ts";
import { periodIdOf } from "#server/model/leaderboards/scores.ts";
import { listingsOfPurchases } from "../../marketplace/service/history.ts";
import { missionsOfOccurrences } from "../../missions/service/read.ts";
import { streaksOfRuns } from "../../streaks/service/read.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";

/** The source of points or of an item. */
export interface NamedRewardSource {
  kind: "missions" | "streaks" | "leaderboards" | "marketplaceItems";
  key: string;
  /** The name: of a purchase, at that time; otherwise the present one. */
  name: string;
  /** The local start date of a leaderboard's period; null if it has only one, and for other sources. */
  period: string | null;
}

export type Sourced = { sourceType: string | null; sourceId: string | null };

/** The sources of a player's rewards and purchases by id, as far as their definitions exist. */
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
