import type { Period } from "./time.ts";
import type { Scalar } from "./values.ts";

/** A player as a fold sees them: identity, and the part of their state that the facts can move. */
export interface Player {
  part: number;
  playerId: string;
  environmentId: number;
  externalId: string;
  /** IANA zone; null: the project's holds. */
  timeZone: string | null;
  /** Missions of which the player has completed an occurrence; of a fold of queued facts only what it judges by is loaded (`engine/apply.ts`). */
  completedMissions: ReadonlySet<number>;
  /** Live occurrences by partition; only the partitions that were loaded. */
  missions: ReadonlyMap<number, PartitionState>;
  /** Names of the distinct values already counted, of those the facts ask about. */
  seen: ReadonlySet<string>;
  /** By attribute id; likewise. */
  attributes: ReadonlyMap<number, AttributeValue>;
  /** In points; likewise. */
  balance: number;
  /** What is kept of the player's history, by rollup id and bucket: of the rollups that are kept, the buckets the facts ask about. */
  rollups: ReadonlyMap<number, RollupState>;
  /** By streak id; only the streaks that the facts can move. */
  streaks: ReadonlyMap<number, StreakState>;
  /** What conditions read besides, by the name of the input; only those that were resolved. */
  inputs: ReadonlyMap<string, Scalar | null>;
}

/** The value of an attribute and the instant since when the player has it. */
export interface AttributeValue {
  value: Scalar;
  occurredAt: number;
}

/** What a player has of one streak, as far as the facts can change it. */
export interface StreakState {
  /** In the order of time; the last run alone, or all of them where `isWhole`. */
  runs: readonly Run[];
  /** By local start; those that the facts fall into, or all of them where `isWhole`. */
  periods: ReadonlyMap<string, StreakPeriod>;
  isWhole: boolean;
  /** A fact changed what only all runs and periods tell of; the state says nothing until they are loaded. */
  isLacking?: true;
}

/** Qualified periods without a gap that no freeze covered. Dates are the local starts of periods. */
export interface Run {
  /** The period that the run began with when it came to be: it names the run, whatever joins it later. */
  origin: string;
  first: string;
  last: string;
  /** Qualified periods; missed ones that a freeze covered are not among them. */
  length: number;
  /** In hand after the last qualified period. */
  freezes: number;
  /** Lengths of the milestones that were paid. */
  paid: readonly number[];
}

export interface StreakPeriod {
  counter: CounterValue;
  /** As judged when the reading last changed: an edit of the streak does not rewrite the past. */
  isQualified: boolean;
  /** What a distinct measure has seen in the period. */
  seen: readonly string[];
  /** What the run was paid that the period was in when it ceased to qualify: a run that it is in again was paid that. */
  paid: readonly number[];
}

export type RollupState = ReadonlyMap<string, CounterValue>;

/** The missions filed under one partition, by mission id. */
export type PartitionState = ReadonlyMap<number, MissionState>;

/** What a player has going in one mission. */
export interface MissionState {
  live: readonly Occurrence[];
  /** The last occurrence entered, kept where the mission repeats: it decides when the next may be. */
  last: { number: number; periodStart: string | null; completedAt: number | null } | null;
}

/** A period that a player is in. */
export interface OccurrencePeriod extends Period {
  /** It ends early: in another zone a later period of the player began before its end. What came until then may have counted beyond its end. */
  readonly isCut?: true;
}

/** One round of a mission that the player is in. */
export interface Occurrence {
  number: number;
  startedAt: number;
  /**
   * Only facts after `seq` in the one order count: that of the entry, or of the accept for a manual mission. Half a place
   * before a fact where a mission went on: an earlier fact of the period moves it back. Null: an open offer.
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

/** Where a criterion stands; null means no reading, which is not zero. `at` is the instant of the reading of a Latest. */
export interface CounterValue {
  value: Scalar | null;
  at?: number;
}
