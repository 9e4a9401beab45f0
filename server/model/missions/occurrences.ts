import type { Mission } from "./definition.ts";
import type { AttributeFact, EventFact } from "../kernel/facts.ts";
import { type Period, periodAt, periodsBetween } from "../kernel/time.ts";
import type { MissionState, Occurrence } from "../kernel/player.ts";

/** A calendar occurrence accepts late events of its period for this long. */
const LATE_EVENTS_MS = 24 * 60 * 60 * 1000;

/** An event this close before a period may open it: the clocks of devices are not exact. */
const EARLY_MS = 5 * 60 * 1000;

/** The occurrence that a mission read would enter now. */
export interface Opening {
  number: number;
  period: Period | null;
}

/**
 * Which occurrence the player may enter at `now`, or null. `isFinished` says that a mission without recurrence was
 * completed. A period is opened once: never one that starts at or before the last opened, for any zone or numbers.
 * `at` is an instant of the calendar period to open.
 */
export function openingAt(
  mission: Mission,
  state: MissionState,
  isFinished: boolean,
  now: number,
  zone: string,
  at: number = now,
): Opening | null {
  if (!mission.active || !isWindowOpen(mission, now)) return null;
  const { recurrence } = mission;
  switch (recurrence.kind) {
    case "None":
      return isFinished || state.live.length > 0 ? null : { number: 0, period: null };
    case "Calendar": {
      const period = periodAt(at, zone, recurrence.every);
      if (state.last?.periodStart != null && period.start <= state.last.periodStart) return null;
      if (!isWindowOpen(mission, Math.max(now, period.startsAt))) return null;
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

/**
 * An instant of the period of an automatic calendar mission that a fact opens, or null: the player has been in the mission before, and the
 * period is not open yet. Usually it is the period of the receipt. A fact of the next period that is received in the five minutes before
 * it opens the running one first, as a read would, and then the next. This does not check whether the player qualifies.
 */
export function opensPeriod(mission: Mission, { last }: MissionState, fact: EventFact | AttributeFact, zone: string): number | null {
  const { optIn, recurrence } = mission;
  if (optIn !== "Automatic" || recurrence.kind !== "Calendar" || last === null || last.periodStart === null) return null;
  const { occurredAt, receivedAt } = fact;
  const current = periodAt(receivedAt, zone, recurrence.every);
  const isEarly = current.endsAt - receivedAt <= EARLY_MS && occurredAt >= current.endsAt;
  const period = isEarly ? periodAt(current.endsAt, zone, recurrence.every) : current;
  if (!lies(occurredAt, period) || period.start <= last.periodStart) return null;
  if (!mission.active || !isWindowOpen(mission, receivedAt)) return null;
  if (current.start > last.periodStart) return receivedAt;
  return isWindowOpen(mission, period.startsAt) ? occurredAt : null;
}

const lies = (instant: number, { startsAt, endsAt }: Period): boolean => instant >= startsAt && instant < endsAt;

/** The position of an automatic entry: half a step before the fact, to distinguish it from a first entry. */
export const seqOfAutomaticEntry = (seq: number): number => seq - 0.5;

/**
 * An occurrence as a fact finds it. Where a mission has continued, a fact of the period may have an earlier position than the entry and be
 * applied after it. It then moves the entry back: in the order of facts it would have entered the player.
 */
export function reachedBy(occurrence: Occurrence, { seq, occurredAt, receivedAt }: EventFact): Occurrence {
  const { accepted, period, startedAt } = occurrence;
  if (accepted === null || seq > accepted.seq || Number.isInteger(accepted.seq) || period === null) return occurrence;
  if (!lies(occurredAt, period) || receivedAt < period.startsAt - EARLY_MS) return occurrence;
  return {
    ...occurrence,
    startedAt: Math.min(startedAt, receivedAt),
    accepted: { seq: seqOfAutomaticEntry(seq), at: Math.min(accepted.at, receivedAt) },
  };
}

/** The occurrence cut at the start of a period that is opened after it: if they overlap, an instant belongs to the later one. */
export const upTo = (occurrence: Occurrence, opened: Period | null): Occurrence =>
  occurrence.period === null || opened === null || occurrence.period.endsAt <= opened.startsAt
    ? occurrence
    : { ...occurrence, period: { ...occurrence.period, endsAt: opened.startsAt, isCut: true } };

/** The window of a mission only stops entry. */
export const isWindowOpen = ({ window }: Mission, now: number): boolean =>
  (window.startsAt === null || now >= window.startsAt) && (window.endsAt === null || now < window.endsAt);

/** Whether a live occurrence is shown at `now`: its period runs, or its offer is open. */
export const isShown = (mission: Mission, occurrence: Occurrence, now: number): boolean =>
  mission.active &&
  (occurrence.period === null || lies(now, occurrence.period)) &&
  (occurrence.accepted !== null || mission.window.endsAt === null || now < mission.window.endsAt);

/** Whether an occurrence can count no further fact at `now`. */
export const isClosed = ({ period }: Occurrence, now: number): boolean => period !== null && now >= period.endsAt + LATE_EVENTS_MS;

/** The identity of a player's occurrence: the local start of its period, else its number. */
export const occurrenceKey = ({ period, number }: Opening): string | number => period?.start ?? number;
