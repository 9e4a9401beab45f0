// Separate from time.ts, so that a page which only shows instants loads no calendar of other zones (20 kB).

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The years 0001 to 9999 in UTC: those that have four digits and can be stored. */
export const EARLIEST = -62_135_596_800_000;
export const LATEST = 253_402_300_799_999;

/**
 * Epoch milliseconds of an RFC 3339 timestamp with an offset or Z; null for any other text, for dates that the calendar does not have and
 * for instants outside the years 0001 to 9999 of UTC. Digits beyond milliseconds are cut off; a leap second is read as the second before
 * it.
 */
export function parseInstant(text: string): number | null {
  if (text[4] !== "-" || text[7] !== "-" || (text[10] !== "T" && text[10] !== "t") || text[13] !== ":" || text[16] !== ":") return null;
  const day = readDay(text);
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  const second = digits(text, 17, 19);
  const end = text[19] === "." ? endOfFraction(text) : 19;
  const offset = readOffset(text, end);
  if (!(hour <= 23 && minute <= 59 && second <= 60 && end !== 20)) return null;
  const whole = day + hour * HOUR + minute * MINUTE + Math.min(second, 59) * SECOND - offset;
  if (second === 60 && !endsUtcMonth(whole)) return null;
  const instant = end === 19 ? whole : whole + milliseconds(text, end);
  return instant >= EARLIEST && instant <= LATEST ? instant : null;
}

/** The value of two to four digits; NaN for anything else, so that every comparison with it fails. */
function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return NaN;
    number = number * 10 + digit;
  }
  return number;
}

/** Epoch milliseconds at which the day begins in UTC; NaN for a date that the calendar does not have. */
function readDay(text: string): number {
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= 31)) return NaN;
  const begins = Date.parse(text.slice(0, 10));
  // `Date` reads the 30th of February as a day of March.
  return day <= 28 || new Date(begins).getUTCDate() === day ? begins : NaN;
}

function endOfFraction(text: string): number {
  let at = 20;
  while (text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at++;
  return at;
}

function milliseconds(text: string, end: number): number {
  const cut = Math.min(end, 23);
  return digits(text, 20, cut) * 10 ** (23 - cut);
}

/** The offset from UTC at the end of the text, in milliseconds; NaN if it is missing or followed by more text. */
function readOffset(text: string, at: number): number {
  const sign = text[at];
  if (sign === "Z" || sign === "z") return text.length === at + 1 ? 0 : NaN;
  if ((sign !== "+" && sign !== "-") || text[at + 3] !== ":" || text.length !== at + 6) return NaN;
  const hours = digits(text, at + 1, at + 3);
  const minutes = digits(text, at + 4, at + 6);
  if (!(hours <= 23 && minutes <= 59)) return NaN;
  return (sign === "-" ? -1 : 1) * (hours * HOUR + minutes * MINUTE);
}

/** Leap seconds are only ever put at the end of a month of UTC. */
const endsUtcMonth = (second: number): boolean => (second + SECOND) % DAY === 0 && new Date(second + SECOND).getUTCDate() === 1;

/** The last instant that was formatted: in one answer the same one is often shown many times. */
let formatted = { instant: NaN, text: "" };

/** "2026-01-31T09:00:00.000Z": the one form in which instants are shown and stored as text; it sorts by time. */
export function formatInstant(instant: number): string {
  if (instant === formatted.instant) return formatted.text;
  if (!(instant >= EARLIEST && instant <= LATEST)) throw new RangeError(`${instant} is not in the years 0001 to 9999`);
  formatted = { instant, text: new Date(Math.floor(instant)).toISOString() };
  return formatted.text;
}

/** As `formatInstant`, for the bounds of a period: beyond the years 0001 to 9999 it is their first or last instant. */
export const formatBound = (instant: number): string => formatInstant(Math.min(Math.max(instant, EARLIEST), LATEST));

/** Null for a bound that a period does not have. */
export const boundOrNull = (instant: number | null): string | null => (instant === null ? null : formatBound(instant));
