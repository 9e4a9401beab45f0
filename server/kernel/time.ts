import { Temporal } from "temporal-polyfill";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The years 0001 to 9999 in UTC: what can be written in four digits, and stored. */
const EARLIEST = -62_135_596_800_000;
const LATEST = 253_402_300_799_999;

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/i;

/**
 * Epoch milliseconds of an RFC 3339 timestamp with an offset or Z (decisions.md 2); null for any other text, for dates
 * that the calendar does not have and for what is not in the years 0001 to 9999 of UTC. What is finer than a millisecond
 * is cut off; a leap second is read as the second before it.
 */
export function parseInstant(text: string): number | null {
  const match = RFC_3339.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [number, number, number, number, number, number];
  const fraction = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return null;
  const offset = (match[8] === "-" ? -1 : 1) * (offsetHours * HOUR + offsetMinutes * MINUTE);
  const whole = dayNumber(year, month, day) * DAY + hour * HOUR + minute * MINUTE + Math.min(second, 59) * SECOND - offset;
  if (second === 60 && !endsUtcMonth(whole)) return null;
  const instant = whole + fraction;
  return instant >= EARLIEST && instant <= LATEST ? instant : null;
}

/** Leap seconds are only ever put at the end of a month of UTC. */
const endsUtcMonth = (second: number): boolean => (second + SECOND) % DAY === 0 && dateOf((second + SECOND) / DAY).day === 1;

/** "2026-01-31T09:00:00.000Z": the one form in which instants are shown and stored as text; it sorts by time. */
export function formatInstant(instant: number): string {
  if (!(instant >= EARLIEST && instant <= LATEST)) throw new RangeError(`${instant} is not in the years 0001 to 9999`);
  return new Date(instant).toISOString();
}

/** Reads what PostgreSQL prints for a timestamptz with TimeZone=UTC ("2026-01-31 09:00:00.123+00"); finer than a millisecond is cut off. */
export function parsePostgresInstant(text: string): number {
  const instant = text.endsWith("+00") ? parseInstant(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : null;
  if (instant === null) throw new RangeError(`"${text}" is not an instant in UTC as PostgreSQL prints it`);
  return instant;
}

const knownZones = new Map<string, boolean>();

/** Whether this names a zone of the IANA database, in any case; an offset such as "+02:00" does not. */
export function isTimeZone(id: string): boolean {
  const known = knownZones.get(id);
  if (known !== undefined) return known;
  const exists = /^[A-Za-z]/.test(id) && zoneExists(id);
  if (exists) remember(knownZones, id, exists);
  return exists;
}

function zoneExists(id: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(id);
    return true;
  } catch {
    return false;
  }
}

export type Calendar = "Day" | "Week" | "Month";

/** A calendar period in a zone: the instants from `startsAt` up to but without `endsAt`. */
export interface Period {
  /** The local date of its first day: "2026-01-31". */
  start: string;
  startsAt: number;
  endsAt: number;
}

type Periods = Record<Calendar, Map<number, Period[]>>;
const periodsByZone = new Map<string, Periods>();
const noPeriods = (): Periods => ({ Day: new Map(), Week: new Map(), Month: new Map() });

/**
 * The period that an instant lies in; weeks begin on Monday. A day begins at the first instant of its date, which is not
 * midnight where the clocks skip it; periods follow each other without gap or overlap whatever the clocks do.
 */
export function periodAt(instant: number, zone: string, every: Calendar): Period {
  const byDay = (periodsByZone.get(zone) ?? remember(periodsByZone, zone, noPeriods()))[every];
  const utcDay = Math.floor(instant / DAY);
  const candidates = byDay.get(utcDay) ?? remember(byDay, utcDay, []);
  for (const one of candidates) if (instant >= one.startsAt && instant < one.endsAt) return one;
  const found = findPeriod(instant, zone, every);
  candidates.push(found);
  return found;
}

function findPeriod(instant: number, zone: string, every: Calendar): Period {
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  let start = firstDay(every, dayNumber(local.year, local.month, local.day));
  for (;;) {
    const next = nextStart(every, start);
    const endsAt = startOfDay(next, zone);
    // Clocks set back over midnight show the old date once more after the new one has begun.
    if (instant < endsAt) return { start: formatDay(start), startsAt: startOfDay(start, zone), endsAt };
    start = next;
  }
}

/** The first day of the period that a day lies in; days are counted from 1970-01-01, a Thursday. */
function firstDay(every: Calendar, day: number): number {
  switch (every) {
    case "Day":
      return day;
    case "Week":
      return weekOf(day) * 7 - 3;
    case "Month":
      return day - dateOf(day).day + 1;
  }
}

function nextStart(every: Calendar, start: number): number {
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

const weekOf = (day: number): number => Math.floor((day + 3) / 7);

/** The first instant of a date; of a date that a zone left out altogether, that of the next one it has. */
function startOfDay(day: number, zone: string): number {
  return new Temporal.PlainDate(1970, 1, 1).add({ days: day }).toZonedDateTime(zone).epochMilliseconds;
}

/** How many days, weeks or months begin after the date `fromStart` and not after `toStart`; negative when it is the earlier. */
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

/** The date in a zone, "2026-01-31": the day as `periodAt` has it. */
export const localDate = (instant: number, zone: string): string => periodAt(instant, zone, "Day").start;

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

function remember<Key, Value>(memory: Map<Key, Value>, key: Key, value: Value): Value {
  if (memory.size >= 1000) memory.clear();
  memory.set(key, value);
  return value;
}

function parseDay(date: string): number {
  const [year, month, day] = date.split("-").map(Number) as [number, number, number];
  return dayNumber(year, month, day);
}

function formatDay(dayOfEpoch: number): string {
  const { year, month, day } = dateOf(dayOfEpoch);
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const daysInMonth = (year: number, month: number): number => (month === 2 ? (isLeap(year) ? 29 : 28) : 30 + ((month + (month >> 3)) & 1));

/** Days since 1970-01-01 in the Gregorian calendar; years are counted from March, so that a leap day comes last. */
function dayNumber(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}

function dateOf(dayOfEpoch: number): { year: number; month: number; day: number } {
  const shifted = dayOfEpoch + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor((dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1 };
}
