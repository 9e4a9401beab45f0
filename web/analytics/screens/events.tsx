"use client";

import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import type { AnalyticsReports } from "#server/insight/analytics/contract.dashboard.ts";
import { formatted, withThousands } from "#server/model/kernel/thousands.ts";
import { definitionPath } from "../../definitions/kinds/index.ts";
import { ChartCard } from "../charts/chart-card.tsx";
import { compared } from "../charts/data.ts";
import { RowChange, Figures } from "../figures.tsx";
import { Loaded } from "../loaded.tsx";
import { nameOf } from "../names.tsx";
import { NoData } from "../no-data.tsx";
import { type ReportColumn, ReportTable } from "../report-table.tsx";
import { useReportView } from "../report-view.tsx";
import { Sparkline } from "../sparkline.tsx";
import { useReport } from "../use-report.ts";

type Row = AnalyticsReports["events"]["rows"][number];

/** Events received. */
export function EventsReport() {
  const { scope, href } = useWhere();
  const { range } = useReportView();
  const query = useReport(orpc.analytics.events.queryOptions({ input: { ...scope, ...range } }));
  return (
    <Loaded query={query}>
      {({ frame, total, rows }) =>
        rows.length === 0 ? (
          <NoData title="No events in this range">
            Events are counted on the day they happened. Choose a longer range, or send your first event.
          </NoData>
        ) : (
          <>
            <Figures
              before="before"
              items={[
                { label: "Events and metric events", figure: { value: sum(total.values), before: sum(total.before) }, good: "up" },
                {
                  label: "Different events and metrics",
                  figure: {
                    value: rows.filter(({ count }) => count.value > 0).length,
                    before: rows.filter(({ count }) => count.before > 0).length,
                  },
                },
              ]}
            />
            <ChartCard title="Events" data={compared(frame, "Events", total)} empty="No events in this range." />
            <ReportTable
              title="By event and metric"
              columns={COLUMNS}
              rows={rows}
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
    </Loaded>
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const COLUMNS: ReportColumn<Row>[] = [
  {
    id: "name",
    header: "Name",
    value: ({ subject }) => nameOf(subject),
    cell: ({ subject }) => <span className="block truncate">{nameOf(subject)}</span>,
  },
  { id: "kind", header: "Type", value: ({ kind }) => kind, cell: ({ kind }) => kind },
  {
    id: "count",
    header: "Count",
    isNumeric: true,
    value: ({ count }) => count.value,
    cell: ({ count }) => (
      <span className="inline-flex items-baseline gap-2">
        <RowChange figure={count} />
        {formatted(count.value)}
      </span>
    ),
  },
  {
    id: "amount",
    header: "Sum",
    isNumeric: true,
    value: ({ amount }) => (amount === null ? null : Number(amount.value)),
    cell: ({ amount }) => (amount === null ? "–" : withThousands(amount.value)),
  },
  { id: "trend", header: "Trend", className: "max-md:hidden", cell: ({ values }) => <Sparkline values={values} /> },
];
