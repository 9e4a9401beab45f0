import { type Calendar, parseDay, weekdayOf } from "./calendar.ts";

/*
 * Dates as people read them. An instant is given in milliseconds, or as ISO 8601.
 */

/** Written out, because browsers and servers abbreviate September differently. */
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

const partsOf = (date: string) => date.split("-").map(Number) as [number, number, number];

/** "22 Nov" */
export function shortDate(date: string): string {
  const [, month, day] = partsOf(date);
  return `${day} ${MONTHS[month - 1]}`;
}

/** "22 Nov 2026" */
export const longDate = (date: string): string => `${shortDate(date)} ${partsOf(date)[0]}`;

/** "26 Oct – 22 Nov 2026" */
export const dateRange = (from: string, to: string): string =>
  from === to ? longDate(to) : `${from.slice(0, 4) === to.slice(0, 4) ? shortDate(from) : longDate(from)} – ${longDate(to)}`;

/** A period on an axis: "22 Nov", "Nov 2026". */
export function shortPeriod(by: Calendar, start: string): string {
  if (by !== "Month") return shortDate(start);
  const [year, month] = partsOf(start);
  return `${MONTHS[month - 1]} ${year}`;
}

/** A period in a table: "Sun 22 Nov 2026", "Week of 16 Nov 2026", "Nov 2026". */
export function longPeriod(by: Calendar, start: string): string {
  switch (by) {
    case "Day":
      return `${WEEKDAYS[weekdayOf(parseDay(start))]} ${longDate(start)}`;
    case "Week":
      return `Week of ${longDate(start)}`;
    case "Month":
      return shortPeriod(by, start);
  }
}

/** "29 Mar 2026, 09:30" on the clocks of a zone. */
export const instantInWords = (instant: number | string, timeZone: string): string =>
  `${longDate(dateOf(instant, timeZone))}, ${timeOf(instant, timeZone)}`;

/** "29 Mar 2026, 09:30:12" */
export const preciseInstant = (instant: number | string, timeZone: string): string =>
  `${longDate(dateOf(instant, timeZone))}, ${written("en-GB", { timeStyle: "medium", timeZone }, instant)}`;

/** "2026-03-29" */
export const dateOf = (instant: number | string, timeZone: string): string => written("sv-SE", { dateStyle: "short", timeZone }, instant);

/** "09:30" */
export const timeOf = (instant: number | string, timeZone: string): string => written("en-GB", { timeStyle: "short", timeZone }, instant);

/** Creating a formatter takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function written(locale: string, options: Intl.DateTimeFormatOptions, instant: number | string): string {
  const key = [locale, ...Object.values(options)].join();
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format.format(new Date(instant));
}
