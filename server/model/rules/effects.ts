import type { Numeric } from "../kernel/decimal.ts";
import type { Scalar } from "../kernel/values.ts";
import type { RewardEffect } from "./reward.ts";

/** What a fold writes besides the player's new state. Each effect has a unique source, so that it happens once. */
export type Effect =
  | CompletionEffect
  | RewardEffect
  | DistinctValueEffect
  | AttributeValueEffect
  | MilestoneEffect
  | StreakBeginningEffect
  | ScoreChangeEffect;

/** An effect that may send webhooks. */
interface WithWebhook {
  /** Endpoints are not notified, because it follows from a quiet fact. */
  isQuiet?: boolean;
}

export interface CompletionEffect extends WithWebhook {
  kind: "completion";
  missionId: number;
  missionKey: string;
  occurrenceId: string;
  /** Identifies the occurrence among the player's: after a change of the project's zone, two may have the same number. */
  occurrenceKey: string | number;
  occurrenceNumber: number;
  startedAt: number;
  acceptedAt: number;
  completedAt: number;
  /** The readings at completion and the rewards, as they are stored. */
  objectives: unknown;
  rewards: unknown;
}

/** A new value of a DistinctCount, or a new day of a DistinctDays. */
export interface DistinctValueEffect {
  kind: "distinctValue";
  occurrenceId: string;
  criterion: number;
  value: string;
}

/** A player's new value of an attribute. */
export interface AttributeValueEffect {
  kind: "attributeValue";
  attributeId: number;
  value: Scalar;
  occurredAt: number;
  /** The position of the fact that sets it. */
  seq: number;
}

/** A streak's run has reached a milestone. */
export interface MilestoneEffect extends WithWebhook {
  kind: "milestone";
  streakId: number;
  streakKey: string;
  /** UUID of the run. */
  runId: string;
  milestone: number;
  currentLength: number;
  reachedAt: number;
}

/** A period of a streak qualifies before it has begun: it counts when it begins. */
export interface StreakBeginningEffect {
  kind: "streakBeginning";
  streakId: number;
  /** Local start of the period, and the instant of it in the zone that the player has now. */
  start: string;
  beginsAt: number;
}

/** A period of a leaderboard. `start` names it: the local date of its first day; empty if there is only one. */
export interface ScorePeriod {
  start: string;
  number: number;
  startsAt: number | null;
  endsAt: number | null;
}

/**
 * How a score changes: it grows, keeps the best value or the latest one, takes the player's present value, or goes back to the one before.
 */
export interface ScoreChange {
  by: "Sum" | "Max" | "Min" | "Latest" | "Set" | "Carry";
  value: Numeric;
  /** When it happened. */
  at: number;
}

/** A player's score in a period of a leaderboard changes. */
export interface ScoreChangeEffect {
  kind: "scoreChange";
  leaderboardId: number;
  period: ScorePeriod;
  /** The team that it is scored for; null on a board that ranks players. */
  team: string | null;
  change: ScoreChange;
  /** The position of the fact in the order of facts. */
  seq: number;
}
