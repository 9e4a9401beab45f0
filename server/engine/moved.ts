import type { Calendar } from "../model/kernel/calendar.ts";
import type { ScoreChangeEffect } from "../model/rules/effects.ts";
import { parseJson, writeJson } from "../model/kernel/json.ts";
import type { Run } from "../model/kernel/player.ts";
import type { Scalar } from "../model/kernel/values.ts";
import type { Criterion } from "../model/rules/objective.ts";
import type { Granted } from "../model/rules/reward.ts";
import type { Recurrence } from "../model/rules/schedule.ts";

/**
 * The effects of an event when it was applied, as the tail keeps them. It copies the definitions of that moment, so later edits and later
 * facts do not change it.
 */
export interface Moved {
  missions: MissionMove[];
  streaks: StreakMove[];
  leaderboards: ScoreMove[];
  /** Rewards of missions and streaks. */
  rewards: Granted[];
  /** The number of rollups that the event counted for; conditions read them. */
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
  /** Whether the occurrence was entered or offered just before the event; null if it existed already. */
  begins: "Entered" | "Offered" | null;
  isCompleted: boolean;
  /** The number of the mission's objectives, moved or not. */
  objectives: number;
  moved: { index: number; isDone: boolean; readings: ReadingMove[] }[];
}

/** One period of a streak. */
export interface StreakMove extends ReadingMove {
  id: number;
  key: string;
  cadence: Calendar;
  /** The local start of the period. */
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

/** The recorded moves of one event: the row as it is stored. */
export interface RecordedEvent {
  part: number;
  playerId: string;
  seq: number;
  /** `Moved`, encoded by `encodeMoved`. */
  moved: string;
}

/** The targets of readings, without duplicates: type, operator, target. */
type StoredAsked = [ReadingMove["type"], ReadingMove["operator"], ReadingMove["target"]];
/** Index of the target, before, after. */
type StoredReading = [number, Scalar | null, Scalar | null];
/** Index, whether it is done, readings. */
type StoredObjective = [number, 0 | 1, ...StoredReading[]];
/** Id, key, number, period, recurrence (0: none), begins, completed, objectives of the mission, those that moved. */
type StoredMission = [
  ...[number, string, number, MissionMove["period"], MissionMove["recurrence"] | 0, MissionMove["begins"]],
  ...[0 | 1, number, ...StoredObjective[]],
];
/** Id, key, cadence, period, reading, was and is qualified, run, milestones. */
type StoredStreak = [number, string, StreakMove["cadence"], string, StoredReading, 0 | 1, 0 | 1, StreakMove["run"], number[]];
type StoredMoves = [StoredAsked[], StoredMission[], StoredStreak[], ScoreMove[], Granted[], number, number];

/**
 * The stored form of moves. It is positional, and readings share their targets, so that an event that moves many missions stays short.
 */
export function encodeMoved({ missions, streaks, leaderboards, rewards, rollups, leftOut }: Moved): string {
  const asked: StoredAsked[] = [];
  const places = new Map<string, number>();
  const reading = ({ type, operator, target, was, is }: ReadingMove): StoredReading => {
    const name = `${type} ${operator} ${typeof target === "number" ? target : writeJson(target)}`;
    let place = places.get(name);
    if (place === undefined) {
      place = asked.push([type, operator, target]) - 1;
      places.set(name, place);
    }
    return [place, was, is];
  };
  const storedMissions = missions.map(({ id, key, number, period, recurrence, begins, isCompleted, objectives, moved }): StoredMission => [
    ...([id, key, number, period, recurrence.kind === "None" ? 0 : recurrence, begins, isCompleted ? 1 : 0, objectives] as const),
    ...moved.map(({ index, isDone, readings }): StoredObjective => [index, isDone ? 1 : 0, ...readings.map(reading)]),
  ]);
  const storedStreaks = streaks.map((move): StoredStreak => {
    const { id, key, cadence, period, wasQualified, isQualified, run, milestones } = move;
    return [id, key, cadence, period, reading(move), wasQualified ? 1 : 0, isQualified ? 1 : 0, run, milestones];
  });
  const stored: StoredMoves = [asked, storedMissions, storedStreaks, [...leaderboards], [...rewards], rollups, leftOut];
  return writeJson(stored);
}

export function decodeMoved(text: string): Moved {
  const [asked, missions, streaks, leaderboards, rewards, rollups, leftOut] = parseJson(text) as StoredMoves;
  const reading = ([place, was, is]: StoredReading): ReadingMove => {
    const [type, operator, target] = asked[place]!;
    return { type, operator, target, was, is };
  };
  return {
    missions: missions.map(([id, key, number, period, recurrence, begins, isCompleted, objectives, ...moved]) => ({
      id,
      key,
      number,
      period,
      begins,
      objectives,
      recurrence: recurrence === 0 ? { kind: "None" } : recurrence,
      isCompleted: isCompleted === 1,
      moved: moved.map(([index, isDone, ...readings]) => ({ index, isDone: isDone === 1, readings: readings.map(reading) })),
    })),
    streaks: streaks.map(([id, key, cadence, period, stored, wasQualified, isQualified, run, milestones]) => ({
      id,
      key,
      cadence,
      period,
      run,
      milestones,
      ...reading(stored),
      wasQualified: wasQualified === 1,
      isQualified: isQualified === 1,
    })),
    leaderboards,
    rewards,
    rollups,
    leftOut,
  };
}
