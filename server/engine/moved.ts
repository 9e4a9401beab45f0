import type { Calendar } from "../model/kernel/calendar.ts";
import type { GrantEffect, OwedItemEffect, ScoreChangeEffect } from "../model/kernel/effects.ts";
import type { Run } from "../model/kernel/player.ts";
import type { Scalar } from "../model/kernel/values.ts";
import type { Criterion } from "../model/rules/objective.ts";
import type { Recurrence } from "../model/rules/schedule.ts";

/**
 * What an event moved when it was applied, as the tail keeps it. It copies the definitions of that moment, so later edits and later facts
 * do not change it.
 */
export interface Moved {
  missions: MissionMove[];
  streaks: StreakMove[];
  leaderboards: ScoreMove[];
  /** Of missions and streaks. */
  rewards: RewardMove[];
  /** The number of rollups that it counted for; conditions read them. */
  rollups: number;
  /** The number of moves beyond those above. */
  leftOut: number;
}

/** A reading before and after, and its target. */
export interface ReadingMove extends Pick<Criterion, "type" | "operator" | "target"> {
  was: Scalar | null;
  is: Scalar | null;
}

/** One occurrence of a mission. */
export interface MissionMove {
  id: number;
  key: string;
  recurrence: Recurrence;
  number: number;
  period: { start: string; startsAt: number } | null;
  /** It was entered, or offered, just before the event. */
  begins: "Entered" | "Offered" | null;
  isCompleted: boolean;
  /** Of the whole mission, moved or not. */
  objectives: number;
  moved: { index: number; isDone: boolean; readings: ReadingMove[] }[];
}

/** One period of a streak. */
export interface StreakMove extends ReadingMove {
  id: number;
  key: string;
  cadence: Calendar;
  /** Its local start. */
  period: string;
  wasQualified: boolean;
  isQualified: boolean;
  /** The run that the period is part of. */
  run: Pick<Run, "length" | "freezes"> | null;
  milestones: number[];
}

export interface ScoreMove extends Pick<ScoreChangeEffect, "period" | "team"> {
  id: number;
  key: string;
  change: Pick<ScoreChangeEffect["change"], "by" | "value">;
}

export type RewardMove =
  | Pick<GrantEffect, "kind" | "sourceDefinitionId" | "points">
  | Pick<OwedItemEffect, "kind" | "sourceDefinitionId" | "catalogItemKey" | "value">;

/** The recorded moves of one event: the row as it is stored. */
export interface RecordedEvent {
  part: number;
  playerId: string;
  seq: number;
  /** `Moved`, encoded (`stored-moves.ts`). */
  moved: string;
}
