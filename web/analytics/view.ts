import { firstDay, formatDay, isDay, parseDay, periodsBetween } from "../../server/model/kernel/dates.ts";
import type { Division } from "../../server/model/analytics/frame.ts";

const PRESETS = ["7d", "28d", "90d", "month"] as const;
export type Preset = (typeof PRESETS)[number];

/** Filter state of a report in its URL: `?range=90d&by=Week&segment=vip&sort=points`, or `?from=2026-01-01&to=2026-01-31`. */
export interface ReportView {
  range: Preset | { from: string; to: string };
  by: Division;
  /** The segment's key; null: all players. */
  segment: string | null;
  sort: string | null;
  descending: boolean;
  /** The key of the selected definition. */
  of: string | null;
}

/** Days of the project's zone, both inclusive, as the reports take them. */
export interface Range {
  from: string;
  to: string;
  by: Division;
}

/** The service answers at most this many periods. */
const MAX_PERIODS = 400;

type Parameters = Record<string, string | string[] | undefined>;

const oneOf = <T extends string>(value: unknown, values: readonly T[], otherwise: T): T =>
  values.includes(value as T) ? (value as T) : otherwise;

/** "2026-01-31", and a day that exists. */
export const isDate = (value: unknown): value is string => typeof value === "string" && isDay(value);

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value.slice(0, 200) : null);

/** Filter state from any address; invalid values become defaults. */
export function viewFrom({ range, from, to, by, segment, sort, order, of }: Parameters): ReportView {
  const isCustom = isDate(from) && isDate(to) && from <= to;
  return {
    range: isCustom ? { from, to } : oneOf(range, PRESETS, "28d"),
    by: oneOf(by, ["Day", "Week", "Month"], "Day"),
    segment: text(segment),
    sort: text(sort),
    descending: order !== "ascending",
    of: text(of),
  };
}

/** The query of the address; defaults are left out. */
export function queryOf({ range, by, segment, sort, descending, of }: ReportView): string {
  const query = new URLSearchParams();
  if (typeof range === "object") {
    query.set("from", range.from);
    query.set("to", range.to);
  } else if (range !== "28d") query.set("range", range);
  if (by !== "Day") query.set("by", by);
  if (segment !== null) query.set("segment", segment);
  if (sort !== null) query.set("sort", sort);
  if (sort !== null && !descending) query.set("order", "ascending");
  if (of !== null) query.set("of", of);
  return query.size === 0 ? "" : `?${query}`;
}

const LENGTHS = { "7d": 7, "28d": 28, "90d": 90 };

/** The days of a view. A range with too many periods gets longer ones, and future days are left out. */
export function rangeOf({ range, by }: Pick<ReportView, "range" | "by">, today: string): Range {
  if (range === "month") return { from: formatDay(firstDay("Month", parseDay(today))), to: today, by };
  if (typeof range === "string") return { from: formatDay(parseDay(today) - LENGTHS[range] + 1), to: today, by };
  const to = range.to < today ? range.to : today;
  const from = range.from < to ? range.from : to;
  const fitting = (["Day", "Week", "Month"] as const).find((one) => isAtLeast(one, by) && periodsBetween(one, from, to) < MAX_PERIODS);
  return fitting === undefined ? rangeOf({ range: "28d", by }, today) : { from, to, by: fitting };
}

const SIZES: Record<Division, number> = { Day: 0, Week: 1, Month: 2 };
const isAtLeast = (one: Division, other: Division): boolean => SIZES[one] >= SIZES[other];
