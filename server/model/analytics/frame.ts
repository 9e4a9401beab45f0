import { firstDay, formatDay, nextStart, parseDay } from "../kernel/calendar.ts";
import { z } from "zod";

/** How the days of a report are divided. Active players are counted by each of these (`counts.ts`). */
export const division = z.enum(["Day", "Week", "Month"]);

export type Division = z.output<typeof division>;

/** Periods in a row, named by their first days. `to` is the last day of the last one. */
export interface Periods {
  from: string;
  to: string;
  starts: string[];
}

/** The periods of a report, and as many right before them. */
export interface Frame extends Periods {
  by: Division;
  before: Periods;
}

/** The most periods that a report shows. */
export const MAX_PERIODS = 400;

/**
 * The first day that a report may begin with, and the last that may follow one: years have four digits, and in zones east of UTC the day
 * 0001-01-01 begins in the year 0, which the database does not have.
 */
const [FIRST_DAY, LAST_END] = [parseDay("0001-01-02"), parseDay("9999-12-31")];

/**
 * The whole periods that contain the days from `from` to `to`, and as many before; null if there are none or too many, or if they reach the
 * ends of the calendar.
 */
export function frameOf(from: string, to: string, by: Division): Frame | null {
  const last = parseDay(to);
  const starts: number[] = [];
  let next = firstDay(by, parseDay(from));
  while (next <= last && starts.length <= MAX_PERIODS) {
    starts.push(next);
    next = nextStart(by, next);
  }
  if (starts.length === 0 || starts.length > MAX_PERIODS) return null;
  const before = starts.map(() => 0);
  for (let at = starts.length - 1, start = starts[0]!; at >= 0; at--) before[at] = start = firstDay(by, start - 1);
  if (before[0]! < FIRST_DAY || next > LAST_END) return null;
  return { by, ...periods(starts, next), before: periods(before, starts[0]!) };
}

const periods = (starts: readonly number[], end: number): Periods => ({
  from: formatDay(starts[0]!),
  to: formatDay(end - 1),
  starts: starts.map(formatDay),
});

/** The bounds of the sums' buckets: the earlier periods, the periods, and the day after the last. */
export const boundsOf = ({ starts, to, before }: Frame): { bounds: string[]; end: string } => ({
  bounds: [...before.starts, ...starts],
  end: formatDay(parseDay(to) + 1),
});

/** The bounds of the two whole ranges. */
export const wholesOf = ({ from, to, before }: Frame): { bounds: string[]; end: string } => ({
  bounds: [before.from, from],
  end: formatDay(parseDay(to) + 1),
});
