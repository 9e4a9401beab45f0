import type { Streak } from "./definition.ts";
import type { Run } from "../kernel/player.ts";
import { type Calendar, periodsBetween } from "../kernel/time.ts";

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

/** The run with a later qualified period, if its freezes cover what was missed in between; null where it had ended by then. */
export function extended(run: Run, start: string, { cadence, freezes }: Rules): Run | null {
  const missed = missedBetween(run.last, start, cadence);
  if (missed > run.freezes) return null;
  const length = run.length + 1;
  return { ...run, last: start, length, freezes: earned(run.freezes - missed, length, freezes) };
}

/** A freeze is earned for every `earnEvery` qualified periods of the run; beyond `max` it is lost. */
const earned = (inHand: number, length: number, freezes: Rules["freezes"]): number =>
  freezes !== null && length % freezes.earnEvery === 0 ? Math.min(inHand + 1, freezes.max) : inHand;

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

/** The old runs that a run continues. */
export const continued = (before: readonly Run[], run: Run): Run[] =>
  before.filter(({ first, last }) => first <= run.last && last >= run.first);

/** Whether a run has a period, qualified or covered. */
export const contains = ({ first, last }: Run, start: string): boolean => first <= start && start <= last;

/** Lengths of milestones, each once, shortest first. */
export const lengthsIn = (...lists: readonly (readonly number[])[]): number[] => [...new Set(lists.flat())].sort((a, b) => a - b);

/** The run that was paid these milestones too. */
export const withPaid = (run: Run, lengths: readonly number[]): Run =>
  lengths.length === 0 ? run : { ...run, paid: lengthsIn(run.paid, lengths) };

/** A run that is live in a period. */
export interface Live {
  run: Run;
  freezesAvailable: number;
  /** How many periods after the last qualified one a run ends, unless another qualifies. */
  periodsLeft: number;
}

/** The first of these runs that has not ended by the period that begins at `current`; null without one. */
export function liveRun(runs: readonly Run[], current: string, cadence: Calendar): Live | null {
  for (const run of runs) {
    const missed = Math.max(0, missedBetween(run.last, current, cadence));
    if (missed <= run.freezes) return { run, freezesAvailable: run.freezes - missed, periodsLeft: run.freezes + 1 };
  }
  return null;
}
