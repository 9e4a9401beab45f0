import type { Period } from "./time.ts";
import type { Scalar } from "./values.ts";

/** The address of a player's rows: ten bits of the id, and the id. */
export interface PlayerKey {
  part: number;
  playerId: string;
}

/** A player as a fold sees them: identity, and the part of their state that the facts can move. */
export interface Player {
  part: number;
  playerId: string;
  environmentId: number;
  externalId: string;
  /** IANA zone; null: the project's zone applies. */
  timeZone: string | null;
  /** Whether the player is hidden from leaderboards: scores are stored separately and not ranked. */
  isHidden: boolean;
  /** The missions that the player has completed. For queued facts only the inputs of their rules are loaded (`engine/apply.ts`). */
  completedMissions: ReadonlySet<number>;
  /** Live occurrences by partition; only the partitions that were loaded. */
  missions: ReadonlyMap<number, PartitionState>;
  /** The names of distinct values that were counted before, among those of the facts. */
  seen: ReadonlySet<string>;
  /** By attribute id; loaded likewise. */
  attributes: ReadonlyMap<number, AttributeValue>;
  /** In points; loaded likewise. */
  balance: number;
  /** The kept part of the player's history, by rollup id and bucket: the buckets that the facts may read. */
  rollups: ReadonlyMap<number, RollupState>;
  /** By streak id; only the streaks that the facts can move. */
  streaks: ReadonlyMap<number, StreakState>;
  /** The other condition inputs, by name; only those that were resolved. */
  inputs: ReadonlyMap<string, Scalar | null>;
}

/** The value of an attribute, and the instant from which the player has it. */
export interface AttributeValue {
  value: Scalar;
  occurredAt: number;
}

/** A player's state of one streak, as far as the facts can change it. */
export interface StreakState {
  /** In the order of time; the last run alone, or all of them where `isWhole`. */
  runs: readonly Run[];
  /** By local start; those that the facts fall into, or all of them where `isWhole`. */
  periods: ReadonlyMap<string, StreakPeriod>;
  isWhole: boolean;
  /** A fact needs all runs and periods; the state is invalid until they are loaded. */
  isLacking?: true;
}

/** Qualified periods without a gap that no freeze covered. Dates are the local starts of periods. */
export interface Run {
  /** The run's first period at its creation: it names the run, whatever joins it later. */
  origin: string;
  first: string;
  last: string;
  /** Qualified periods; missed ones that a freeze covered are not among them. */
  length: number;
  /** Freezes in hand after the last qualified period. */
  freezes: number;
  /** Lengths of the milestones that were paid. */
  paid: readonly number[];
}

export interface StreakPeriod {
  counter: CounterValue;
  /** What the counter measures (`measureOf`); null if unknown: a restored period, or a row of an earlier version. */
  measure: string | null;
  /** As judged when the counter last changed: an edit of the streak does not rewrite the past. */
  isQualified: boolean;
  /** The values that a distinct measure has seen in the period. */
  seen: readonly string[];
  /** The milestones paid to the run of this period before the period ceased to qualify. A run that has it again counts them as paid. */
  paid: readonly number[];
}

export type RollupState = ReadonlyMap<string, CounterValue>;

/** The missions filed under one partition, by mission id. */
export type PartitionState = ReadonlyMap<number, MissionState>;

export interface MissionState {
  live: readonly Occurrence[];
  /** The last occurrence entered, kept where the mission repeats: it decides when the next may be. */
  last: { number: number; periodStart: string | null; completedAt: number | null } | null;
}

export interface OccurrencePeriod extends Period {
  /**
   * The end moves earlier where, in another zone, a later period of the player began before it. Facts until then may have counted beyond
   * the end.
   */
  readonly isCut?: true;
}

/** One round of a mission that the player is in. */
export interface Occurrence {
  number: number;
  startedAt: number;
  /**
   * Only facts after `seq` count: the position of the entry, or of the accept for a manual mission. It is half a step before a fact where
   * a mission continued: an earlier fact of the period moves it back. Null: an open offer.
   */
  accepted: { seq: number; at: number } | null;
  /** The calendar period of a Calendar recurrence, in the zone the player had at entry. */
  period: OccurrencePeriod | null;
  /** Empty until accepted. */
  objectives: readonly ObjectiveState[];
}

export interface ObjectiveState {
  /** Latched: once true it stays true. */
  isSatisfied: boolean;
  /** One for each criterion of the objective. */
  counters: readonly CounterValue[];
}

/** The counter of a criterion; a value of null means none, which is not zero. `at` is the instant of the value of a Latest. */
export interface CounterValue {
  value: Scalar | null;
  at?: number;
}
