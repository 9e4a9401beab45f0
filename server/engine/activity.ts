import type { Counts } from "../model/kernel/counts.ts";
import { startOfPeriod } from "../model/kernel/time.ts";
import type { ActiveDay, NewDay } from "./store/counts.ts";

/** A player's new days, and the activity known before them. */
export interface NewDays {
  /** The analytics epoch of the player's figures. */
  epoch: number;
  days: readonly NewDay[];
  /** The weeks in which the player was active before, by their Mondays; only needed where `movesCohort`. */
  weeksBefore: readonly string[];
}

/** The player's first day, including the new days. */
export const firstOf = (days: readonly Pick<NewDay, "day" | "firstBefore">[]): string =>
  days.reduce((first, { day, firstBefore }) => earliest(first, earliest(day, firstBefore)), days[0]!.day);

const earliest = (a: string, b: string | null): string => (b !== null && b < a ? b : a);

const monday = (day: string): string => startOfPeriod(day, "Week");

/** Whether a late event moves the player's first week back: their later weeks then belong to the cohort of that earlier week. */
export const movesCohort = (days: readonly NewDay[]): boolean => {
  const before = days[0]!.firstBefore;
  return before !== null && monday(firstOf(days)) < monday(before);
};

/** Counts a player's new days: active, new and retained players by day, week and month. */
export function countNewDays(counts: Counts, newDays: NewDays): void {
  const { epoch, days } = newDays;
  for (const { day, hour } of days) {
    counts.add({ epoch, measure: "active.day", day });
    counts.add({ epoch, measure: "hour.active", day, detail: hour });
  }
  countNewPeriods(counts, newDays);
}

/** As `countNewDays`, but only weeks, months, new players and retention: the caller counts the days. */
export function countNewPeriods(counts: Counts, { epoch, days, weeksBefore }: NewDays): void {
  const firstBefore = days[0]!.firstBefore;
  const first = firstOf(days);
  const weeks = new Set(days.filter(({ wasActiveInWeek }) => !wasActiveInWeek).map(({ day }) => monday(day)));
  const months = new Set(days.filter(({ wasActiveInMonth }) => !wasActiveInMonth).map(({ day }) => startOfPeriod(day, "Month")));
  for (const day of weeks) counts.add({ epoch, measure: "active.week", day });
  for (const day of months) counts.add({ epoch, measure: "active.month", day });

  if (firstBefore === null) counts.add({ epoch, measure: "new", day: first });
  else if (first < firstBefore) {
    counts.add({ epoch, measure: "new", day: firstBefore }, -1);
    counts.add({ epoch, measure: "new", day: first });
  }
  const cohort = monday(first);
  for (const day of weeks) counts.add({ epoch, measure: "retention", day, detail: cohort });
  if (!movesCohort(days)) return;
  for (const day of weeksBefore) {
    counts.add({ epoch, measure: "retention", day, detail: monday(firstBefore!) }, -1);
    counts.add({ epoch, measure: "retention", day, detail: cohort });
  }
}

const isSameWeek = (a: string, b: string): boolean => a === b || monday(a) === monday(b);
const isSameMonth = (a: string, b: string): boolean => startOfPeriod(a, "Month") === startOfPeriod(b, "Month");

/** Whether these days, in order and after `last`, reach a week in which the player was not active yet. */
export const beginWeek = (last: string, days: readonly ActiveDay[]): boolean => !isSameWeek(last, days.at(-1)!.day);

/** Whether these days, in order and after `last`, count for more than the day: in a new week or month, or for a new player. */
export const beginPeriod = (last: string | null, days: readonly ActiveDay[]): boolean =>
  last === null || beginWeek(last, days) || !isSameMonth(last, days.at(-1)!.day);

/**
 * New days, in order, after `last`, the player's last active day. `first` is the player's first day. Only its week is read, and only if the
 * days begin a new week; otherwise any day will do.
 */
export const newDaysAfter = (last: string | null, first: string | null, days: readonly ActiveDay[]): NewDay[] =>
  days.map((day) => ({
    ...day,
    firstBefore: first,
    wasActiveInWeek: last !== null && isSameWeek(last, day.day),
    wasActiveInMonth: last !== null && isSameMonth(last, day.day),
  }));
