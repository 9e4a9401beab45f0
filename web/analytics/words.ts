import type { Figure } from "../../server/model/analytics/sums.ts";
import { longDate } from "../../server/model/kernel/dates.ts";
import { formatted } from "../../server/model/kernel/thousands.ts";

export const total = <Row>(rows: readonly Row[], figure: (row: Row) => Figure): Figure => ({
  value: rows.reduce((sum, row) => sum + figure(row).value, 0),
  before: rows.reduce((sum, row) => sum + figure(row).before, 0),
});

interface Change {
  words: string;
  direction: "up" | "down" | "same";
}

const PERCENT = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });
const FINE_PERCENT = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const NEARLY_ALL = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1, roundingMode: "trunc" });

/** Beyond this, a multiple only says that the earlier figure was small. */
const MAX_TIMES = 10;

/**
 * The change against the previous period: "+12%", "×4". Null if there is no meaningful comparison: both zero, below zero, or too far
 * apart.
 */
export function changeOf({ value, before }: Figure): Change | null {
  if (value === before) return value === 0 ? null : { words: "No change", direction: "same" };
  if (value < 0 || before < 0 || value > before * MAX_TIMES) return before === 0 && value > 0 ? { words: "New", direction: "up" } : null;
  const direction = value > before ? "up" : "down";
  const part = (value - before) / before;
  if (part >= 2) return { words: `×${formatted(Math.round(value / before))}`, direction };
  return { words: `${direction === "up" ? "+" : "−"}${percentage(Math.abs(part), 1)}`, direction };
}

/** The average of a range and that of the range before, unrounded: rounded ones would give another change. */
export const averageFigure = (values: readonly number[], before: readonly number[]): Figure => ({
  value: mean(values),
  before: mean(before),
});

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

interface Part {
  name: string;
  figure: Figure;
}

/** A part that makes at least this much of a change is named. */
const MAIN_PART = 0.5;

/**
 * What changed, and where from: "Points granted rose 40% (1,000 to 1,400), 75% of it Daily cup." Null if nothing did, or there is no
 * meaningful comparison.
 */
export function changeSentence(what: string, { value, before }: Figure, parts: readonly Part[]): string | null {
  if (before <= 0 || value < 0 || value === before || value > before * MAX_TIMES) return null;
  const change = value - before;
  const size = Math.abs(change) / before;
  const verb = change > 0 ? "rose" : "fell";
  const by = size >= 2 ? `to ${formatted(Math.round(value / before))} times as many` : percentage(size, 1);
  const [main] = parts
    .map(({ name, figure }) => ({ name, part: (figure.value - figure.before) / change }))
    .sort((one, other) => other.part - one.part);
  // Where other parts went the other way, the main part can be more than 100% of the change.
  const source =
    main === undefined || main.part < MAIN_PART
      ? ""
      : main.part > 0.95
        ? `, from ${main.name}`
        : `, ${percentage(main.part, 1)} of it ${main.name}`;
  return `${what} ${verb} ${by} (${formatted(before)} to ${formatted(value)})${source}.`;
}

/** Large figures whole, small ones with a decimal or two. */
export function shortened(value: number): number {
  const places = value >= 10 ? 0 : value >= 1 ? 1 : 2;
  return Math.round(value * 10 ** places) / 10 ** places;
}

/** Below a cost: "30 per completion · 2,800 before". Undefined without completions. */
export const perCompletion = (cost: Figure, completions: Figure): string | undefined =>
  completions.value === 0
    ? undefined
    : `${formatted(shortened(cost.value / completions.value))} per completion · ${formatted(cost.before)} before`;

/** "42%"; 0 and 100 only when exact. A dash where the whole is zero. */
export const percentage = (part: number, whole: number): string => {
  if (whole === 0) return "–";
  const size = part / whole;
  if (size > 0 && size < 0.0005) return "<0.1%";
  if (size > 0.99 && size < 1) return NEARLY_ALL.format(size);
  return (size < 0.1 ? FINE_PERCENT : PERCENT).format(size);
};

/** Beside a net figure: "1,200 less 50 refunded"; left out if nothing was deducted, now or before. */
export const lessWords = (gross: Figure, taken: Figure, how: string): string | undefined =>
  taken.value === 0 && taken.before === 0 ? undefined : `${formatted(gross.value)} less ${formatted(taken.value)} ${how}`;

/** An amount with all its decimals, digit for digit: "€0.005", "€1.00". */
export const exactMoney = ({ amount, currency }: { amount: string; currency: string }): string =>
  new Intl.NumberFormat("en", { style: "currency", currency, maximumFractionDigits: 100 }).format(amount as Intl.StringNumericLiteral);

const DURATIONS = [
  ["year", 31_557_600],
  ["day", 86_400],
  ["h", 3600],
  ["min", 60],
] as const;

/** Seconds in the largest unit that fits: "17 min", "2.5 h", "3 days". */
export function durationWords(seconds: number): string {
  if (seconds < 1) return "under 1 s";
  // What rounds up to a whole larger unit is one: 59.6 minutes are "1 h", not "60 min".
  const found = DURATIONS.find(([, size], at) => seconds >= size - (DURATIONS[at + 1]?.[1] ?? 1) / 2);
  if (found === undefined) return `${Math.round(seconds)} s`;
  const [unit, size] = found;
  const count = seconds / size;
  const shown = formatted(count < 10 ? Math.round(count * 10) / 10 : Math.round(count));
  return `${shown} ${(unit === "day" || unit === "year") && shown !== "1" ? `${unit}s` : unit}`;
}

/** "240 ms", "1.2 s" */
export const latencyWords = (milliseconds: number): string =>
  milliseconds < 999.5 ? `${Math.round(milliseconds)} ms` : `${Math.round(milliseconds / 100) / 10} s`;

/** A range of whole numbers, `to` exclusive: "4–7", "4", "512 or more". */
export const countRange = (from: number, to: number | null): string =>
  to === null ? `${formatted(from)} or more` : to - 1 <= from ? formatted(from) : `${formatted(from)}–${formatted(to - 1)}`;

/** A range of seconds: "17 min – 34 min". */
export const durationRange = (from: number, to: number | null): string =>
  to === null
    ? `${durationWords(from)} or more`
    : from === 0
      ? `Under ${durationWords(to)}`
      : `${durationWords(from)} – ${durationWords(to)}`;

/** Notes since when some figures have been counted, where the range begins earlier. */
export function sinceWords(what: string, since: string | null, { from }: { from: string }): string | undefined {
  if (since === null) return `${what} have not been counted yet.`;
  return since > from ? `${what} have been counted since ${longDate(since)}.` : undefined;
}

/** The meaning of the funnel columns. */
export const FUNNEL_WORDS =
  "Offered to Completed: of the offers made in this range, how many have got that far. Completions: those in this range, whenever offered.";

/** Shown where a report filtered by segment leaves these out. */
export const NO_STEPS = "Offers, accepts and progress aren't tracked per player, so they can't be shown for a segment.";
