import type { Streak } from "./definition.ts";
import type { Run } from "../kernel/player.ts";
import { described } from "../kernel/texts.ts";
import { formatBound, periodAt, periodFrom } from "../kernel/time.ts";
import { liveRun } from "./runs.ts";

/** A streak as the API shows it. */
export interface StreakRow {
  streakKey: string;
  name: string;
  description: string | null;
  images: Readonly<Record<string, string>>;
  cadence: Streak["cadence"];
  currentLength: number;
  longestLength: number;
  startedAtUtc: string | null;
  endsAtUtc: string | null;
  isQualifiedThisPeriod: boolean;
  freezesAvailable: number;
  nextMilestone: number | null;
}

/** The stored state of a player's streak. */
export interface StreakProgress {
  /** The runs that may be live, in the order of time. */
  runs: readonly Run[];
  longest: number;
  /** Whether the current period qualifies. */
  isQualified: boolean;
}

/** A player's streak at `now`, in their zone. */
export function streakRow(
  streak: Streak,
  { runs, longest, isQualified }: StreakProgress,
  now: number,
  zone: string,
  language: string | null,
): StreakRow {
  const { cadence } = streak;
  const live = liveRun(runs, periodAt(now, zone, cadence).start, cadence);
  const length = live?.run.length ?? 0;
  return {
    streakKey: streak.key,
    ...described(streak, language),
    cadence,
    currentLength: length,
    longestLength: Math.max(longest, length),
    startedAtUtc: live === null ? null : formatBound(periodFrom(live.run.first, cadence, zone).startsAt),
    endsAtUtc: live === null ? null : formatBound(periodFrom(live.run.last, cadence, zone, live.periodsLeft).endsAt),
    isQualifiedThisPeriod: isQualified,
    freezesAvailable: live?.freezesAvailable ?? 0,
    nextMilestone: streak.milestones.find((milestone) => milestone.length > length)?.length ?? null,
  };
}
