import type { Division } from "../../server/model/analytics/frame.ts";
import { firstDay, formatDay, nextStart, parseDay, periodsBetween } from "../../server/model/kernel/calendar.ts";
import { addressOf, day, oneOf, pageNumber, type StateOf, textUpTo } from "../client/address.ts";

const PRESETS = ["week", "last-week", "7d", "28d", "90d", "month"] as const;
export type Preset = (typeof PRESETS)[number];

/** From short to long. */
const DIVISIONS = ["Day", "Week", "Month"] as const satisfies readonly Division[];

/**
 * A report in its address: `?range=90d&by=Week&segment=vip&sort=points`, or `?from=2026-01-01&to=2026-01-31`. By default the last 28 days,
 * by day, of all players; `page` is of the table, and `of` is the key of the selected definition.
 */
export const REPORT = addressOf({
  range: oneOf(PRESETS),
  from: day,
  to: day,
  by: oneOf(DIVISIONS),
  segment: textUpTo(200),
  sort: textUpTo(200),
  order: oneOf(["ascending"]),
  page: pageNumber,
  of: textUpTo(200),
});

export type ReportView = StateOf<typeof REPORT>;

/** The page and order of the table, as the reports take them. */
export const tableOf = ({ sort, order, page }: ReportView) => ({ sort, ascending: order !== null, page: Number(page ?? 1) });

/** The query of another report, with the same range and segment. */
export const otherReport = (view: ReportView): string => REPORT.queryOf({ ...view, sort: null, order: null, page: null, of: null });

/** Days of the project's zone, both inclusive, as the reports take them. */
export interface Range {
  from: string;
  to: string;
  by: Division;
}

/** The service answers at most this many periods. */
const MAX_PERIODS = 400;

const LENGTHS = { "7d": 7, "28d": 28, "90d": 90 };

export const presetOf = ({ range, from, to }: Pick<ReportView, "range" | "from" | "to">): Preset | "custom" =>
  from !== null && to !== null && from <= to ? "custom" : (range ?? "28d");

/** The days of a view. A range with too many periods gets longer ones, or its last ones, and future days are left out. */
export function rangeOf(view: Pick<ReportView, "range" | "from" | "to" | "by">, today: string): Range {
  const by = view.by ?? "Day";
  const preset = presetOf(view);
  const monday = firstDay("Week", parseDay(today));
  if (preset === "week") return { from: formatDay(monday), to: today, by };
  if (preset === "last-week") return { from: formatDay(monday - 7), to: formatDay(monday - 1), by };
  if (preset === "month") return { from: formatDay(firstDay("Month", parseDay(today))), to: today, by };
  if (preset !== "custom") return { from: formatDay(parseDay(today) - LENGTHS[preset] + 1), to: today, by };
  const to = view.to! < today ? view.to! : today;
  const from = view.from! < to ? view.from! : to;
  const fitting = DIVISIONS.find((one) => isAtLeast(one, by) && periodsBetween(one, from, to) < MAX_PERIODS);
  if (fitting !== undefined) return { from, to, by: fitting };
  const year = Number(to.slice(0, 4)) - Math.floor(MAX_PERIODS / 12) + 1;
  return { from: `${String(year).padStart(4, "0")}-01-01`, to, by: "Month" };
}

/** The days that a report's figures are of: whole periods, as far as they have passed. */
export function coveredBy({ from, to, by }: Range, today: string): { from: string; to: string } {
  const last = nextStart(by, firstDay(by, parseDay(to))) - 1;
  return { from: formatDay(firstDay(by, parseDay(from))), to: formatDay(Math.min(last, parseDay(today))) };
}

const isAtLeast = (one: Division, other: Division): boolean => DIVISIONS.indexOf(one) >= DIVISIONS.indexOf(other);
