import { type Figure, type Series, type Sums, totalOf } from "#server/model/analytics/sums.ts";
import { type Orders, pageOf, type TableView } from "#server/model/analytics/table.ts";
import { type Names, namesOf, type ReportRange, rangeFrame, type ReportContext, shownFrame, sumsByPeriod, sumsOfRange } from "./context.ts";

interface Listed {
  id: number;
  measure: "event" | "metric";
  sums: Sums;
  names: Names;
}

const countOf = ({ id, measure, sums }: Listed): Figure => sums.figure({ measure, subject: id });
const kindOf = ({ measure }: Listed) => (measure === "event" ? ("Event" as const) : ("Metric" as const));

/** What each column of the table sorts by. */
const ORDERS: Orders<Listed> = {
  name: ({ id, names }) => names.name(id),
  kind: kindOf,
  count: (listed) => countOf(listed).value,
  amount: ({ id, measure, sums }) => (measure === "event" ? null : sums.figure({ measure, subject: id }, "amount").value),
};

/** How often each event and metric occurred, and the amounts that metrics added; a page at a time. */
export async function reportEvents(context: ReportContext, { table, ...range }: ReportRange & { table: TableView }) {
  const frame = rangeFrame(range);
  const measures = ["event", "metric"] as const;
  const { baseCurrency, metricsById } = context.definitions;
  const [shown, series, sums, names] = await Promise.all([
    shownFrame(context, frame),
    sumsByPeriod(context, frame, { measures, isSummed: true }),
    sumsOfRange(context, frame, { measures }),
    namesOf(context, "events", "metrics"),
  ]);
  const listed = measures.flatMap((measure) => sums.subjects(measure).map((id) => ({ id, measure, sums, names })));
  const page = pageOf(listed, table, ORDERS, ORDERS.count);
  // A row has a figure for each of up to four hundred periods.
  const trends = await sumsByPeriod(context, frame, { measures, subjects: page.rows.map(({ id }) => id) });
  return {
    frame: shown,
    total: plus(series.series({ measure: "event" }), series.series({ measure: "metric" })),
    different: {
      value: listed.filter((one) => countOf(one).value > 0).length,
      before: listed.filter((one) => countOf(one).before > 0).length,
    },
    table: {
      ...page,
      rows: page.rows.map((one) => {
        const { id: subject, measure } = one;
        const trend = trends.series({ measure, subject });
        return {
          subject: names.subject(subject),
          kind: kindOf(one),
          count: totalOf(trend),
          values: trend.values,
          amount: measure === "event" ? null : trends.exact({ measure, subject }),
          /** The currency of the amount; null: a plain number. */
          currency: metricsById.get(subject)?.kind === "Currency" ? baseCurrency : null,
        };
      }),
    },
  };
}

const plus = (a: Series, b: Series): Series => ({
  values: a.values.map((value, at) => value + b.values[at]!),
  before: a.before.map((value, at) => value + b.before[at]!),
});
