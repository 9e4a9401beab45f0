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

/** The periods of a report, and the earlier ones that they are compared with. */
export interface Frame extends Periods {
  by: Division;
  before: Periods;
}

/** The most periods that a report shows. */
export const MAX_PERIODS = 400;

/**
 * The whole periods that contain the days from `from` to `to`, and the earlier ones: as many from that of `comparedFrom`, or else those right
 * before. Fewer if they would reach into the range, as 30 days of March do from the first of February. Null if there are none or too many.
 */
export function frameOf(from: string, to: string, by: Division, comparedFrom: string | null = null): Frame | null {
  const last = parseDay(to);
  const starts: number[] = [];
  let next = firstDay(by, parseDay(from));
  while (next <= last && starts.length <= MAX_PERIODS) {
    starts.push(next);
    next = nextStart(by, next);
  }
  if (starts.length === 0 || starts.length > MAX_PERIODS) return null;
  const before: number[] = [];
  if (comparedFrom === null) for (const _ of starts) before.unshift(firstDay(by, (before[0] ?? starts[0]!) - 1));
  else {
    let start = firstDay(by, parseDay(comparedFrom));
    for (; before.length < starts.length && start < starts[0]!; start = nextStart(by, start)) before.push(start);
    if (before.length === 0) return null;
  }
  return { by, ...periods(starts, next), before: periods(before, nextStart(by, before.at(-1)!)) };
}

const periods = (starts: readonly number[], end: number): Periods => ({
  from: formatDay(starts[0]!),
  to: formatDay(end - 1),
  starts: starts.map(formatDay),
});

/**
 * The bounds of the days that changes are of, the second one exclusive: of the periods those that were over before today, and as many of the
 * earlier ones.
 */
function comparedOf({ starts, to, before }: Frame, today: string): { end: number; endBefore: number } {
  const startOf = (of: Pick<Periods, "starts" | "to">, at: number) => parseDay(of.starts[at] ?? dayAfter(of.to));
  const over =
    today > to
      ? starts.length
      : Math.max(
          0,
          starts.findLastIndex((start) => start <= today),
        );
  const at = Math.min(over, before.starts.length);
  // The days that are over in the running period, if the earlier one has as many.
  const length = startOf(before, at + 1) - startOf(before, at);
  const days = at === starts.length ? 0 : Math.min(Math.max(0, parseDay(today) - startOf({ starts, to }, at)), length);
  return { end: startOf({ starts, to }, at) + days, endBefore: startOf(before, at) + days };
}

/** The days that changes are of, and the earlier ones, all inclusive; null before one of the range is over. */
export function comparedDays(frame: Frame, today: string) {
  const { end, endBefore } = comparedOf(frame, today);
  if (end === parseDay(frame.from)) return null;
  return { from: frame.from, to: formatDay(end - 1), before: { from: frame.before.from, to: formatDay(endBefore - 1) } };
}

/** Bounds of the buckets of `Sums`, and the day after the last. */
interface Bounds {
  bounds: string[];
  end: string;
}

/** The earlier periods, the days between, the periods. */
export const boundsOf = ({ starts, to, before }: Frame): Bounds => ({
  bounds: [...before.starts, dayAfter(before.to), ...starts],
  end: dayAfter(to),
});

/** The earlier days that changes are of, the days between, the days that changes are of, the others up to the end. */
export function wholesOf(frame: Frame, today: string): Bounds {
  const { end, endBefore } = comparedOf(frame, today);
  return { bounds: [frame.before.from, formatDay(endBefore), frame.from, formatDay(end)], end: dayAfter(frame.to) };
}

const dayAfter = (day: string): string => formatDay(parseDay(day) + 1);
