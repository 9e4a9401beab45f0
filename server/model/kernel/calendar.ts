import { DAY } from "./instant.ts";
import { plural } from "./thousands.ts";

/**
 * The periods of the calendar, the shortest first, with their names. Shapes, menus and sentences take their periods from here, and
 * `firstDay` says where each begins. `duration` is ISO 8601.
 */
export const CALENDAR = {
  Day: { noun: "day", current: "today", duration: "P1D" },
  Week: { noun: "week", current: "this week", duration: "P7D" },
  Month: { noun: "month", current: "this month", duration: "P1M" },
} as const;

export type Calendar = keyof typeof CALENDAR;

export const CALENDAR_PERIODS = Object.keys(CALENDAR) as [Calendar, ...Calendar[]];

/** "Every week" */
export const everyInWords = (every: Calendar): string => `Every ${CALENDAR[every].noun}`;

/** "1 week", "3 weeks" */
export const periodsInWords = (count: number, every: Calendar): string => plural(count, CALENDAR[every].noun);

/** "days, weeks or months" */
export const ANY_PERIODS = CALENDAR_PERIODS.map((every) => `${CALENDAR[every].noun}s`)
  .join(", ")
  .replace(/, (?=[^,]*$)/, " or ");

/*
 * Dates without zones. A day is a number counted from 1970-01-01, a Thursday, in the Gregorian calendar; `time.ts` finds its start in a
 * zone.
 */

/** The first day of the period that a day lies in. */
export function firstDay(every: Calendar, day: number): number {
  switch (every) {
    case "Day":
      return day;
    case "Week":
      return weekOf(day) * 7 - 3;
    case "Month":
      return day - utc(day).getUTCDate() + 1;
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
      const date = utc(start);
      return date.setUTCMonth(date.getUTCMonth() + 1) / DAY;
    }
  }
}

/** Counts the periods that begin after `fromStart` and not after `toStart`; negative if `toStart` is the earlier date. */
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
      const date = utc(day);
      return date.getUTCFullYear() * 12 + date.getUTCMonth();
    }
  }
}

/** Weeks begin on Monday. */
const weekOf = (day: number): number => Math.floor((day + 3) / 7);

/** 0 for Monday to 6 for Sunday. */
export const weekdayOf = (day: number): number => day + 3 - weekOf(day) * 7;

/** Whether a text is a date as `formatDay` writes it, of a day that the calendar has. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && formatDay(parseDay(text)) === text;

/** The first date that PostgreSQL writes and reads as `formatDay` does. West of Greenwich the first accepted instants are on the date before. */
export const FIRST_DATE = "0001-01-01";

/** The day of a date as `formatDay` writes it. */
export const parseDay = (date: string): number => Date.parse(date) / DAY;

/** The date of a day: "2026-01-31". */
export const formatDay = (day: number): string => utc(day).toISOString().slice(0, 10);

const utc = (day: number): Date => new Date(day * DAY);
