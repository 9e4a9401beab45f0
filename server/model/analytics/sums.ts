import { addNumbers, Decimal, type Numeric } from "../kernel/decimal.ts";

/** A sum of one bucket: a period, or a range as a whole. Buckets are numbered from 1, the earliest first. */
export interface BucketSum {
  measure: string;
  subject: number;
  detail: string;
  bucket: number;
  count: number;
  amount: Numeric;
}

/** A figure by period, and in the periods before. */
export interface Series {
  values: number[];
  before: number[];
}

export interface Figure {
  value: number;
  before: number;
}

type Match = Partial<Pick<BucketSum, "measure" | "subject" | "detail">>;
type Field = "count" | "amount";

/** Sums of a report, aggregated for its figures. The first half of the buckets is the earlier time. */
export class Sums {
  readonly #rows: Map<string, BucketSum[]>;
  readonly #half: number;

  constructor(rows: readonly BucketSum[], buckets: number) {
    this.#rows = Map.groupBy(rows, ({ measure }) => measure);
    this.#half = buckets / 2;
  }

  rows(measure: string): readonly BucketSum[] {
    return this.#rows.get(measure) ?? [];
  }

  /** The details, or subjects, that have a sum of a measure. */
  subjects(...measures: string[]): number[] {
    return [...new Set(measures.flatMap((measure) => this.rows(measure).map(({ subject }) => subject)))];
  }

  details(measure: string, subject?: number): string[] {
    const rows = this.rows(measure).filter((row) => subject === undefined || row.subject === subject);
    return [...new Set(rows.map(({ detail }) => detail))].sort();
  }

  #matching({ measure, subject, detail }: Match): readonly BucketSum[] {
    return this.rows(measure ?? "").filter(
      (row) => (subject === undefined || row.subject === subject) && (detail === undefined || row.detail === detail),
    );
  }

  series(match: Match & { measure: string }, field: Field = "count"): Series {
    const values = Array<number>(this.#half).fill(0);
    const before = Array<number>(this.#half).fill(0);
    for (const row of this.#matching(match)) {
      const [side, at] = row.bucket > this.#half ? [values, row.bucket - this.#half - 1] : [before, row.bucket - 1];
      side[at]! += plain(row[field]);
    }
    return { values, before };
  }

  figure(match: Match & { measure: string }, field: Field = "count"): Figure {
    return totalOf(this.series(match, field));
  }

  /** Exact, as text. */
  exact(match: Match & { measure: string }): { value: string; before: string } {
    let [value, before]: Numeric[] = [0, 0];
    for (const row of this.#matching(match)) {
      if (row.bucket > this.#half) value = addNumbers(value!, row.amount);
      else before = addNumbers(before!, row.amount);
    }
    return { value: String(value), before: String(before) };
  }
}

const plain = (value: Numeric): number => (typeof value === "number" ? value : Decimal.of(value).toNumber());

export const totalOf = ({ values, before }: Series): Figure => ({ value: added(values), before: added(before) });

const added = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Each entry of `a` less that of `b`. */
export const less = (a: Series, b: Series): Series => ({
  values: a.values.map((value, at) => value - b.values[at]!),
  before: a.before.map((value, at) => value - b.before[at]!),
});

export const lessOf = (a: Figure, b: Figure): Figure => ({ value: a.value - b.value, before: a.before - b.before });

export const isNothing = ({ value, before }: Figure): boolean => value === 0 && before === 0;
