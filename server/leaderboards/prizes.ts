import type { Prize } from "../definitions/compiled.ts";
import type { Effect } from "../kernel/effects.ts";
import { rewardEffect } from "../missions/completion.ts";

/** What a rank of a settled period is granted (decisions.md 2.9); nothing where it wins no prize. `periodId` is the period's UUID. */
export function prizeEffects(prizes: readonly Prize[], rank: number, periodId: string, at: number): Effect[] {
  const prize = prizes.find(({ fromRank, toRank }) => rank >= fromRank && rank <= toRank);
  return (prize?.rewards ?? []).map((reward, ordinal) =>
    rewardEffect(reward, { sourceType: "Leaderboard", sourceId: periodId, ordinal, at }),
  );
}

/** The last rank that wins something; 0 without prizes. */
export const lastPrizedRank = (prizes: readonly Prize[]): number => Math.max(0, ...prizes.map(({ toRank }) => toRank));
