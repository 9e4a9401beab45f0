import { longDate } from "./dates.ts";

/** "29 Mar 2026, 09:30", in a zone. */
export const exactly = (value: string, timeZone: string): string => `${longDate(dateOf(value, timeZone))}, ${timeOf(value, timeZone)}`;

/** "2026-03-29", in a zone. */
export const dateOf = (value: string, timeZone: string): string =>
  new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone }).format(new Date(value));

/** "09:30", in a zone. */
export const timeOf = (value: string, timeZone: string): string => inTheDay(value, timeZone, "short");

/** "29 Mar 2026, 09:30:12", in a zone. */
export const precisely = (value: string, timeZone: string): string =>
  `${longDate(dateOf(value, timeZone))}, ${inTheDay(value, timeZone, "medium")}`;

const inTheDay = (value: string, timeZone: string, timeStyle: "short" | "medium"): string =>
  new Intl.DateTimeFormat("en-GB", { timeStyle, timeZone }).format(new Date(value));
