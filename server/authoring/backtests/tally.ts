import { localDate, shiftDate, startOfPeriod } from "../../model/kernel/time.ts";
import { type Estimate, estimateTotal, type FirstSample, quantileOf, scaled, type Weighted } from "../../model/statistics/sampling.ts";
import type { Outcome } from "./play.ts";
import type { VariantResult } from "../../model/backtests/result.ts";
import { DAY } from "../../model/kernel/instant.ts";

/** A stratum of the sample: its number of players, and how many of them were played. */
export interface Stratum {
  size: number;
  sampled: number;
}

/** Longer windows are reported in weeks instead of days. */
const MAX_DAILY = 31;
const MAX_ITEMS = 20;

interface Sums {
  sum: number;
  squares: number;
}

/** Sums and sums of squares by measure and stratum. */
export class Measures {
  readonly #sums = new Map<string, Sums[]>();

  add(stratum: number, measure: string, value: number): void {
    if (value === 0) return;
    let sums = this.#sums.get(measure);
    if (sums === undefined) this.#sums.set(measure, (sums = []));
    const own = (sums[stratum] ??= { sum: 0, squares: 0 });
    own.sum += value;
    own.squares += value * value;
  }

  total(measure: string, strata: readonly Stratum[], first: FirstSample | null, isSigned = false): Estimate {
    const sums = this.#sums.get(measure) ?? [];
    return estimateTotal(
      strata.map((stratum, at) => ({ ...stratum, ...(sums[at] ?? { sum: 0, squares: 0 }) })),
      first,
      isSigned,
    );
  }

  names(beginning: string): string[] {
    return [...this.#sums.keys()].filter((name) => name.startsWith(beginning)).map((name) => name.slice(beginning.length));
  }
}

/** The window of a tally, and the names of its parts. */
export interface TallyContext {
  from: number;
  to: number;
  zone: string;
  labels: readonly string[];
  nameOfItem(key: string): string;
  worth: { points: number; amount: number; currency: string } | null;
}

/** Adds up the outcomes of one definition for the players of a sample. */
export class Tally {
  readonly #measures = new Measures();
  readonly #times: { stratum: number; value: number }[] = [];
  readonly #context: TallyContext;
  readonly #every: "Day" | "Week";

  constructor(context: TallyContext) {
    this.#context = context;
    this.#every = context.to - context.from > MAX_DAILY * DAY ? "Week" : "Day";
  }

  add(stratum: number, { isQualified, isEntered, completions, items, lacks }: Outcome): void {
    const add = (measure: string, value: number) => this.#measures.add(stratum, measure, value);
    add("qualified", Number(isQualified));
    add("entered", Number(isEntered));
    add("completed", Number(completions.length > 0));
    add("unfinished", Number(isEntered && completions.length === 0));
    add("completions", completions.length);
    add(
      "points",
      completions.reduce((sum, { points }) => sum + points, 0),
    );
    for (const [key, quantity] of items) add(`item/${key}`, quantity);
    for (const [index, own] of Map.groupBy(lacks, (one) => one)) add(`lacks/${index}`, own.length);
    // The squares are those of each player's sum in a span.
    for (const [span, own] of Map.groupBy(completions, ({ at }) => this.#spanOf(at))) {
      add(`completions/${span}`, own.length);
      add(
        `points/${span}`,
        own.reduce((sum, { points }) => sum + points, 0),
      );
    }
    for (const { tookMs } of completions) if (tookMs !== null) this.#times.push({ stratum, value: tookMs });
  }

  result(strata: readonly Stratum[], first: FirstSample | null): VariantResult {
    const total = (measure: string) => this.#measures.total(measure, strata, first);
    const { from, to, labels, nameOfItem, worth } = this.#context;
    const perWeek = (measure: string) => scaled(total(measure), (7 * DAY) / (to - from));
    const points = perWeek("points");
    return {
      qualified: total("qualified"),
      entered: total("entered"),
      completed: total("completed"),
      unfinished: total("unfinished"),
      completions: total("completions"),
      perWeek: {
        completions: perWeek("completions"),
        points,
        items: this.#measures
          .names("item/")
          .map((key) => ({ key, name: nameOfItem(key), quantity: perWeek(`item/${key}`) }))
          .sort((a, b) => b.quantity.value - a.quantity.value)
          .slice(0, MAX_ITEMS),
      },
      worthPerWeek: worth === null ? null : { amount: scaled(points, worth.amount / worth.points), currency: worth.currency },
      timeToComplete: this.#quartiles(strata),
      stops: labels.map((label, index) => ({ label, players: total(`lacks/${index}`) })),
      spans: this.#spans().map((span) => ({
        ...span,
        completions: total(`completions/${span.from}`),
        points: total(`points/${span.from}`),
      })),
    };
  }

  #quartiles(strata: readonly Stratum[]): VariantResult["timeToComplete"] {
    const times: Weighted[] = this.#times.map(({ stratum, value }) => ({
      value,
      weight: strata[stratum]!.size / strata[stratum]!.sampled,
    }));
    const [lower, median, upper] = [0.25, 0.5, 0.75].map((fraction) => quantileOf(times, fraction));
    return lower == null || median == null || upper == null ? null : { lower, median, upper };
  }

  #spanOf(instant: number): string {
    const { from, zone } = this.#context;
    const start = startOfPeriod(localDate(Math.max(instant, from), zone), this.#every);
    const first = localDate(from, zone);
    return start < first ? first : start;
  }

  /** The spans of the window; the first and the last week may be cut. */
  #spans(): { from: string; to: string }[] {
    const { to, zone } = this.#context;
    const last = localDate(to, zone);
    const spans: { from: string; to: string }[] = [];
    for (let start = this.#spanOf(this.#context.from); start <= last;) {
      const next = shiftDate(startOfPeriod(start, this.#every), this.#every === "Day" ? 1 : 7);
      const end = shiftDate(next, -1);
      spans.push({ from: start, to: end > last ? last : end });
      start = next;
    }
    return spans;
  }
}
