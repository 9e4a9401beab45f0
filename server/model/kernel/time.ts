import { Temporal } from "#temporal";
import { DAY, EARLIEST, HOUR, LATEST, MINUTE } from "./instant.ts";
import { type Calendar, CALENDAR_PERIODS, firstDay, formatDay, nextStart, parseDay, weekdayOf } from "./calendar.ts";

export { type Calendar, periodsBetween } from "./calendar.ts";
export { boundOrNull, formatBound, formatInstant, parseInstant } from "./instant.ts";

const knownZones = new Set<string>();

/** Whether this names a zone of the IANA database, in any case; an offset such as "+02:00" does not. */
export function isTimeZone(id: string): boolean {
  if (knownZones.has(id)) return true;
  const exists = /^[A-Za-z]/.test(id) && zoneExists(id);
  // One zone can be written in many mixtures of cases.
  if (exists && knownZones.size < 2000) knownZones.add(id);
  return exists;
}

function zoneExists(id: string): boolean {
  try {
    // The constructor takes identifiers only; `toZonedDateTimeISO` would find a zone in "T12:00Z" too.
    return new Temporal.ZonedDateTime(0n, id).timeZoneId !== "";
  } catch {
    return false;
  }
}

/** A calendar period in a zone: the instants from `startsAt` up to but without `endsAt`. */
export interface Period {
  /** The local date of its first day: "2026-01-31". */
  readonly start: string;
  readonly startsAt: number;
  readonly endsAt: number;
}

/** Cached periods, by zone and UTC day. */
type KnownPeriods = Record<Calendar, Map<number, Period[]>>;
const noneKnown = () => Object.fromEntries(CALENDAR_PERIODS.map((every) => [every, new Map()])) as KnownPeriods;
const knownPeriods = new Map<string, KnownPeriods>();
const MAX_KNOWN_PERIODS = 50_000;
let periodsKnown = 0;

/**
 * The period that an instant lies in; weeks begin on Monday. A day begins at the first instant of its date, which is not
 * midnight where the clocks skip it; periods follow each other without gap or overlap through every change of the clocks.
 */
export function periodAt(instant: number, zone: string, every: Calendar): Period {
  const near = periodsNear(instant, zone, every);
  for (const one of near) if (instant >= one.startsAt && instant < one.endsAt) return one;
  const found = findPeriod(instant, zone, every);
  near.push(found);
  periodsKnown++;
  return found;
}

function periodsNear(instant: number, zone: string, every: Calendar): Period[] {
  if (periodsKnown >= MAX_KNOWN_PERIODS) {
    knownPeriods.clear();
    periodsKnown = 0;
  }
  let ofZone = knownPeriods.get(zone);
  if (!ofZone) knownPeriods.set(zone, (ofZone = noneKnown()));
  const utcDay = Math.floor(instant / DAY);
  let near = ofZone[every].get(utcDay);
  if (!near) ofZone[every].set(utcDay, (near = []));
  return near;
}

function findPeriod(instant: number, zone: string, every: Calendar): Period {
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  let start = firstDay(every, parseDay(local.toPlainDate().toString()));
  for (;;) {
    const next = nextStart(every, start);
    const endsAt = startOfDay(next, zone);
    // Clocks set back over midnight show the old date once more after the new one has begun.
    if (instant < endsAt) return { start: formatDay(start), startsAt: startOfDay(start, zone), endsAt };
    start = next;
  }
}

/** The n-th period after the one that begins on the local date `start`. */
export function periodFrom(start: string, every: Calendar, zone: string, later = 0): Period {
  let day = parseDay(start);
  for (let passed = 0; passed < later; passed++) day = nextStart(every, day);
  return { start: formatDay(day), startsAt: startOfDay(day, zone), endsAt: startOfDay(nextStart(every, day), zone) };
}

/** The first instant of a date; for a date that the zone skips, that of the next one it has. */
function startOfDay(day: number, zone: string): number {
  const date = new Date(day * DAY);
  return new Temporal.PlainDate(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()).toZonedDateTime(zone).epochMilliseconds;
}

/** The date in a zone, "2026-01-31": the day as `periodAt` has it. */
export const localDate = (instant: number, zone: string): string => periodAt(instant, zone, "Day").start;

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0"));

/** The hour that clocks show in a zone, "00" to "23"; `day` is the instant's day, if the caller knows it. */
export function localHour(instant: number, zone: string, day: Period = periodAt(instant, zone, "Day")): string {
  const { startsAt, endsAt } = day;
  // A day of another length has a change of the clocks.
  if (endsAt - startsAt === DAY) return HOURS[Math.floor((instant - startsAt) / HOUR)]!;
  return HOURS[Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).hour]!;
}

const MINUTES_OF_DAY = DAY / MINUTE;

/** The minutes since Monday, 00:00, by the calendar and the clock of a zone. */
export function minuteOfWeek(instant: number, zone: string): number {
  const { start, startsAt, endsAt } = periodAt(instant, zone, "Day");
  // A day of another length has a change of the clocks.
  if (endsAt - startsAt === DAY) return weekdayOf(parseDay(start)) * MINUTES_OF_DAY + Math.floor((instant - startsAt) / MINUTE);
  const { dayOfWeek, hour, minute } = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  return (dayOfWeek - 1) * MINUTES_OF_DAY + hour * (HOUR / MINUTE) + minute;
}

/** The Monday of a date's week, or the first of its month: the date that names the period. */
export function startOfPeriod(date: string, every: Calendar): string {
  const known = knownStarts[every];
  let start = known.get(date);
  if (start === undefined) {
    if (known.size >= MAX_KNOWN_STARTS) known.clear();
    known.set(date, (start = formatDay(firstDay(every, parseDay(date)))));
  }
  return start;
}

/** Cached starts by date: analytics needs those of the same days over and over. */
const knownStarts = Object.fromEntries(CALENDAR_PERIODS.map((every) => [every, new Map()])) as Record<Calendar, Map<string, string>>;
const MAX_KNOWN_STARTS = 4_000;

/** The date a number of days later, or earlier. */
export const shiftDate = (date: string, days: number): string => formatDay(parseDay(date) + days);

/** The instant an ISO 8601 duration later, days and longer by the calendar of the zone; null for another text or beyond the year 9999. */
export function addDuration(instant: number, zone: string, isoDuration: string): number | null {
  try {
    const duration = Temporal.Duration.from(isoDuration);
    const sum = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).add(duration).epochMilliseconds;
    return sum >= EARLIEST && sum <= LATEST ? sum : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The local date and time of an instant in a zone, to the minute: "2026-03-29T09:30". */
export const localMinute = (instant: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: "minute" });

/** Epoch milliseconds of a local date and time in a zone; a time that the clock skips moves past the gap. Null for another text. */
export function instantAtLocal(text: string, zone: string): number | null {
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
