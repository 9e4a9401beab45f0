import type { Streak } from "../definitions/compiled.ts";
import type { Run } from "../kernel/player.ts";
import { pickText } from "../kernel/texts.ts";
import { formatInstant, periodAt, periodFrom } from "../kernel/time.ts";
import { standingAt } from "./runs.ts";

/** Streak (decisions.md 2.10). */
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

/** What a player has of a streak. */
interface Progress {
  /** The last run, live or not. */
  latest: Run | null;
  longest: number;
}

/** A streak as it stands for a player at `now`, in their zone. */
export function streakRow(streak: Streak, { latest, longest }: Progress, now: number, zone: string, language: string | null): StreakRow {
  const current = periodAt(now, zone, streak.cadence).start;
  const standing = latest === null ? null : standingAt(latest, current, streak.cadence);
  const live = standing === null ? null : latest;
  const length = live?.length ?? 0;
  return {
    streakKey: streak.key,
    name: pickText(streak.name, language),
    description: streak.description === null ? null : pickText(streak.description, language),
    images: streak.images,
    cadence: streak.cadence,
    currentLength: length,
    longestLength: longest,
    startedAtUtc: live === null ? null : formatInstant(periodFrom(live.first, streak.cadence, zone).startsAt),
    endsAtUtc:
      live === null || standing === null ? null : formatInstant(periodFrom(live.last, streak.cadence, zone, standing.periodsLeft).endsAt),
    isQualifiedThisPeriod: standing?.isQualified ?? false,
    freezesAvailable: standing?.freezesAvailable ?? 0,
    nextMilestone: streak.milestones.find((milestone) => milestone.length > length)?.length ?? null,
  };
}

/** The length of the run that is live at `now`; 0 without one. */
export const currentLength = ({ cadence }: Streak, latest: Run | null, now: number, zone: string): number =>
  latest !== null && standingAt(latest, periodAt(now, zone, cadence).start, cadence) !== null ? latest.length : 0;
