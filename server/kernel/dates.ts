/**
 * Dates without zones. A day is counted from 1970-01-01, a Thursday, in the Gregorian calendar; `time.ts` knows when it
 * begins in a zone.
 */

import type { Calendar } from "./calendar.ts";

/** The first day of the period that a day lies in. */
export function firstDay(every: Calendar, day: number): number {
  switch (every) {
    case "Day":
      return day;
    case "Week":
      return weekOf(day) * 7 - 3;
    case "Month":
      return day - dateOf(day).day + 1;
  }
}

/** The first day of the period after the one that begins with `start`. */
export function nextStart(every: Calendar, start: number): number {
  switch (every) {
    case "Day":
      return start + 1;
    case "Week":
      return start + 7;
    case "Month": {
      const { year, month } = dateOf(start);
      return start + daysInMonth(year, month);
    }
  }
}

/** How many periods begin after the date `fromStart` and not after `toStart`; negative when it is the earlier. */
export function periodsBetween(every: Calendar, fromStart: string, toStart: string): number {
  return ordinal(every, parseDay(toStart)) - ordinal(every, parseDay(fromStart));
}

function ordinal(every: Calendar, day: number): number {
  switch (every) {
    case "Day":
      return day;
    case "Week":
      return weekOf(day);
    case "Month": {
      const { year, month } = dateOf(day);
      return year * 12 + month;
    }
  }
}

/** Weeks begin on Monday. */
const weekOf = (day: number): number => Math.floor((day + 3) / 7);

/** The day of a date as `formatDay` writes it. */
export function parseDay(date: string): number {
  const [year, month, day] = date.split("-").map(Number) as [number, number, number];
  return dayNumber(year, month, day);
}

export const padded = (number: number, width: number): string => String(number).padStart(width, "0");
export const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => padded(number, 2));

/** The day written last, since the next is nearly always the same. */
let written = { day: NaN, date: "" };

/** The date of a day: "2026-01-31". */
export function formatDay(day: number): string {
  if (written.day !== day) {
    const date = dateOf(day);
    written = { day, date: `${padded(date.year, 4)}-${TWO_DIGITS[date.month]}-${TWO_DIGITS[date.day]}` };
  }
  return written.date;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
export const daysInMonth = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : 30 + ((month + (month >> 3)) & 1);

/** The day of a date. Years are counted from March here, so that a leap day comes last. */
export function dayNumber(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}

/** The date of a day. */
export function dateOf(dayOfEpoch: number): { year: number; month: number; day: number } {
  const shifted = dayOfEpoch + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1 };
}
