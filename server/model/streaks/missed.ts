import type { Streak } from "./definition.ts";
import type { Run } from "../kernel/player.ts";
import { periodFrom } from "../kernel/time.ts";
import { liveRun } from "./runs.ts";

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
