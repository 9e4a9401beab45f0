import type { Definitions, Streak } from "../definitions/compiled.ts";
import type { Effect, StreakBeginningEffect } from "../rules/effects.ts";
import type { EventFact, StreakPeriodFact } from "../kernel/facts.ts";
import type { CounterValue, Player, Run, StreakPeriod, StreakState } from "../kernel/player.ts";
import { FIRST_DATE } from "../kernel/calendar.ts";
import { periodAt, periodFrom } from "../kernel/time.ts";
import { derivedId } from "../players/identity.ts";
import { advanceCounter, distinctValue, counterWithoutEvents } from "../rules/measure.ts";
import { concerns, type EventCriterion } from "../rules/measured.ts";
import { holds } from "../rules/operator.ts";
import { rewardEffect } from "../rules/reward.ts";
import { contains, continued, extended, lengthsIn, newRun, runsOf, withPaid } from "./runs.ts";

export const NO_STREAK: StreakState = { runs: [], periods: new Map(), isWhole: false };

/** The id of a player's run, derived so that its milestones are paid once. */
export const runIdOf = ({ playerId }: Pick<Player, "playerId">, streak: Pick<Streak, "id">, { origin }: Pick<Run, "origin">): string =>
  derivedId("streak run", playerId, streak.id, origin);

/**
 * The period of a streak that an event falls into; null if the streak does not count it: it counts facts received since its creation,
 * in the years 0001 to 9999 of the player's zone.
 */
export function streakPeriodOf(streak: Streak, fact: EventFact, zone: string): string | null {
  if (fact.receivedAt < streak.createdAt || !concerns(streak.criterion, fact, zone)) return null;
  const { start } = periodAt(fact.occurredAt, zone, streak.cadence);
  return start.length === MAX_DATE && start >= FIRST_DATE ? start : null;
}

const MAX_DATE = FIRST_DATE.length;

type StreakPlayer = Pick<Player, "playerId" | "timeZone" | "streaks">;

/** The streaks after an event; adds its effects. The same map if it moves none. */
export function onStreaks(
  player: StreakPlayer,
  definitions: Pick<Definitions, "timeZone" | "streaksByEvent">,
  fact: EventFact,
  effects: Effect[],
): Player["streaks"] {
  const zone = player.timeZone ?? definitions.timeZone;
  let next: Map<number, StreakState> | null = null;
  for (const streak of definitions.streaksByEvent.get(fact.definitionId) ?? []) {
    const start = streakPeriodOf(streak, fact, zone);
    if (start === null) continue;
    const before = (next ?? player.streaks).get(streak.id) ?? NO_STREAK;
    const current = currentPeriod(streak, fact, zone);
    const after = countEvent(streak, before, start, current, fact, zone);
    if (after === before) continue;
    next ??= new Map(player.streaks);
    next.set(streak.id, withMilestones(player, streak, before, after, fact.receivedAt, effects));
    if (start > current && after.periods.get(start)?.isQualified && !before.periods.get(start)?.isQualified) {
      effects.push(beginningOf(streak, start, zone));
    }
  }
  return next ?? player.streaks;
}

/** The streaks when a period begins in which something had counted before. */
export function onPeriodBegun(
  player: StreakPlayer,
  { timeZone, streaks }: Pick<Definitions, "timeZone" | "streaks">,
  fact: StreakPeriodFact,
  effects: Effect[],
): Player["streaks"] {
  const streak = streaks.find(({ id }) => id === fact.streakId);
  const before = player.streaks.get(fact.streakId);
  if (streak === undefined || !before?.periods.get(fact.start)?.isQualified) return player.streaks;
  const zone = player.timeZone ?? timeZone;
  const current = currentPeriod(streak, fact, zone);
  // The player has moved to a zone in which it has not begun.
  if (fact.start > current) {
    effects.push(beginningOf(streak, fact.start, zone));
    return player.streaks;
  }
  const after = countPeriod(streak, before, fact.start, current);
  if (after === before) return player.streaks;
  return new Map(player.streaks).set(streak.id, withMilestones(player, streak, before, after, fact.receivedAt, effects));
}

/** The periods of a player that have qualified and count for no run yet, of the streaks of which everything is known. */
export function aheadOf(
  { timeZone: own, streaks }: StreakPlayer,
  definitions: Pick<Definitions, "timeZone" | "streaks">,
): StreakBeginningEffect[] {
  const zone = own ?? definitions.timeZone;
  return definitions.streaks.flatMap((streak) => {
    const { runs, periods, isWhole } = streaks.get(streak.id) ?? NO_STREAK;
    const last = runs.at(-1)?.last ?? "";
    const starts = isWhole ? [...periods].flatMap(([start, { isQualified }]) => (isQualified && start > last ? [start] : [])) : [];
    return starts.map((start) => beginningOf(streak, start, zone));
  });
}

/** The period that runs when a fact is received. Facts of a later period are kept and count when it begins. */
const currentPeriod = ({ cadence }: Streak, { receivedAt }: EventFact | StreakPeriodFact, zone: string): string =>
  periodAt(receivedAt, zone, cadence).start;

const beginningOf = ({ id, cadence }: Streak, start: string, zone: string): StreakBeginningEffect => ({
  kind: "streakBeginning",
  streakId: id,
  start,
  beginsAt: periodFrom(start, cadence, zone).startsAt,
});

/** Puts an event into its period; where that changes whether the period qualifies, the runs change too. */
function countEvent(streak: Streak, state: StreakState, start: string, current: string, fact: EventFact, zone: string): StreakState {
  const before = state.periods.get(start);
  const wasQualified = before?.isQualified ?? false;
  if (before !== undefined && isFinal(streak, before)) return state;
  const after = advancePeriod(streak, before, fact, zone);
  if (after === before) return state;
  const isAhead = start > current;
  if (after.isQualified === wasQualified || isAhead) return { ...state, periods: new Map(state.periods).set(start, after) };
  if (after.isQualified) return countPeriod(streak, { ...state, periods: new Map(state.periods).set(start, after) }, start, current);
  if (!state.isWhole) return { ...state, isLacking: true };
  const left = state.runs.flatMap((run) => (contains(run, start) ? run.paid : []));
  const periods = new Map(state.periods).set(start, { ...after, paid: lengthsIn(after.paid, left) });
  return { ...state, periods, runs: runsOf(countedStarts({ ...state, periods }, current), state.runs, streak) };
}

/** The state in which runs include a period that has qualified and begun; the same object if they do already. */
function countPeriod(streak: Streak, state: StreakState, start: string, current: string): StreakState {
  const latest = state.runs.at(-1);
  if (start === latest?.last) return state;
  const comesLast = latest === undefined || start > latest.last;
  if (!state.isWhole && !comesLast) return { ...state, isLacking: true };
  const runs = comesLast ? withLatest(streak, state.runs, start) : runsOf(countedStarts(state, current), state.runs, streak);
  const { paid } = state.periods.get(start)!;
  return { ...state, runs: runs.map((run) => (contains(run, start) ? withPaid(run, paid) : run)) };
}

/** The runs of `after` with the milestones that they have newly reached, which are paid. */
function withMilestones(
  player: StreakPlayer,
  streak: Streak,
  before: StreakState,
  after: StreakState,
  at: number,
  effects: Effect[],
): StreakState {
  if (after.runs === before.runs || streak.milestones.length === 0) return after;
  effects.push(...milestoneEffects(player, streak, before.runs, after.runs, at));
  return { ...after, runs: after.runs.map((run) => withReached(streak, before.runs, run)) };
}

/** The runs with a period that is later than all of them. */
function withLatest(streak: Streak, runs: readonly Run[], start: string): Run[] {
  const latest = runs.at(-1);
  const longer = latest === undefined ? null : extended(latest, start, streak);
  return longer === null ? [...runs, newRun(start, streak)] : [...runs.slice(0, -1), longer];
}

/** The runs near a period that qualifies and has begun: facts in it from before its beginning may be applied a moment later. */
export function withCurrent(streak: Streak, runs: readonly Run[], current: string): readonly Run[] {
  const begun = runs.filter(({ first }) => first <= current);
  return begun.some((run) => contains(run, current)) ? runs : withLatest(streak, begun, current);
}

/**
 * Whether no later event takes a period's verdict back: its measure cannot fall, or its counter did not give the verdict, which was given by
 * restoring the streak or before an edit. No more is counted in it, so that the order of later events does not matter.
 */
export const isFinal = (streak: Streak, period: StreakPeriod): boolean =>
  period.isQualified &&
  (staysQualified(streak) ||
    isOfRestored(period.counter) ||
    !isOfMeasure(streak, period) ||
    !holds(period.counter.value, streak.criterion.operator, streak.criterion.target));

/**
 * What a counter measures: the measure, and which event or metric it reads. Stored with each period, so that a counter does not go on with
 * another measure after an edit. Short for a count, the most frequent, as each day of each player stores it.
 */
const measureOf = ({ definitionId, measure }: EventCriterion): string => {
  if (measure.kind === "Count") return `#${definitionId}`;
  return `${measure.kind} ${definitionId} ${"property" in measure ? (measure.property ?? "") : ""}`;
};

const isOfMeasure = ({ criterion }: Streak, { measure }: StreakPeriod): boolean => measure === null || measure === measureOf(criterion);

/** The counter of a restored period: no value, though it has an instant. No event makes one. */
export const RESTORED: CounterValue = { value: null, at: 0 };
const isOfRestored = ({ value, at }: CounterValue): boolean => value === null && at !== undefined;

/** Whether a period stays qualified through any later events in it, once its counter qualifies it. */
export const staysQualified = ({ criterion: { measure, operator } }: Streak): boolean =>
  (operator === "GreaterThan" || operator === "GreaterThanOrEqualTo") &&
  (measure.kind === "Count" || measure.kind === "DistinctCount" || measure.kind === "DistinctDays" || measure.kind === "Max");

/**
 * The qualified periods that have begun, in the order of time. One that has counted has begun for good, also where the player
 * is in a zone now in which it has not.
 */
function countedStarts({ periods, runs }: Pick<StreakState, "periods" | "runs">, current: string): string[] {
  const last = runs.at(-1)?.last ?? current;
  return [...periods].flatMap(([start, { isQualified }]) => (isQualified && (start <= current || start <= last) ? [start] : [])).sort();
}

/** A period after an event in it; the same object if the event changes nothing. What another measure had counted in it is dropped. */
export function advancePeriod(streak: Streak, before: StreakPeriod | undefined, fact: EventFact, zone: string): StreakPeriod {
  const { criterion } = streak;
  const isContinued = before !== undefined && isOfMeasure(streak, before);
  const period: Pick<StreakPeriod, "counter" | "seen" | "paid"> = isContinued
    ? before
    : { counter: counterWithoutEvents(criterion), seen: [], paid: before?.paid ?? [] };
  const value = distinctValue(criterion, fact, zone);
  const name = value === null ? null : derivedId("value", value);
  const isNew = name !== null && !period.seen.includes(name);
  const counter = advanceCounter(period.counter, criterion, fact, () => isNew);
  if (isContinued && counter === before.counter) return before;
  const isQualified = holds(counter.value, criterion.operator, criterion.target);
  const seen = isNew ? [...period.seen, name] : period.seen;
  return { counter, measure: measureOf(criterion), isQualified, seen, paid: period.paid };
}

/** The milestones a run has newly reached: longer than any earlier run it continues, and not paid yet. */
function reached(streak: Streak, before: readonly Run[], run: Run): Streak["milestones"] {
  const reachedBefore = Math.max(0, ...continued(before, run).map(({ length }) => length));
  return streak.milestones.filter(({ length }) => length > reachedBefore && length <= run.length && !run.paid.includes(length));
}

const withReached = (streak: Streak, before: readonly Run[], run: Run): Run =>
  withPaid(
    run,
    reached(streak, before, run).map(({ length }) => length),
  );

function milestoneEffects(
  player: Pick<Player, "playerId">,
  streak: Streak,
  before: readonly Run[],
  after: readonly Run[],
  at: number,
): Effect[] {
  return after.flatMap((run) => {
    const runId = runIdOf(player, streak, run);
    return reached(streak, before, run).flatMap(({ length, rewards }): Effect[] => [
      { kind: "milestone", streakId: streak.id, streakKey: streak.key, runId, milestone: length, currentLength: run.length, reachedAt: at },
      ...rewards.map((reward, ordinal) =>
        rewardEffect(reward, {
          sourceType: "StreakMilestone",
          sourceId: runId,
          sourceDefinitionId: streak.id,
          ordinal,
          milestone: length,
          at,
        }),
      ),
    ]);
  });
}
