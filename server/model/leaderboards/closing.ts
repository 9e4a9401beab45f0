import type { Prize } from "../definitions/compiled.ts";
import type { Effect, ScorePeriod } from "../rules/effects.ts";
import { boundOrNull, formatInstant } from "../kernel/time.ts";
import { rewardEffect } from "../rules/reward.ts";
import { periodIdOf } from "./scores.ts";
import type { WebhookNotification } from "../webhooks/subscriptions.ts";

/** The period that prizes are won in, and the instant at which it was settled. */
interface PrizeSource {
  periodId: string;
  leaderboardId: number;
  at: number;
}

/**
 * The rewards for a rank of a settled period; empty without a prize. `periodId` is the period's UUID. Rewards are numbered through all
 * prizes: a player who scored for two winning teams gets both prizes, and one prize only once.
 */
export function prizeEffects(prizes: readonly Prize[], rank: number, { periodId, leaderboardId, at }: PrizeSource): Effect[] {
  const prizeIndex = prizes.findIndex(({ fromRank, toRank }) => rank >= fromRank && rank <= toRank);
  const before = prizes.slice(0, Math.max(prizeIndex, 0)).reduce((sum, { rewards }) => sum + rewards.length, 0);
  return (prizes[prizeIndex]?.rewards ?? []).map((reward, index) =>
    rewardEffect(reward, { sourceType: "Leaderboard", sourceId: periodId, sourceDefinitionId: leaderboardId, ordinal: before + index, at }),
  );
}

/** The last rank with a prize; 0 without prizes. */
export const lastPrizedRank = (prizes: readonly Prize[]): number => Math.max(0, ...prizes.map(({ toRank }) => toRank));

/** A period that is settled. Instants are epoch milliseconds on the environment's clock. */
export interface ClosedPeriod extends ScorePeriod {
  environmentId: number;
  leaderboardId: number;
  participants: number;
  settledAt: number;
}

/** The webhook about a settled period; sent once for each. */
export const periodClosed = (leaderboardKey: string, period: ClosedPeriod): WebhookNotification => ({
  environmentId: period.environmentId,
  event: "leaderboard.period_closed",
  sourceId: periodIdOf(period.leaderboardId, period.start),
  occurredAt: period.settledAt,
  data: {
    leaderboardKey,
    periodNumber: period.number,
    startsAtUtc: boundOrNull(period.startsAt),
    endsAtUtc: boundOrNull(period.endsAt),
    participants: period.participants,
    settledAtUtc: formatInstant(period.settledAt),
  },
});
