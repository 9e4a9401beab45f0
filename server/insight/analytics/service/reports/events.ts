import { type Series, totalOf } from "#server/model/analytics/sums.ts";
import { namesOf, type ReportRange, rangeFrame, type ReportContext, shownFrame, sumsByPeriod } from "./context.ts";

/** Each row has a figure for each of up to four hundred periods. */
const MAX_ROWS = 1_000;

/** How often each event and metric occurred, and the amounts that metrics added. */
export async function reportEvents(context: ReportContext, range: ReportRange) {
  const frame = rangeFrame(range);
  const [shown, sums, names] = await Promise.all([
    shownFrame(context, frame),
    sumsByPeriod(context, frame, { measures: ["event", "metric"] }),
    namesOf(context, "events", "metrics"),
  ]);
  const rowsOf = (measure: "event" | "metric") =>
    sums.subjects(measure).map((subject) => {
      const series = sums.series({ measure, subject });
      return {
        subject: names.subject(subject),
        kind: measure === "event" ? ("Event" as const) : ("Metric" as const),
        count: totalOf(series),
        values: series.values,
        amount: measure === "event" ? null : sums.exact({ measure, subject }),
      };
    });
  const rows = [...rowsOf("event"), ...rowsOf("metric")].sort((a, b) => b.count.value - a.count.value || a.subject.id - b.subject.id);
  const total = plus(sums.series({ measure: "event" }), sums.series({ measure: "metric" }));
  return { frame: shown, total, rows: rows.slice(0, MAX_ROWS) };
}

const plus = (a: Series, b: Series): Series => ({
  values: a.values.map((value, at) => value + b.values[at]!),
  before: a.before.map((value, at) => value + b.before[at]!),
});
