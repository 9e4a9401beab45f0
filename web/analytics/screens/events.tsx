import { withThousands } from "#server/model/kernel/thousands.ts";
import { type AnalyticsReports, useWhere } from "../../client/service.tsx";
import { definitionPath } from "../../definitions/kinds/index.ts";
import { Sparkline } from "../../components/sparkline.tsx";
import { ChartCard } from "../charts/chart-card.tsx";
import { compared } from "../charts/data.ts";
import { Figures } from "../figures.tsx";
import { NoData, Report } from "../report.tsx";
import { subjectName } from "../subjects.tsx";
import { changeColumn, type ReportColumn, ReportTable, textColumn } from "../report-table.tsx";

type Row = AnalyticsReports["events"]["table"]["rows"][number];

export function EventsReport() {
  const { href } = useWhere();
  return (
    <Report of="events">
      {({ frame, total, different, table }) =>
        table.count === 0 ? (
          <NoData title="No events in this range">
            Events are counted on the day they happened. Choose a longer range, or send your first event.
          </NoData>
        ) : (
          <>
            <Figures
              items={[
                { label: "Events and metric events", figure: { value: sum(total.values), before: sum(total.before) }, good: "up" },
                { label: "Different events and metrics", figure: different },
              ]}
            />
            <ChartCard title="Events" data={compared(frame, "Events", total)} empty="No events in this range." />
            <ReportTable
              title="By event and metric"
              columns={COLUMNS}
              table={table}
              report="events"
              rowKey={({ kind, subject }) => `${kind} ${subject.id}`}
              href={({ kind, subject }) => {
                const definitions = kind === "Event" ? "events" : "metrics";
                return subject.key === null ? href(`/${definitions}`) : href(definitionPath(definitions, subject.key));
              }}
              empty="No events."
            />
          </>
        )
      }
    </Report>
  );
}

const sum = (values: readonly number[]): number => values.reduce((added, value) => added + value, 0);

const COLUMNS: ReportColumn<Row>[] = [
  textColumn("name", "Name", ({ subject }) => subjectName(subject)),
  { id: "kind", header: "Type", value: ({ kind }) => kind, cell: ({ kind }) => kind },
  changeColumn("count", "Count", ({ count }) => count),
  {
    id: "amount",
    header: "Sum",
    isNumeric: true,
    // The sum may have more digits than a JavaScript number, so it stays text.
    value: ({ amount }) => amount?.value ?? null,
    cell: ({ amount, currency }) =>
      amount === null ? "–" : currency === null ? withThousands(amount.value) : `${withThousands(amount.value)} ${currency}`,
  },
  {
    id: "trend",
    header: "Trend",
    className: "max-md:hidden",
    cell: ({ values }) => <Sparkline values={values} className="inline-block h-5 w-24 align-middle text-accent" />,
  },
];
