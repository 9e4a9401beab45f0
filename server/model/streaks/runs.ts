import type { Streak } from "./definition.ts";
import type { Run, StreakState } from "../kernel/player.ts";
import { type Calendar, periodFrom, periodsBetween } from "../kernel/time.ts";

type Rules = Pick<Streak, "cadence" | "freezes">;

/** The run that a first qualified period begins. */
export const newRun = (start: string, { freezes }: Rules): Run => ({
  origin: start,
  first: start,
  last: start,
  length: 1,
  freezes: earned(0, 1, freezes),
  paid: [],
});

/** The run with a later qualified period, if its freezes cover the missed ones in between; null if it had ended by then. */
export function extended(run: Run, start: string, { cadence, freezes }: Rules): Run | null {
  const missed = missedBetween(run.last, start, cadence);
  if (missed > run.freezes) return null;
  const length = run.length + 1;
  return { ...run, last: start, length, freezes: earned(run.freezes - missed, length, freezes) };
}

/** A freeze is earned for every `earnEvery` qualified periods of the run, up to `max`. Those in hand stay, also if `max` was lowered. */
const earned = (inHand: number, length: number, freezes: Rules["freezes"]): number =>
  freezes !== null && length % freezes.earnEvery === 0 && inHand < freezes.max ? inHand + 1 : inHand;

/** How many periods lie between two that qualify. */
const missedBetween = (last: string, start: string, cadence: Calendar): number => periodsBetween(cadence, last, start) - 1;

/**
 * Recomputes all runs of a player from the qualified periods, in chronological order, as if everything had arrived in time. A new run
 * continues the old ones that it shares periods with: it has the id of the oldest, and the paid milestones of all.
 */
export function runsOf(qualified: readonly string[], before: readonly Run[], rules: Rules): Run[] {
  const runs: Run[] = [];
  for (const start of qualified) {
    const current = runs.at(-1);
    const longer = current === undefined ? null : extended(current, start, rules);
    if (longer === null) runs.push(newRun(start, rules));
    else runs[runs.length - 1] = longer;
  }
  return runs.map((run) => {
    const earlier = continued(before, run);
    const oldest = earlier.find(({ origin }) => origin >= run.first && origin <= run.last);
    const going = { ...run, origin: oldest?.origin ?? run.first };
    return earlier.reduce((one, { paid }) => withPaid(one, paid), going);
  });
}

export const continued = (before: readonly Run[], run: Run): Run[] =>
  before.filter(({ first, last }) => first <= run.last && last >= run.first);

/** Whether a run has a period, qualified or covered. */
export const contains = ({ first, last }: Run, start: string): boolean => first <= start && start <= last;

/** Lengths of milestones, each once, shortest first. */
export const lengthsIn = (...lists: readonly (readonly number[])[]): number[] => [...new Set(lists.flat())].sort((a, b) => a - b);

/** The run that was paid these milestones too. */
export const withPaid = (run: Run, lengths: readonly number[]): Run =>
  lengths.length === 0 ? run : { ...run, paid: lengthsIn(run.paid, lengths) };

export interface Live {
  run: Run;
  freezesAvailable: number;
  /** How many periods after the last qualified one a run ends, unless another qualifies. */
  periodsLeft: number;
}

/** The first of these runs that has not ended by the period that begins at `current`; null if there is none. */
export function liveRun(runs: readonly Run[], current: string, cadence: Calendar): Live | null {
  for (const run of runs) {
    const missed = Math.max(0, missedBetween(run.last, current, cadence));
    if (missed <= run.freezes) return { run, freezesAvailable: run.freezes - missed, periodsLeft: run.freezes + 1 };
  }
  return null;
}

/** The most periods that one restoration covers. */
export const MAX_MISSED = 31;

/**
 * The periods for which a player last lost a streak: between the last run and the present, or before the run that is live the gap to the
 * one before it. Local starts, at most one more than can be restored. `runs` are in the order of time; `current` is the present period,
 * which can still qualify.
 */
export function missedPeriods(
  runs: readonly Pick<Run, "first" | "last" | "freezes" | "length" | "origin" | "paid">[],
  qualified: ReadonlySet<string>,
  current: string,
  { cadence }: Pick<Streak, "cadence">,
): string[] {
  const begun = runs.filter(({ first }) => first <= current);
  const [before, latest] = [begun.at(-2), begun.at(-1)];
  if (latest === undefined) return [];
  const isLive = liveRun([latest], current, cadence) !== null;
  if (isLive && before === undefined) return [];
  const [from, until] = isLive ? [before!.last, latest.first] : [latest.last, current];
  const missed: string[] = [];
  const next = (start: string) => periodFrom(start, cadence, "UTC", 1).start;
  for (let start = next(from); start < until && missed.length <= MAX_MISSED; start = next(start)) {
    if (!qualified.has(start)) missed.push(start);
  }
  return missed;
}

/** What changed about the runs of a streak, for analytics. */
export interface RunChanges {
  /** The first days of runs that begin there now, and of runs that no longer begin there. */
  began: string[];
  beganNot: string[];
  /** How many more periods freezes cover than before; never negative. */
  freezes: number;
}

/** The changes of a fold to a streak's runs, of those that were loaded. */
export function runChanges(before: StreakState | undefined, after: StreakState, cadence: Calendar): RunChanges {
  const known = new Map(before?.runs.map((run) => [run.origin, run]));
  const changes: RunChanges = { began: [], beganNot: [], freezes: 0 };
  let covered = 0;
  for (const run of after.runs) {
    const earlier = known.get(run.origin);
    known.delete(run.origin);
    if (earlier === run) continue;
    covered += coveredIn(run, cadence) - (earlier === undefined ? 0 : coveredIn(earlier, cadence));
    if (earlier?.first === run.first) continue;
    changes.began.push(run.first);
    if (earlier !== undefined) changes.beganNot.push(earlier.first);
  }
  for (const run of known.values()) {
    covered -= coveredIn(run, cadence);
    changes.beganNot.push(run.first);
  }
  changes.freezes = Math.max(covered, 0);
  return changes;
}

/** Periods of a run that did not qualify. */
const coveredIn = ({ first, last, length }: Run, cadence: Calendar): number => periodsBetween(cadence, first, last) + 1 - length;
