import { addNumbers, Decimal, type Numeric } from "../kernel/decimal.ts";

/** A cohort is the players of one first week. A report shows at most this many, the latest of its range, and each for this many weeks. */
export const MAX_COHORT_WEEKS = 104;

/** A sum of one bucket: a period, or a range as a whole. Buckets are numbered from 1, the earliest first. */
export interface BucketSum {
  measure: string;
  subject: number;
  detail: string;
  bucket: number;
  count: number;
  amount: Numeric;
}

/** A figure by period, and in as many periods before. */
export interface Series {
  values: number[];
  before: number[];
}

export interface Figure {
  value: number;
  before: number;
}

type Match = Pick<BucketSum, "measure"> & Partial<Pick<BucketSum, "subject" | "detail">>;
type Field = "count" | "amount";

/** Sums of a report, aggregated for its figures. The first half of the buckets is the earlier time. */
export class Sums {
  readonly #rows: Map<string, BucketSum[]>;
  /** By measure, when first asked for: a report may have ten thousand definitions. */
  readonly #bySubject = new Map<string, Map<number, BucketSum[]>>();
  readonly #half: number;

  constructor(rows: readonly BucketSum[], buckets: number) {
    this.#rows = Map.groupBy(rows, ({ measure }) => measure);
    this.#half = buckets / 2;
  }

  #of(measure: string, subject: number | undefined): readonly BucketSum[] {
    if (subject === undefined) return this.rows(measure);
    const known = this.#bySubject.get(measure) ?? Map.groupBy(this.rows(measure), (row) => row.subject);
    this.#bySubject.set(measure, known);
    return known.get(subject) ?? [];
  }

  rows(measure: string): readonly BucketSum[] {
    return this.#rows.get(measure) ?? [];
  }

  /** The subjects that have a sum of one of these measures, in ascending order. */
  subjects(...measures: string[]): number[] {
    return [...new Set(measures.flatMap((measure) => this.rows(measure).map(({ subject }) => subject)))].sort((a, b) => a - b);
  }

  details(measure: string, subject?: number): string[] {
    return [...new Set(this.#of(measure, subject).map(({ detail }) => detail))].sort();
  }

  #matching({ measure, subject, detail }: Match): readonly BucketSum[] {
    const rows = this.#of(measure, subject);
    return detail === undefined ? rows : rows.filter((row) => row.detail === detail);
  }

  series(match: Match, field: Field = "count"): Series {
    const values = Array<number>(this.#half).fill(0);
    const before = Array<number>(this.#half).fill(0);
    for (const row of this.#matching(match)) {
      const [side, at] = row.bucket > this.#half ? [values, row.bucket - this.#half - 1] : [before, row.bucket - 1];
      side[at]! += toNumber(row[field]);
    }
    return { values, before };
  }

  figure(match: Match, field: Field = "count"): Figure {
    return totalOf(this.series(match, field));
  }

  /** The exact amounts, as text. */
  exact(match: Match): { value: string; before: string } {
    let value: Numeric = 0;
    let before: Numeric = 0;
    for (const row of this.#matching(match)) {
      if (row.bucket > this.#half) value = addNumbers(value, row.amount);
      else before = addNumbers(before, row.amount);
    }
    return { value: String(value), before: String(before) };
  }
}

const toNumber = (value: Numeric): number => (typeof value === "number" ? value : Decimal.of(value).toNumber());

export const totalOf = ({ values, before }: Series): Figure => ({ value: added(values), before: added(before) });

const added = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** `a` less `b`, period by period. */
export const subtract = (a: Series, b: Series): Series => ({
  values: a.values.map((value, at) => value - b.values[at]!),
  before: a.before.map((value, at) => value - b.before[at]!),
});

export const subtractFigure = (a: Figure, b: Figure): Figure => ({ value: a.value - b.value, before: a.before - b.before });

/** The part with the largest share of a change; null if nothing changed. */
export function mainPart<Part>(change: Figure, parts: readonly Part[], figure: (part: Part) => Figure): Part | null {
  const direction = Math.sign(change.value - change.before);
  let [main, most]: [Part | null, number] = [null, 0];
  for (const part of parts) {
    const { value, before } = figure(part);
    if ((value - before) * direction > most) [main, most] = [part, (value - before) * direction];
  }
  return main;
}
