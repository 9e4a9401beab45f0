/* Days, weeks and months of a time zone, worked out without the service: local dates come from `Intl`. */

export type Cadence = "Day" | "Week" | "Month";

export const DAY = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The local date of an instant, in days since 1970. */
export function localDay(at: number, zone: string): number {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" });
  formats.set(zone, format);
  return Date.parse(`${format.format(at)}T00:00:00Z`) / DAY;
}

/** Periods are numbered: days and weeks from 1970, months from the year 0. Weeks begin on Monday; 1 January 1970 was a Thursday. */
export function periodOf(at: number, zone: string, cadence: Cadence): number {
  const day = localDay(at, zone);
  if (cadence === "Day") return day;
  const date = new Date(day * DAY);
  return cadence === "Week" ? Math.floor((day + 3) / 7) : date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The first instant of a period, found between two that are surely before and after it. */
export function startOf(period: number, zone: string, cadence: Cadence): number {
  const near = { Day: period * DAY, Week: (period * 7 - 3) * DAY, Month: Date.UTC(Math.floor(period / 12), period % 12) }[cadence];
  let [before, from] = [near - 2 * DAY, near + 2 * DAY];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (periodOf(middle, zone, cadence) >= period) from = middle;
    else before = middle;
  }
  return from;
}
