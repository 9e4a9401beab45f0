import { addNumbers, type Numeric } from "./decimal.ts";

/**
 * The measures counted by day. The first group can be recounted from log and tables (`analytics_recount` in
 * db/functions/analytics-recounts.sql), the second only exists in these sums. A measure `hour.*` is of all definitions together, with the
 * hour as its detail.
 */
export type CountedMeasure = RecountedMeasure | KeptMeasure;

export type RecountedMeasure =
  /** By event; by metric, with the amount. */
  | "event"
  | "metric"
  /** Players, by day, by the Monday of the week, by the first of the month. */
  | "active.day"
  | "active.week"
  | "active.month"
  /** Players by their first day; by week, with the Monday of their first week as detail. */
  | "new"
  | "retention"
  /** By mission; by mission and bucket of its duration; items paid by mission: rewards, with their quantity as the amount. */
  | "completed"
  | "duration"
  | "items"
  /** By definition, with the type of the source as detail. */
  | "points.granted"
  | "points.spent"
  | "points.refunded"
  | "points.credited"
  | "points.debited"
  /** By listing, with the start of the round as detail; amounts are prices. */
  | "purchased"
  | "reversed"
  /** By streak, on the first day of the run. */
  | "streak.started"
  | "hour.events"
  | "hour.active"
  | "hour.completed"
  | "hour.granted"
  | "hour.spent"
  | "hour.adjusted"
  | "hour.purchased";

export type KeptMeasure =
  /** By mission. */
  | "entered"
  | "accepted"
  | "progressed"
  /** Players who are in a mission for the first time, by mission, on the day of the entry. */
  | "players.entered"
  /**
   * How far occurrences have come as of now, by mission, on the day of their entry: each step has at most as many as the one before.
   * Objectives with their id as detail.
   */
  | "funnel.entered"
  | "funnel.accepted"
  | "funnel.progressed"
  | "funnel.completed"
  | "funnel.objective"
  /** By listing (0: unknown), with the error code as detail. */
  | "refused"
  /** By streak; milestones with their length as detail. */
  | "streak.freezes"
  | "streak.milestone";

/** The epoch of sums that cannot be recomputed. */
export const KEPT_EPOCH = 0;

/** A sum of one measure, as the database takes it. */
export interface CountRow {
  /** The epoch of the sum: the player's `analyticsEpoch`, or `KEPT_EPOCH`. */
  epoch: number;
  measure: CountedMeasure;
  /** Id of the definition; 0: none. */
  subject: number;
  detail: string;
  /** A local date of the project's zone. */
  day: string;
  count: number;
  amount: Numeric;
  /** The hour of the day, for a measure of a definition that is also kept by hour (`analytics_hourly`). */
  hour?: number;
}

/** Aggregates the counts of a transaction, so that it writes one row per sum. */
export class Counts {
  readonly #rows = new Map<string, CountRow>();

  add(
    {
      epoch,
      measure,
      day,
      hour,
      subject = 0,
      detail = "",
    }: Pick<CountRow, "epoch" | "measure" | "day" | "hour"> & { subject?: number; detail?: string },
    count = 1,
    amount: Numeric = 0,
  ): void {
    const name = `${epoch} ${measure} ${day} ${hour} ${subject} ${detail}`;
    const row = this.#rows.get(name);
    if (row === undefined) {
      this.#rows.set(name, { epoch, measure, subject, detail, day, count, amount, ...(hour !== undefined && { hour }) });
      return;
    }
    row.count += count;
    if (amount !== 0) row.amount = addNumbers(row.amount, amount);
  }

  /** The sums that are not zero. */
  rows(): CountRow[] {
    return [...this.#rows.values()].filter(({ count, amount }) => count !== 0 || amount !== 0);
  }
}
