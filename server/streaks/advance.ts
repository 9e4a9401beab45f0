import type { Definitions, Streak } from "../definitions/compiled.ts";
import type { Effect } from "../kernel/effects.ts";
import type { EventFact } from "../kernel/facts.ts";
import { holds } from "../kernel/operators.ts";
import type { Player, Run, StreakPeriod, StreakState } from "../kernel/player.ts";
import { periodAt } from "../kernel/time.ts";
import { rewardEffect } from "../missions/completion.ts";
import { advanceReading, concerns, distinctValue, readingWithoutEvents } from "../missions/measure.ts";
import { derivedId } from "../players/identity.ts";
import { contains, continued, extended, lengthsIn, newRun, runsOf, withPaid } from "./runs.ts";

export const NO_STREAK: StreakState = { runs: [], periods: new Map(), isWhole: false };

/** The same run of the same player has the same id, so that its milestones are paid once. */
export const runIdOf = ({ playerId }: Pick<Player, "playerId">, streak: Streak, { origin }: Pick<Run, "origin">): string =>
  derivedId("streak run", playerId, streak.id, origin);

/**
 * Where an event falls among the periods of a streak; null where the streak does not read it: it counts what is received from
 * its creation on, and in the years 0001 to 9999 of the player's zone.
 */
export function periodOf(streak: Streak, fact: EventFact, zone: string): string | null {
  if (fact.receivedAt < streak.createdAt || !concerns(streak.criterion, fact)) return null;
  const { start } = periodAt(fact.occurredAt, zone, streak.cadence);
  return start.length === LONGEST_DATE && start >= FIRST_DATE ? start : null;
}

const FIRST_DATE = "0001-01-01";
const LONGEST_DATE = FIRST_DATE.length;

/** The streaks after an event, and what follows from it. The same map where it moves none. */
export function onStreaks(
  player: Pick<Player, "playerId" | "timeZone" | "streaks">,
  definitions: Pick<Definitions, "timeZone" | "streaksByEvent">,
  fact: EventFact,
  effects: Effect[],
): Player["streaks"] {
  const zone = player.timeZone ?? definitions.timeZone;
  let next: Map<number, StreakState> | null = null;
  for (const streak of definitions.streaksByEvent.get(fact.definitionId) ?? []) {
    const start = periodOf(streak, fact, zone);
    if (start === null) continue;
    const before = (next ?? player.streaks).get(streak.id) ?? NO_STREAK;
    const after = countEvent(streak, before, start, fact, zone);
    if (after === before) continue;
    next ??= new Map(player.streaks);
    if (after.runs === before.runs) {
      next.set(streak.id, after);
      continue;
    }
    effects.push(...milestoneEffects(player, streak, before.runs, after.runs, fact.receivedAt));
    next.set(streak.id, { ...after, runs: after.runs.map((run) => withReached(streak, before.runs, run)) });
  }
  return next ?? player.streaks;
}

/** Puts an event into its period; where that changes whether the period qualifies, the runs change too. */
function countEvent(streak: Streak, state: StreakState, start: string, fact: EventFact, zone: string): StreakState {
  const before = state.periods.get(start);
  const wasQualified = before?.isQualified ?? false;
  if (wasQualified && staysQualified(streak)) return state;
  const after = advancePeriod(streak, before, fact, zone);
  if (after === before) return state;
  if (after.isQualified === wasQualified) return { ...state, periods: new Map(state.periods).set(start, after) };
  const latest = state.runs.at(-1);
  const comesLast = after.isQualified && (latest === undefined || start > latest.last);
  if (!state.isWhole && !comesLast) return { ...state, isLacking: true };
  const left = after.isQualified ? [] : state.runs.flatMap((run) => (contains(run, start) ? run.paid : []));
  const periods = new Map(state.periods).set(start, { ...after, paid: lengthsIn(after.paid, left) });
  const runs = comesLast ? withLatest(streak, state.runs, start) : runsOf(qualifiedStarts(periods), state.runs, streak);
  return { ...state, periods, runs: runs.map((run) => (contains(run, start) ? withPaid(run, after.paid) : run)) };
}

/** The runs with a period that comes after all that qualified before. */
function withLatest(streak: Streak, runs: readonly Run[], start: string): Run[] {
  const latest = runs.at(-1);
  const longer = latest === undefined ? null : extended(latest, start, streak);
  return longer === null ? [...runs, newRun(start, streak)] : [...runs.slice(0, -1), longer];
}

/** Whether a period that qualifies goes on to, whatever else happens in it: then nothing more of it has to be kept. */
export const staysQualified = ({ criterion: { measure, operator } }: Streak): boolean =>
  (operator === "GreaterThan" || operator === "GreaterThanOrEqualTo") &&
  (measure.kind === "Count" || measure.kind === "DistinctCount" || measure.kind === "DistinctDays" || measure.kind === "Max");

const qualifiedStarts = (periods: ReadonlyMap<string, StreakPeriod>): string[] =>
  [...periods].flatMap(([start, { isQualified }]) => (isQualified ? [start] : [])).sort();

/** A period after an event that falls into it; the same one where the event says nothing new. */
export function advancePeriod({ criterion }: Streak, before: StreakPeriod | undefined, fact: EventFact, zone: string): StreakPeriod {
  const period = before ?? { reading: readingWithoutEvents(criterion), isQualified: false, seen: [], paid: [] };
  const value = distinctValue(criterion, fact, zone);
  const name = value === null ? null : derivedId("value", value);
  const isNew = name !== null && !period.seen.includes(name);
  const reading = advanceReading(period.reading, criterion, fact, () => isNew);
  if (before !== undefined && reading === before.reading) return before;
  const isQualified = holds(reading.value, criterion.operator, criterion.target);
  return { reading, isQualified, seen: isNew ? [...period.seen, name] : period.seen, paid: period.paid };
}

/** What a run has newly reached: longer than any run before it that it goes on with, and not paid yet. */
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
      { kind: "milestone", streakKey: streak.key, runId, milestone: length, currentLength: run.length, reachedAt: at },
      ...rewards.map((reward, ordinal) =>
        rewardEffect(reward, { sourceType: "StreakMilestone", sourceId: runId, ordinal, milestone: length, at }),
      ),
    ]);
  });
}
