import type { Counts } from "../kernel/counts.ts";
import { startOfPeriod } from "../kernel/time.ts";
import type { ActiveDay, NewDay } from "./store/counts.ts";

/** A player's new days, and what was known of them before. */
export interface NewDays {
  /** The count that the player's figures are in. */
  epoch: number;
  days: readonly NewDay[];
  /** The weeks in which the player was active before, by their Mondays; only needed where `movesCohort`. */
  weeksBefore: readonly string[];
}

/** The player's first day by now. */
export const firstOf = (days: readonly Pick<NewDay, "day" | "firstBefore">[]): string =>
  days.reduce((first, { day, firstBefore }) => earliest(first, earliest(day, firstBefore)), days[0]!.day);

const earliest = (a: string, b: string | null): string => (b !== null && b < a ? b : a);

const monday = (day: string): string => startOfPeriod(day, "Week");

/** Whether a late event makes an earlier week the player's first: their later weeks then belong to the cohort of that one. */
export const movesCohort = (days: readonly NewDay[]): boolean => {
  const before = days[0]!.firstBefore;
  return before !== null && monday(firstOf(days)) < monday(before);
};

/** Counts a player's new days: active, new and retained players by day, week and month. */
export function countNewDays(counts: Counts, { epoch, days, weeksBefore }: NewDays): void {
  const firstBefore = days[0]!.firstBefore;
  const first = firstOf(days);
  for (const { day, hour } of days) {
    counts.add({ epoch, measure: "active.day", day });
    counts.add({ epoch, measure: "hour.active", day, detail: hour });
  }
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

/** Whether some days after the player's last day before are in another week than it. */
export const beginsWeek = (last: string, days: readonly ActiveDay[]): boolean => days.some(({ day }) => monday(day) !== monday(last));

/**
 * New days, in order, after `last`, the player's last day before. `first` is the player's first day; only its week matters, so any day of a
 * player who begins no week will do.
 */
export const newDaysAfter = (last: string | null, first: string | null, days: readonly ActiveDay[]): NewDay[] =>
  days.map((day) => ({
    ...day,
    firstBefore: first,
    wasActiveInWeek: last !== null && monday(last) === monday(day.day),
    wasActiveInMonth: last !== null && startOfPeriod(last, "Month") === startOfPeriod(day.day, "Month"),
  }));
