import type { Calendar } from "../model/kernel/calendar.ts";
import { occurrenceKey } from "../model/missions/occurrences.ts";
import type { CompletionEffect, Effect } from "../model/rules/effects.ts";
import type { CounterValue, ObjectiveState, Occurrence, Player } from "../model/kernel/player.ts";
import { encodeCounter } from "../model/kernel/stored.ts";
import { decodeObjectives, stateOf } from "../model/missions/state.ts";
import type { Criterion, Objective } from "../model/rules/objective.ts";
import { type Granted, isReward, type RewardEffect } from "../model/rules/reward.ts";
import type { Recurrence } from "../model/rules/schedule.ts";
import { encodeMoved, type MissionMove, type Moved, type ReadingMove, type ScoreMove, type StreakMove } from "./moved.ts";

/** The definitions that an event may move, of the kinds that moves report. */
interface Movable {
  missionsById: ReadonlyMap<number, Mission>;
  streaks: readonly Streak[];
  leaderboardsById: ReadonlyMap<number, Named>;
}

interface Named {
  id: number;
  key: string;
}

interface Mission extends Named {
  partitionId: number;
  recurrence: Recurrence;
  objectives: readonly Objective[];
}

interface Streak extends Named {
  cadence: Calendar;
  criterion: Pick<Criterion, "type" | "operator" | "target">;
}

/** Bounds of the moves kept for one event: their number per kind, tried in turn, and the characters of their text. */
const MAX_MOVES = [60, 15, 4, 0];
const MAX_TEXT = 16 * 1024;

/**
 * The effects of an event: the difference between the player before and after it, and the effects of the same step. It reads nothing else.
 */
export function movesOf(definitions: Movable, before: Player, after: Player, effects: readonly Effect[]): Moved {
  return {
    missions: missionMoves(definitions, before, after, effects),
    streaks: before.streaks === after.streaks ? [] : streakMoves(definitions, before, after, effects),
    leaderboards: scoreMoves(definitions, effects),
    rewards: effects.filter(isReward).map(rewardMove),
    rollups: [...after.rollups].filter(([id, state]) => before.rollups.get(id) !== state).length,
    leftOut: 0,
  };
}

/** The moves as stored text, within the bounds; the moves that do not fit are only counted. */
export function writeMoves(moved: Moved): string {
  let text = "";
  for (const most of MAX_MOVES) {
    const kept = {
      missions: moved.missions.slice(0, most),
      streaks: moved.streaks.slice(0, most),
      leaderboards: moved.leaderboards.slice(0, most),
      rewards: moved.rewards.slice(0, most),
    };
    text = encodeMoved({ ...kept, rollups: moved.rollups, leftOut: countMoves(moved) - countMoves(kept) });
    if (text.length <= MAX_TEXT) break;
  }
  return text;
}

const countMoves = ({ missions, streaks, leaderboards, rewards }: Omit<Moved, "rollups" | "leftOut">): number =>
  missions.length + streaks.length + leaderboards.length + rewards.length;

function missionMoves(definitions: Movable, before: Player, after: Player, effects: readonly Effect[]): MissionMove[] {
  const completions = effects.filter((effect): effect is CompletionEffect => effect.kind === "completion");
  const moved = new Set(completions.map(({ missionId }) => missionId));
  for (const [partitionId, partition] of after.missions) {
    const earlier = before.missions.get(partitionId);
    if (earlier === partition) continue;
    for (const [id, state] of partition) if (earlier?.get(id) !== state) moved.add(id);
  }
  return [...moved].flatMap((id) => {
    const mission = definitions.missionsById.get(id);
    if (mission === undefined) return [];
    const own = completions.filter(({ missionId }) => missionId === id);
    return occurrenceMoves(mission, before, after, own);
  });
}

/** Completed occurrences first: they are what users ask about. */
function occurrenceMoves(mission: Mission, before: Player, after: Player, completions: readonly CompletionEffect[]): MissionMove[] {
  const liveBefore = stateOf(before, mission).live;
  const earlier = (key: string | number) => liveBefore.find((one) => occurrenceKey(one) === key);
  const completed = completions.map(({ occurrenceKey: key, occurrenceNumber, objectives }) => {
    const was = earlier(key);
    const now = { number: occurrenceNumber, period: was?.period ?? null, isAccepted: true, objectives: decodeObjectives(objectives) };
    return occurrenceMove(mission, was, now, true);
  });
  const live = stateOf(after, mission).live.flatMap((one) => {
    const was = earlier(occurrenceKey(one));
    return was === one ? [] : [occurrenceMove(mission, was, { ...one, isAccepted: one.accepted !== null }, false)];
  });
  return [...completed, ...live.filter(({ begins, moved }) => begins !== null || moved.length > 0)];
}

type Now = Pick<Occurrence, "number" | "period" | "objectives"> & { isAccepted: boolean };

function occurrenceMove(mission: Mission, was: Occurrence | undefined, now: Now, isCompleted: boolean): MissionMove {
  const { id, key, recurrence, objectives } = mission;
  const isNew = was === undefined || (was.accepted === null && now.isAccepted);
  // A reading that the event counted for is a new object, even with the same value; the readings of a completion were stored and parsed
  // again.
  const isSame = isCompleted ? isSameReading : Object.is;
  // A new occurrence reports every reading.
  const earlier = isNew ? [] : was.objectives;
  return {
    id,
    key,
    recurrence,
    number: now.number,
    period: now.period === null ? null : { start: now.period.start, startsAt: now.period.startsAt },
    begins: isNew ? (now.isAccepted ? "Entered" : "Offered") : null,
    isCompleted,
    objectives: objectives.length,
    moved: now.objectives.flatMap((state, index) => objectiveMove(objectives[index], earlier[index], state, index, isSame)),
  };
}

function objectiveMove(
  objective: Objective | undefined,
  was: ObjectiveState | undefined,
  now: ObjectiveState,
  index: number,
  isSame: (a: CounterValue | undefined, b: CounterValue) => boolean,
): MissionMove["moved"] {
  if (objective === undefined || was === now) return [];
  const readings = objective.criteria.flatMap((criterion, at): ReadingMove[] => {
    const [earlier, later] = [was?.counters[at], now.counters[at]];
    return later === undefined || isSame(earlier, later) ? [] : [{ ...asked(criterion), was: earlier?.value ?? null, is: later.value }];
  });
  if (readings.length === 0 && (was?.isSatisfied ?? false) === now.isSatisfied) return [];
  return [{ index, isDone: now.isSatisfied && objective.progressKind !== "WithinLimit", readings }];
}

const isSameReading = (a: CounterValue | undefined, b: CounterValue): boolean =>
  a === b || (a !== undefined && JSON.stringify(encodeCounter(a)) === JSON.stringify(encodeCounter(b)));

const asked = ({ type, operator, target }: Omit<ReadingMove, "was" | "is">): Omit<ReadingMove, "was" | "is"> => ({
  type,
  operator,
  target,
});

function streakMoves({ streaks }: Movable, before: Player, after: Player, effects: readonly Effect[]): StreakMove[] {
  return [...after.streaks].flatMap(([id, state]) => {
    const earlier = before.streaks.get(id);
    const streak = streaks.find((one) => one.id === id);
    if (state === earlier || streak === undefined) return [];
    const milestones = effects.flatMap((effect) => (effect.kind === "milestone" && effect.streakId === id ? [effect.milestone] : []));
    const changed = [...state.periods].filter(([start, period]) => earlier?.periods.get(start) !== period);
    return changed.map(([start, period]): StreakMove => {
      const was = earlier?.periods.get(start);
      const run = state.runs.find(({ first, last }) => first <= start && start <= last);
      return {
        id,
        key: streak.key,
        cadence: streak.cadence,
        period: start,
        ...asked(streak.criterion),
        was: was?.counter.value ?? null,
        is: period.counter.value,
        wasQualified: was?.isQualified ?? false,
        isQualified: period.isQualified,
        run: run === undefined ? null : { length: run.length, freezes: run.freezes },
        milestones,
      };
    });
  });
}

const scoreMoves = ({ leaderboardsById }: Movable, effects: readonly Effect[]): ScoreMove[] =>
  effects.flatMap((effect) => {
    if (effect.kind !== "scoreChange") return [];
    const { leaderboardId: id, period, team, change } = effect;
    return [{ id, key: leaderboardsById.get(id)?.key ?? "", period, team, change: { by: change.by, value: change.value } }];
  });

const rewardMove = ({ sourceType, sourceId, ordinal, milestone, at, isQuiet, ...granted }: RewardEffect): Granted => granted;
