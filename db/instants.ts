/** Any offset, such as `+00`, `+05:30` or `-03`: a pooler's session may be in another zone than UTC. */
const OTHER = /^(\d{4,6})-(\d\d)-(\d\d) (\d\d:\d\d:\d\d)(?:[.](\d+))?([+-]\d\d)(:\d\d)?( BC)?$/;

/**
 * PostgreSQL's text of a timestamptz ("2026-01-31 09:00:00.123+00") in epoch milliseconds, rounded. Read digit by digit, an instant takes
 * as long as the text of a bigint, 0.1 µs; `new Date` takes three times as long, and lists have thousands of instants.
 */
export function parseInstant(text: string): number {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const fraction = fractionOf(text);
  // `Date.UTC` takes the years before 100 for years of the last century.
  if (!text.endsWith("+00") || text[10] !== " " || !(year >= 100 && fraction >= 0)) return parseOther(text);
  const day = Date.UTC(year, twoDigits(text, 5) - 1, twoDigits(text, 8));
  return day + ((twoDigits(text, 11) * 60 + twoDigits(text, 14)) * 60 + twoDigits(text, 17)) * 1000 + fraction;
}

/** The milliseconds of an instant in UTC; PostgreSQL prints no zeros at the end. */
function fractionOf(text: string): number {
  if (text.length === 22) return 0;
  if (text.length === 24) return digit(text, 20) * 100;
  if (text.length === 25) return twoDigits(text, 20) * 10;
  if (text.length === 26) return twoDigits(text, 20) * 10 + digit(text, 22);
  return Math.round(Number(text.slice(19, -3)) * 1000);
}

const digit = (text: string, at: number): number => text.charCodeAt(at) - 48;
const twoDigits = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1);

function parseOther(text: string): number {
  if (text === "infinity" || text === "-infinity") return text === "infinity" ? Infinity : -Infinity;
  const [, year, month, day, time, fraction = "0", hours, minutes = ":00", bc] = OTHER.exec(text) ?? [];
  if (year === undefined) throw new RangeError(`"${text}" is not an instant as PostgreSQL prints it`);
  const signed = bc === undefined ? Number(year) : 1 - Number(year);
  const extended = `${signed < 0 ? "-" : "+"}${String(Math.abs(signed)).padStart(6, "0")}`;
  return Date.parse(`${extended}-${month}-${day}T${time}${hours}${minutes}`) + Math.round(Number(`0.${fraction}`) * 1000);
}

/** An instant as a parameter: epoch milliseconds, or a text that names it. */
export function writeInstant(instant: number | string | Date): string {
  if (instant === Infinity || instant === -Infinity) return instant > 0 ? "infinity" : "-infinity";
  const date = new Date(instant);
  const text = date.toISOString();
  const year = date.getUTCFullYear();
  if (year > 0 && year < 10_000) return text;
  const rest = text.slice(text.indexOf("-", 1));
  return year > 0 ? `${year}${rest}` : `${String(1 - year).padStart(4, "0")}${rest} BC`;
}
