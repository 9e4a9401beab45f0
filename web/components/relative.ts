import { plural } from "#server/model/kernel/thousands.ts";

const UNITS = [
  ["year", 31_557_600_000],
  ["month", 2_629_800_000],
  ["week", 604_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** The largest unit that a length fills once it is rounded: 59.6 minutes are "1 hour", not "60 minutes". */
const unitOf = (length: number) =>
  UNITS.find(([, size], at) => {
    const smaller = UNITS[at + 1]?.[1];
    return Math.max(length, smaller === undefined ? 0 : Math.round(length / smaller) * smaller) >= size;
  });

/** Relative time: "3 minutes ago", "in 2 hours". */
export function relative(instant: number, now: number): string {
  const apart = instant - now;
  if (apart > 0 && apart < 60_000) return "in less than a minute";
  const found = unitOf(Math.abs(apart));
  if (Number.isNaN(apart) || found === undefined) return "just now";
  const [unit, length] = found;
  // "1 day ago", not "yesterday": 30 hours ago may be the day before yesterday.
  return new Intl.RelativeTimeFormat("en").format(Math.round(apart / length), unit);
}

/** A day relative to another, both "2026-11-22": "today", "yesterday", "2 weeks ago". */
export function relativeDay(day: string, today: string): string {
  if (day >= today) return "today";
  const words = relative(Date.parse(day), Date.parse(today));
  return words === "1 day ago" ? "yesterday" : words;
}

/** Relative time of something due: "now" once its time has come, however long it has been queued. */
export const relativeToDue = (instant: number, now: number): string => (instant <= now ? "now" : relative(instant, now));

/** "6 days": a duration in its largest unit. */
export function lengthInWords(milliseconds: number): string {
  const [unit, length] = unitOf(milliseconds) ?? ["minute", 60_000];
  return plural(Math.max(1, Math.round(milliseconds / length)), unit);
}
