import type { Series } from "#server/model/analytics/sums.ts";
import { longPeriod, shortPeriod } from "#server/model/kernel/dates.ts";
import type { Bucket } from "#server/model/kernel/durations.ts";
import type { AnalyticsFrame } from "../../client/service.tsx";
import { formatted, withThousands } from "#server/model/kernel/thousands.ts";

/** How a series is drawn. Each look has its own shape, so that series can be told apart without colour. */
export type SeriesStyle = "line" | "second-line" | "before" | "bar" | "second-bar";

export interface ChartSeries {
  label: string;
  /** Without it, the series is only in the table and the file. */
  look?: SeriesStyle;
  format?(value: number): string;
}

export interface ChartRow {
  /** Its name in the file: "2026-11-22". */
  id: string;
  /** Its label on the axis. */
  short: string;
  /** Its name in the table and the tooltip. */
  name: string;
  /** The period is still in progress. */
  isSoFar: boolean;
  /** By series; null: no value. */
  values: (number | null)[];
}

/** One set of figures, drawn as a chart, listed in a table and written to a file. */
export interface ChartData {
  /** The heading of the rows: "Day". */
  axis: string;
  series: ChartSeries[];
  rows: ChartRow[];
  /** Rows are the report's periods: all its charts highlight the same one. */
  isByPeriod?: boolean;
  /** Stacks the bars of one row. */
  isStacked?: boolean;
}

type Shown = Pick<AnalyticsFrame, "by" | "starts" | "to" | "today">;

const isGoingOn = ({ starts, to, today }: Shown, at: number): boolean =>
  today >= starts[at]! && (at === starts.length - 1 ? today <= to : today < starts[at + 1]!);

/** Several series by period. */
export const byPeriod = (frame: Shown, series: (ChartSeries & { values: number[] })[]): ChartData => ({
  axis: frame.by,
  isByPeriod: true,
  series: series.map(({ values: _, ...one }) => one),
  rows: frame.starts.map((start, at) => ({
    id: start,
    short: shortPeriod(frame.by, start),
    name: longPeriod(frame.by, start),
    isSoFar: isGoingOn(frame, at),
    values: series.map(({ values }) => values[at] ?? null),
  })),
});

/** One series by period, over the previous period's. */
export const compared = (frame: Shown, label: string, { values, before }: Series, look: SeriesStyle = "line"): ChartData =>
  byPeriod(frame, [
    { label, look, values },
    { label: "Previous period", look: "before", values: before },
  ]);

export const distribution = (
  axis: string,
  label: string,
  buckets: readonly Bucket[],
  name: (from: number, to: number | null) => string,
): ChartData => ({
  axis,
  series: [{ label, look: "bar" }],
  rows: [...buckets]
    .sort((a, b) => a.from - b.from)
    .map(({ from, to, count }) => ({ id: name(from, to), short: name(from, to), name: name(from, to), isSoFar: false, values: [count] })),
});

/** A board's scores, each with its thousands apart as in the standings; without them in the file. */
export const byScore = (label: string, scores: readonly { from: string | null; to: string | null; count: number }[]): ChartData => ({
  axis: "Score",
  series: [{ label, look: "bar" }],
  rows: scores.map(({ from, to, count }) => {
    const [least, most] = [from && withThousands(from), to && withThousands(to)];
    return { id: scoreRange(from, to), short: least ?? most ?? "All", name: scoreRange(least, most), isSoFar: false, values: [count] };
  }),
});

const scoreRange = (from: string | null, to: string | null): string =>
  from === null ? (to === null ? "All scores" : `Up to ${to}`) : to === null ? `${from} or more` : from === to ? from : `${from} – ${to}`;

export const isEmpty = ({ rows }: ChartData): boolean => rows.every(({ values }) => values.every((value) => !value));

/** Writes a number of the axis: "1.25K". Two decimals are enough for those of `ticksOf`. */
export const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });

/** Up to six round whole numbers, from zero to the largest value or above it. Undefined if a value is negative: Recharts then chooses. */
export function ticksOf({ series, rows, isStacked }: ChartData): number[] | undefined {
  const drawn = rows.flatMap(({ values }) => {
    const shown = values.filter((_, at) => series[at]?.look !== undefined).map((value) => value ?? 0);
    return isStacked ? [...shown, shown.reduce((sum, value) => sum + value, 0)] : shown;
  });
  if (drawn.some((value) => value < 0)) return undefined;
  const largest = Math.max(1, ...drawn);
  const power = Math.max(1, 10 ** Math.floor(Math.log10(largest / 5)));
  const step = [1, 2, 2.5, 5, 10].map((times) => times * power).find((one) => Number.isInteger(one) && one * 5 >= largest)!;
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, at) => at * step);
}

/** A value as the chart and the table show it; a dash for none. */
export const shownValue = ({ format = formatted }: ChartSeries, value: number | null): string => (value === null ? "–" : format(value));

/** The rows of the file, its heading first. */
export const fileRows = ({ axis, series, rows }: ChartData): (string | number | null)[][] => [
  [axis, ...series.map(({ label }) => label)],
  ...rows.map(({ id, values }) => [id, ...values]),
];
