import { parseDay } from "../../server/model/kernel/calendar.ts";
import type { Division } from "../../server/model/analytics/frame.ts";

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
export function shortPeriod(by: Division, start: string): string {
  if (by !== "Month") return shortDate(start);
  const [year, month] = partsOf(start);
  return `${MONTHS[month - 1]} ${year}`;
}

/** A period in a table: "Sun 22 Nov 2026", "Week of 16 Nov 2026", "Nov 2026". */
export function longPeriod(by: Division, start: string): string {
  switch (by) {
    case "Day":
      return `${WEEKDAYS[(((parseDay(start) + 3) % 7) + 7) % 7]} ${longDate(start)}`;
    case "Week":
      return `Week of ${longDate(start)}`;
    case "Month":
      return shortPeriod(by, start);
  }
}
