import type { Run, StreakState } from "../kernel/player.ts";
import { type Calendar, periodsBetween } from "../kernel/time.ts";

/** What changed about the runs of a streak, for analytics. */
export interface RunChanges {
  /** First days of runs that begin there now; and of those that did, and do no longer. */
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
