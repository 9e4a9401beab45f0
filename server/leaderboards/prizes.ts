import { rewardEffect } from "../rules/reward.ts";
import type { Prize } from "../definitions/compiled.ts";
import type { Effect } from "../kernel/effects.ts";

/**
 * What a rank of a settled period is granted; nothing where it wins no prize. `periodId` is the period's
 * UUID. Rewards are numbered through all prizes: who scored for two teams that win different prizes is granted both, and
 * one prize only once.
 */
export function prizeEffects(prizes: readonly Prize[], rank: number, periodId: string, at: number): Effect[] {
  const place = prizes.findIndex(({ fromRank, toRank }) => rank >= fromRank && rank <= toRank);
  const before = prizes.slice(0, Math.max(place, 0)).reduce((sum, { rewards }) => sum + rewards.length, 0);
  return (prizes[place]?.rewards ?? []).map((reward, index) =>
    rewardEffect(reward, { sourceType: "Leaderboard", sourceId: periodId, ordinal: before + index, at }),
  );
}

/** The last rank that wins something; 0 without prizes. */
export const lastPrizedRank = (prizes: readonly Prize[]): number => Math.max(0, ...prizes.map(({ toRank }) => toRank));
