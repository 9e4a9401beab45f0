/**
 * The periods of the calendar, the shortest first, with their names. Shapes, menus and sentences take their periods from here, and
 * `dates.ts` says where each begins. `duration` is ISO 8601.
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
export const periodsInWords = (count: number, every: Calendar): string => `${count} ${CALENDAR[every].noun}${count === 1 ? "" : "s"}`;

/** "days, weeks or months" */
export const ANY_PERIODS = CALENDAR_PERIODS.map((every) => `${CALENDAR[every].noun}s`)
  .join(", ")
  .replace(/, (?=[^,]*$)/, " or ");
