import type { Mission } from "../definitions/compiled.ts";
import { type Period, periodAt, periodsBetween } from "../kernel/time.ts";
import type { MissionState, Occurrence } from "../kernel/player.ts";

/** For so long after its period a calendar occurrence still takes events that happened in it (decisions.md 2.3). */
const LATE_EVENTS_MS = 24 * 60 * 60 * 1000;

/** The occurrence that a mission read would enter now. */
export interface Opening {
  number: number;
  period: Period | null;
}

/**
 * Which occurrence the player may enter at `now`, or null. `isFinished` says that a mission without recurrence was
 * completed. A period is opened once: never one that starts at or before the last opened, whatever zone or numbers say.
 */
export function openingAt(mission: Mission, state: MissionState, isFinished: boolean, now: number, zone: string): Opening | null {
  if (!mission.active || !isWindowOpen(mission, now)) return null;
  const { recurrence } = mission;
  switch (recurrence.kind) {
    case "None":
      return isFinished || state.live.length > 0 ? null : { number: 0, period: null };
    case "Calendar": {
      const period = periodAt(now, zone, recurrence.every);
      if (state.last?.periodStart != null && period.start <= state.last.periodStart) return null;
      const first = periodAt(mission.window.startsAt ?? mission.createdAt, zone, recurrence.every);
      return { number: periodsBetween(recurrence.every, first.start, period.start), period };
    }
    case "AfterCompletion": {
      if (state.live.length > 0) return null;
      if (state.last === null) return { number: 0, period: null };
      const number = state.last.number + 1;
      const isSpent = recurrence.maxOccurrences !== null && number >= recurrence.maxOccurrences;
      const isCooling = state.last.completedAt !== null && now < state.last.completedAt + recurrence.cooldownMs;
      return isSpent || isCooling ? null : { number, period: null };
    }
  }
}

/** The window of a mission stops entry, and nothing but entry. */
export const isWindowOpen = ({ window }: Mission, now: number): boolean =>
  (window.startsAt === null || now >= window.startsAt) && (window.endsAt === null || now < window.endsAt);

/** Whether a live occurrence is shown at `now`: its period runs, and an offer still stands. */
export const isShown = (mission: Mission, occurrence: Occurrence, now: number): boolean =>
  mission.active &&
  (occurrence.period === null || now < occurrence.period.endsAt) &&
  (occurrence.accepted !== null || mission.window.endsAt === null || now < mission.window.endsAt);

/** Whether an occurrence can take no further fact at `now`. */
export const isClosed = ({ period }: Occurrence, now: number): boolean => period !== null && now >= period.endsAt + LATE_EVENTS_MS;

/** What makes an occurrence of a player one and the same: the local start of its period, else its number. */
export const occurrenceName = ({ period, number }: Opening): string | number => period?.start ?? number;
