import { localDate, localHour, localMinute, shiftDate } from "../kernel/time.ts";
import { type Figure, ruleOf } from "./figures.ts";
import { HOUR, MINUTE } from "../kernel/instant.ts";

/** The bound of an alert. `bound`: a value; shares from 0 to 1. `usual`: times the mean of the same hours of the four weeks before. */
export interface AlertRule {
  figure: Figure;
  comparison: "Above" | "Below";
  basis: "Bound" | "Usual";
  threshold: number;
  /** The length of the window in hours; 1 for a level. */
  hours: number;
}

export const WINDOWS = [1, 3, 6, 12, 24] as const;

/** The minimum number of attempts for a share: one refusal of two purchases is not significant. */
const MIN_OF_SHARE = 20;

const WEEKS = 4;
/** The days of which hours are needed to judge a moment: the window, and four weeks before it. */
export const DAYS_TO_JUDGE = 7 * WEEKS + 2;
export const PREVIEW_DAYS = 28;
/** An hour counts as complete after these minutes, so that late events are included. */
const GRACE_MS = 5 * 60_000;

/** An hour of the project's zone: its day, and the hour from 0 to 23. */
export interface HourRow {
  day: string;
  hour: number;
  /** One value for each term of the figure, multiplied by its sign. */
  terms: number[];
}

/** The values of a figure by hour. */
export interface Series {
  rows: readonly HourRow[];
  /** The level before the first day of `rows`. */
  before: number;
  /** The first counted day; null if no day is counted, and then nothing is judged. */
  since: string | null;
  timeZone: string;
  /** The last change of the zone, if earlier hours are still those of the former one. */
  moved?: { at: number; zone: string } | null;
}

interface Hour {
  day: string;
  hour: number;
}

const hourAt = (instant: number, zone: string): Hour => ({ day: localDate(instant, zone), hour: Number(localHour(instant, zone)) });

const nameOf = ({ day, hour }: Hour): string => `${day} ${hour}`;

/** A figure by hours, ready for judging. */
export class Hours {
  readonly #figure: Figure;
  readonly #series: Series;
  readonly #terms: Map<string, number[]>;
  /** The first hour that is counted; null if it lies before the rows. */
  #first: string | null = null;
  /** From the last complete hour before a change of the zone to the last one that has events of both zones; empty without a change. */
  readonly #mixed: readonly string[];
  /** The level at the end of each hour with a change, in order. */
  readonly #levels: { at: string; level: number }[] = [];

  constructor(figure: Figure, series: Series) {
    this.#figure = figure;
    this.#series = series;
    this.#terms = new Map(series.rows.map((row) => [nameOf(row), row.terms]));
    for (const row of series.rows)
      if (row.day === series.since && (this.#first === null || sortable(row) < this.#first)) this.#first = sortable(row);
    const { moved = null, timeZone } = series;
    const mixed = moved === null ? [] : [hourAt(moved.at, moved.zone), hourAt(moved.at - 2 * HOUR, timeZone), hourAt(moved.at, timeZone)];
    this.#mixed = mixed.map(sortable).toSorted();
    if (ruleOf(figure).type !== "level") return;
    let level = series.before;
    for (const row of series.rows.toSorted((a, b) => (sortable(a) < sortable(b) ? -1 : 1))) {
      level += added(row.terms);
      this.#levels.push({ at: sortable(row), level });
    }
  }

  /** Whether a window has hours in which not everything was counted: hours before the first counted one, or of two zones. */
  isIncomplete(window: readonly Hour[]): boolean {
    const [first, last] = [sortable(window[0]!), sortable(window.at(-1)!)];
    const [from, until] = [this.#mixed[0], this.#mixed.at(-1)];
    return (this.#first !== null && first < this.#first) || (from !== undefined && first <= until! && last >= from);
  }

  get since(): string | null {
    return this.#series.since;
  }

  /** The value of a window; null if it cannot be judged. */
  valueOf(window: readonly Hour[]): number | null {
    const { since } = this.#series;
    if (since === null || window.at(-1)!.day < since) return null;
    const { type } = ruleOf(this.#figure);
    if (type === "level") return this.#levelAt(sortable(window.at(-1)!));
    const sums: number[] = [];
    for (const hour of window) {
      for (const [at, value] of (this.#terms.get(nameOf(hour)) ?? []).entries()) sums[at] = (sums[at] ?? 0) + value;
    }
    if (type === "sum") return added(sums);
    const all = added(sums);
    return all < MIN_OF_SHARE ? null : (sums[0] ?? 0) / all;
  }

  #levelAt(at: string): number {
    const known = this.#levels.findLast((one) => one.at <= at);
    return known?.level ?? this.#series.before;
  }

  /** The hours of a window that ends with the hour of an instant, oldest first. An hour that the clock skips is in none. */
  windowAt(instant: number, hours: number): Hour[] {
    const { timeZone } = this.#series;
    const window = Array.from({ length: hours }, (_, at) => hourAt(instant - (hours - 1 - at) * HOUR, timeZone));
    // An hour that occurs twice is one sum.
    return window.filter((one, at) => at === 0 || nameOf(one) !== nameOf(window[at - 1]!));
  }

  /** The start of the hour of an instant. In some zones it is within an hour of UTC. */
  startOf(instant: number): number {
    return instant - Number(localMinute(instant, this.#series.timeZone).slice(-2)) * MINUTE - (instant % MINUTE);
  }

  /** The mean of the same hours of the four weeks before, of those weeks that are counted; null without any, or for a mean of 0. */
  usualOf(window: readonly Hour[]): number | null {
    const values: number[] = [];
    for (let week = 1; week <= WEEKS; week++) {
      const earlier = window.map(({ day, hour }) => ({ day: shiftDate(day, -7 * week), hour }));
      if (this.since === null || earlier[0]!.day < this.since) continue;
      const value = this.valueOf(earlier);
      if (value !== null) values.push(value);
    }
    const mean = values.length === 0 ? 0 : added(values) / values.length;
    return mean === 0 ? null : mean;
  }
}

const sortable = ({ day, hour }: Hour): string => `${day} ${String(hour).padStart(2, "0")}`;
const added = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The result of a check. It is no breach if `value` or `bound` is null: then the alert could not be judged. */
export interface Judged {
  isBreach: boolean;
  value: number | null;
  bound: number | null;
}

function judgeWindow({ comparison, basis, threshold }: AlertRule, hours: Hours, window: readonly Hour[]): Judged {
  // A new definition counted nothing before; after a change of the zone, what happened just before is in other hours.
  const value = comparison === "Below" && hours.isIncomplete(window) ? null : hours.valueOf(window);
  const usual = basis === "Usual" ? hours.usualOf(window) : 1;
  const bound = usual === null ? null : threshold * usual;
  const isBreach = value !== null && bound !== null && (comparison === "Above" ? value > bound : value < bound);
  return { isBreach, value, bound };
}

/**
 * Judges an alert at an instant. "Above" fires as soon as the current hour takes the window past the bound, "below" once an hour is
 * complete. A breach is over when neither the last complete window nor the current one is past the bound, so that the first minutes of an
 * hour cannot end it.
 */
export function judge(rule: AlertRule, hours: Hours, now: number): Judged {
  const last = now - HOUR - GRACE_MS;
  const complete = judgeWindow(rule, hours, hours.windowAt(last, rule.hours));
  if (rule.comparison === "Below") return complete;
  const underWay = judgeWindow(rule, hours, hours.windowAt(now, rule.hours));
  return underWay.isBreach || !complete.isBreach ? underWay : complete;
}

/** A breach: an alert sends a notice at its beginning and at its end. Instants in epoch milliseconds. */
export interface PastBreach {
  from: number;
  /** The end of the last hour past the bound; null if it has not ended. */
  until: number | null;
  /** The value of the first window past the bound. */
  value: number;
}

/** The breaches of the last 28 days, oldest first. */
export function previewOf(rule: AlertRule, hours: Hours, now: number): PastBreach[] {
  const breaches: PastBreach[] = [];
  let open: PastBreach | null = null;
  const last = hours.startOf(now) - HOUR;
  for (let at = last - (PREVIEW_DAYS * 24 - 1) * HOUR; at <= last; at += HOUR) {
    const { isBreach, value } = judgeWindow(rule, hours, hours.windowAt(at, rule.hours));
    if (isBreach && open === null) breaches.push((open = { from: at, until: null, value: value ?? 0 }));
    else if (!isBreach && open !== null) {
      open.until = at;
      open = null;
    }
  }
  return breaches;
}
